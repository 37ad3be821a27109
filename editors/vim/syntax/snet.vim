" Models in the Sweepnet language.

if exists("b:current_syntax")
  finish
endif

syntax keyword snetDeclaration net param type fn place transition progress property
syntax keyword snetClause in out read inhibit reset let when priority delay
syntax keyword snetConditional if then else
syntax keyword snetRepeat for forall exists sum
syntax keyword snetKeyword with where max
syntax keyword snetModifier capacity derived timed cyclic of
syntax keyword snetType unit bool enum struct union array list set
syntax keyword snetOperator and or xor not mod is all
syntax keyword snetBoolean true false
syntax keyword snetSpecial it deadlock initial clock
syntax keyword snetQuestion invariant reachable impossible bound safe conservative dead fireable stable
syntax keyword snetQuestion home reversible live ctl ltl
syntax match snetQuestion "\<\(deadlock-free\|quasi-live\|some-stable\|\d\+-safe\)\>"
syntax match snetFunction "\<\(abs\|append\|enabled\|first\|front\|has\|insert\|last\|length\|min\|pred\|prepend\|remove\|rest\|size\|succ\)\ze\s*("
syntax match snetNumber "\<\d[0-9_]*"
syntax region snetName start=+"+ skip=+\\.+ end=+"+ oneline
syntax match snetComment "//.*$" contains=@Spell
syntax match snetDocumentation "///.*$" contains=@Spell

highlight default link snetDeclaration Statement
highlight default link snetClause Keyword
highlight default link snetConditional Conditional
highlight default link snetRepeat Repeat
highlight default link snetKeyword Keyword
highlight default link snetModifier StorageClass
highlight default link snetType Type
highlight default link snetOperator Operator
highlight default link snetBoolean Boolean
highlight default link snetSpecial Special
highlight default link snetQuestion Keyword
highlight default link snetFunction Function
highlight default link snetNumber Number
highlight default link snetName String
highlight default link snetComment Comment
highlight default link snetDocumentation SpecialComment

let b:current_syntax = "snet"
