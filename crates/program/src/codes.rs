//! The codes of this crate's diagnostics, each with what it means. The book lists the same table.

use base::Code;

macro_rules! codes {
    ($($number:literal $constant:ident $name:literal $meaning:literal)*) => {
        $(#[doc = $meaning] pub const $constant: Code = Code { number: $number, name: $name };)*

        /// Every code with its meaning.
        pub const ALL: &[(Code, &str)] = &[$(($constant, $meaning)),*];
    };
}

codes! {
    100 UNKNOWN_FILE "unknown-file" "`use` names a file that is in no folder from here upward"
    101 UNKNOWN_NAME "unknown-name" "a name that is declared nowhere"
    102 UNKNOWN_TYPE "unknown-type" "a type that is declared nowhere"
    103 UNKNOWN_FIELD "unknown-field" "a field that the object or word does not have"
    104 UNKNOWN_METHOD "unknown-method" "a memory operation that does not exist"
    105 UNKNOWN_LABEL "unknown-label" "a label that the thread does not have"
    106 UNKNOWN_ORDER "unknown-order" "a memory order that does not exist"
    107 UNKNOWN_FENCE "unknown-fence" "a kind of fence that does not exist"
    108 UNKNOWN_WORD "unknown-word" "a word that the flag does not have"
    109 UNKNOWN_VARIANT "unknown-variant" "a variant that is declared nowhere"
    110 UNKNOWN_SCENARIO "unknown-scenario" "a scenario that is declared nowhere"
    111 UNKNOWN_SETTING "unknown-setting" "a setting of something that is no parameter, flag or constant"
    112 UNKNOWN_PROPERTY "unknown-property" "an expectation names a property that is stated nowhere"
    113 DUPLICATE "duplicate" "a name that is declared twice"
    114 UNMET_REQUIRE "unmet-require" "what a framework requires is supplied nowhere"
    115 WRONG_SIGNATURE "wrong-signature" "what a framework requires is supplied with another signature"
    116 NOT_A_VALUE "not-a-value" "a name that stands for no value is used as one"
    117 NOT_A_TYPE "not-a-type" "a name that stands for no type is used as one"
    120 MISMATCH "type-mismatch" "a value of one type stands where another is wanted"
    121 ARGUMENTS "argument-count" "a call with too few or too many arguments"
    122 UNINDEXED "unindexed-array" "an array is used without an index"
    123 NOT_AN_ARRAY "not-an-array" "an index on something that is no array"
    124 INDEX_TYPE "index-type" "an index of another type than the array's"
    125 NOT_CONSTANT "not-constant" "something that may change stands where a constant is wanted"
    126 EMPTY_RANGE "empty-range" "a range without values"
    127 OUT_OF_RANGE "out-of-range" "a constant that its place can never hold"
    128 WIDE_WORD "wide-word" "a word of more than 30 bits"
    129 ZERO_DIVISOR "zero-divisor" "a division by zero"
    130 CYCLE "cycle" "a declaration that is defined by itself"
    131 NO_INITIAL_VALUE "no-initial-value" "an object's field that has no initial value"
    132 NEEDS_RANGE "needs-range" "a register without a written range gets a value its first value does not allow for"
    133 NO_OBJECTS "no-objects" "an object type of which the heap has no object is used"
    134 SET_ELEMENT "set-element" "a set of values that cannot be elements, or of too many"
    135 SET_IN_MEMORY "set-in-memory" "a set in a memory cell, in an object's field or in a word"
    136 UNKNOWN_SET "unknown-set" "a set whose type is not known"
    137 MISPLACED_LIST "misplaced-list" "a list that is not the first value of an array, or of the wrong length"
    138 PACKETS "packets" "kinds of work, buckets and the releaser that do not fit together"
    140 RECURSION "recursion" "a procedure that calls itself"
    141 MISSING_RETURN "missing-return" "a procedure with a result that may end without one"
    142 MISPLACED_RETURN "misplaced-return" "`return` outside a procedure, or with a value where none is wanted"
    143 MISPLACED_BREAK "misplaced-break" "`break` or `continue` outside a loop"
    144 MISPLACED_SELF "misplaced-self" "`self` where no replicated thread runs"
    145 NOT_ASSIGNABLE "not-assignable" "an assignment to something that cannot be assigned to"
    146 PART_OF_WORD "part-of-word" "a store to a part of a word"
    147 NOT_MEMORY "not-memory" "a memory operation on something that is not memory"
    148 MISPLACED_ORDER "misplaced-order" "a memory order that means nothing for the operation"
    149 MISPLACED_EXCHANGE "misplaced-exchange" "`->` in an operation that is no compare-and-swap"
    150 MEMORY_IN_ATOMIC "memory-in-atomic" "memory is touched inside `atomic`"
    151 MIXED "mixed-state" "abstract state and memory in one expression"
    152 GHOST_READ "ghost-read" "a ghost is read by what is no assertion, cover or ghost"
    153 NESTED_REGION "nested-region" "`stop_the_world` inside a region that is one step"
    154 ORDER_IN_REGION "order-in-region" "a fence, safepoint or `perform` inside a region that is one step"
    155 MISPLACED_THREAD "misplaced-thread" "a thread's register or place outside a property"
    156 MISPLACED_CALL "misplaced-call" "a step is taken where only a state is looked at"
    157 MISPLACED_TEMPORAL "misplaced-temporal" "a word of temporal logic outside `ltl`, or inside what speaks of one state"
    158 MANY_ATOMS "many-atoms" "a temporal formula that speaks of too many different things"
    160 NOTHING_TO_RUN "nothing-to-run" "no thread to run"
    161 TOO_LARGE "too-large" "a program too large to unroll"
    162 BAD_EXPECTATION "bad-expectation" "an expectation that can never be looked up"
    164 IN_TRANSACTION "in-transaction" "something stands inside a transaction that it could not take back"
    165 LEAVES_TRANSACTION "leaves-transaction" "`return`, `break` or `continue` out of a transaction"
    166 MISPLACED_ABORT "misplaced-abort" "`abort` where no transaction is around"
    170 UNUSED_REGISTER "unused-register" "a register that is never read"
}
