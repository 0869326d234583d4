// The tokens of Lacuna's language, and the blocks they form: what highlighting and folding need.
// The compiler has the grammar itself; this one takes any text, so that no mistake uncolours a file.

const KEYWORDS = [
  'use', 'param', 'flag', 'const', 'type', 'enum', 'word', 'object', 'heap', 'cell', 'abstract',
  'ghost', 'register', 'require', 'proc', 'thread', 'scenario', 'variant', 'invariant',
  'guarantee', 'forbid', 'ltl', 'cover', 'expect', 'transaction', 'abort', 'predicate', 'work',
  'bucket', 'releaser', 'request', 'perform', 'let', 'if', 'else', 'while', 'loop', 'each',
  'choose', 'or', 'atomic', 'directly', 'stop_the_world', 'fence', 'assert', 'assume', 'safepoint',
  'return', 'break', 'continue', 'stop', 'skip', 'and', 'not', 'implies', 'exists', 'at', 'bool',
];

const LITERALS = [
  'true', 'false', 'null', 'self',
];

const ORDERS = [
  'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst', 'full',
];

module.exports = grammar({
  name: 'lac',
  word: $ => $.name,
  extras: $ => [/\s/, $.comment],
  rules: {
    source_file: $ => repeat($._piece),
    _piece: $ => choice(
      $.block, $.list, $.index, $.keyword, $.literal, $.order, $.type, $.label, $.number, $.title, $.name, $.operator),
    block: $ => seq('{', repeat($._piece), '}'),
    list: $ => seq('(', repeat($._piece), ')'),
    index: $ => seq('[', repeat($._piece), ']'),
    keyword: _ => choice(...KEYWORDS),
    literal: _ => choice(...LITERALS),
    order: _ => choice(...ORDERS),
    type: _ => /[A-Z][A-Za-z0-9_]*/,
    name: _ => /[a-z_][A-Za-z0-9_]*/,
    label: _ => /@[A-Za-z_][A-Za-z0-9_]*/,
    number: _ => /[0-9]+/,
    title: _ => /"[^"\n]*"/,
    operator: _ => choice('->', '..', '==', '!=', '<=', '>=', '<<', '>>', /[=<>|^&+*\/%.,:;?-]/),
    comment: _ => token(seq('//', /.*/)),
  },
});
