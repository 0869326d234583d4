" Vim syntax for Lacuna's protocols.
if exists("b:current_syntax")
  finish
endif

syntax keyword lacKeyword use param flag const type enum word object heap cell abstract ghost
syntax keyword lacKeyword register require proc thread scenario variant invariant guarantee forbid
syntax keyword lacKeyword ltl cover expect transaction abort predicate work bucket releaser request
syntax keyword lacKeyword perform let if else while loop each choose or atomic directly
syntax keyword lacKeyword stop_the_world fence assert assume safepoint return break continue stop
syntax keyword lacKeyword skip and not implies exists at bool
syntax keyword lacLiteral true false null self
syntax keyword lacContextual in with by holds violated default all of without union minus always
syntax keyword lacContextual eventually until weakly_until fairly then every
syntax keyword lacOrder relaxed acquire release acq_rel seq_cst full
syntax match lacNumber "\<[0-9]\+\>"
syntax match lacType "\<[A-Z][A-Za-z0-9_]*\>"
syntax match lacLabel "@[A-Za-z_][A-Za-z0-9_]*"
syntax match lacField "\.[A-Za-z_][A-Za-z0-9_]*"
syntax match lacComment "//.*$" contains=@Spell
syntax match lacTitle "\"[^\"]*\""

highlight default link lacKeyword Keyword
highlight default link lacLiteral Boolean
highlight default link lacContextual Keyword
highlight default link lacOrder Constant
highlight default link lacNumber Number
highlight default link lacType Type
highlight default link lacLabel Label
highlight default link lacComment Comment
highlight default link lacTitle String

let b:current_syntax = "lac"
