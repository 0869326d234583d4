//! The codes of syntax diagnostics, `E0001` to `E0099`. A code, once given, keeps its meaning.

use base::Code;

macro_rules! codes {
    ($($(#[$meta:meta])* $constant:ident $number:literal $name:literal $explanation:literal)*) => {
        $(
            #[doc = $explanation]
            pub const $constant: Code = Code { number: $number, name: $name };
        )*

        /// Every code of this crate with what it means, in one line.
        pub const ALL: &[(Code, &str)] = &[$(($constant, $explanation),)*];
    };
}

codes! {
    EXPECTED_EXPRESSION 1 "expected-expression" "A value or condition is missing, or something else stands where one must be."
    EXPECTED_TYPE 2 "expected-type" "A type is missing, or something else stands where one must be."
    EXPECTED_NAME 3 "expected-name" "A name is missing, or something else stands where one must be."
    EXPECTED_STATEMENT 4 "expected-statement" "This cannot begin a statement."
    EXPECTED_ITEM 5 "expected-item" "This cannot begin an item, such as `proc` or `cell`."
    EXPECTED_SYMBOL 6 "expected-symbol" "A bracket, colon, or other sign is missing."
    EXPECTED_END 7 "expected-end" "Something follows where the statement or item should end."
    KEYWORD_AS_NAME 8 "keyword-as-name" "A keyword cannot be used as a name."
    MISSING_BRACE 9 "missing-brace" "A `{` is never closed."
    UNMATCHED_CLOSE 10 "unmatched-close" "A closing bracket has no opening one."
    SINGLE_EQUALS 11 "single-equals" "`=` assigns; `==` compares."
    FOREIGN_OPERATOR 12 "foreign-operator" "The logical operators are the words `and`, `or`, `not`."
    CHAINED_COMPARISON 13 "chained-comparison" "Comparisons do not chain: join two with `and`."
    FOREIGN_RANGE 14 "foreign-range" "A range is written `first..last`; both ends are included."
    COMPOUND_ASSIGNMENT 15 "compound-assignment" "There is no `+=`, `++` or `:=`; a store is written with `=`."
    MISSING_IN 16 "missing-in" "`each`, `all` and `exists` need `in` between the name and the type."
    MISSING_TYPE 17 "missing-type" "A declaration needs a type."
    MISSING_VALUE 18 "missing-value" "A declaration needs a first value."
    MISSING_ARROW 19 "missing-arrow" "`cas` takes the old and the new value as `old -> new`."
    MISPLACED_ARROW 20 "misplaced-arrow" "`->` stands only in `cas` and before a procedure's result."
    WORD_IN_BRACES 21 "word-in-braces" "A word is built with round brackets: `Wide(value, status)`."
    NOT_A_PLACE 22 "not-a-place" "Only a register, a cell or a field can be assigned."
    NO_EFFECT 23 "no-effect" "A statement that only computes a value does nothing."
    FENCE_WITHOUT_KIND 24 "fence-without-kind" "A fence needs its kind, such as `fence full`."
    MISPLACED_ELSE 25 "misplaced-else" "`else` stands only after the `}` of an `if`, `or {` only after that of a `choose`."
    EMPTY_ENTRY 26 "empty-entry" "Nothing stands between two separators."
    EXPECTED_SEPARATOR 27 "expected-separator" "The entries of a list need a comma, a `;` or a new line between them."
    TOO_DEEP 28 "too-deep" "The text is nested too deeply."
    TOO_MANY_ERRORS 29 "too-many-errors" "The text has so many errors that the rest is not shown."
    UNKNOWN_CHARACTER 30 "unknown-character" "The character has no meaning here."
    UNTERMINATED_STRING 31 "unterminated-string" "A string must end on the line where it begins."
    MALFORMED_NUMBER 32 "malformed-number" "Numbers are decimal digits only."
    NUMBER_TOO_LARGE 33 "number-too-large" "Numbers go up to 2147483647."
    BLOCK_COMMENT 34 "block-comment" "Comments begin with `//` and end with the line."
    MISPLACED_NOT 35 "misplaced-not" "`not` or a temporal word binds looser than a comparison: it needs parentheses here."
    NOT_CALLABLE 36 "not-callable" "Only a name can be called."
    ITEM_IN_BLOCK 37 "item-in-block" "Items are declared outside of threads and procedures."
    STATEMENT_OUTSIDE 38 "statement-outside" "Statements stand in threads and procedures only."
    EXPECTED_VERDICT 39 "expected-verdict" "The verdict is `holds` or `violated`."
    MISPLACED_DOC 40 "misplaced-doc" "A `//!` comment stands at the top of the file, a `///` comment before an item."
    LINE_STARTS_WITH_OPERATOR 41 "line-starts-with-operator" "An expression goes on to the next line if the operator ends the line, or if the next line begins with `and`, `or` or `implies`."
    FILE_TOO_LARGE 42 "file-too-large" "A file has at most 256 MiB."
    UNEXPECTED_PART 43 "unexpected-part" "The item has a part that belongs to another kind of item."
}
