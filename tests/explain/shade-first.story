# Collector scanned r0 before mutator redirected r0.edge to a, and r1 after r1.edge was cleared: a stayed white and was freed, though r0.edge refers to it.
protocol tests/explain/shade-first.lac
variant original

cell main sc
must `o in freed implies not reachable(o)` .. for o = a is false after step
must a is in freed since step .. collector wrote `{a}` to freed
must a.colour is `White` since
must r0.edge refers to a since step .. mutator wrote `a` to r0.edge

    no_lost_object is violated under sc (42 steps, 16 of them matter, 3 changes of thread, 0 delayed)

         │ mutator                                              │ collector
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │ ● 16: o.colour.cas(White -> Grey) [shade]            │
         │     a.colour: White → Grey                           │
       ⋮ │                                                      │
       3 │                                                      │ ● 16: o.colour.cas(White -> Grey) [shade]
         │                                                      │     r1.colour: White → Grey
       ⋮ │                                                      │
       7 │                                                      │ ● 33: o.colour  r1.colour is Grey
       ⋮ │                                                      │
      10 │                                                      │ ● 37: o.colour = Black  r1.colour ← Black
      11 │                                                      │ ● 33: o.colour  a.colour is Grey
       ⋮ │                                                      │
      13 │                                                      │ ● 37: o.colour = Black  a.colour ← Black
       ⋮ │                                                      │
      19 │                                                      │ ● 42: o.colour  r1.colour is Black
      20 │                                                      │ ● 42: o.colour = White  r1.colour ← White
      21 │                                                      │ ● 42: o.colour  a.colour is Black
      22 │                                                      │ ● 42: o.colour = White  a.colour ← White
       ⋮ │                                                      │
      24 │                                                      │ ● 16: o.colour.cas(White -> Grey) [shade]
         │                                                      │     r1.colour: White → Grey
       ⋮ │                                                      │
      28 │                                                      │ ● 33: o.colour  r1.colour is Grey
      29 │ ● 21: r0.edge = a  r0.edge ← a                       │
      30 │ ● 22: r1.edge = null  r1.edge ← null                 │
       ⋮ │                                                      │
      41 │                                                      │ ● 42: o.colour  a.colour is White
      42 │                                                      │ ● 42: freed = freed with o  freed ← {a}

    property:
      `o in freed implies not reachable(o)` (line 47) for o = a is false after step 42
        freed is `{a}`, from r0 one comes to r0 and a and from r1 one comes to r1
        step 42, `freed = freed with o`: collector wrote `{a}` to freed (line 42)
    cause:
      no_lost_object is violated in program order: no reordering is needed, but 2 preemptions
      between mutator's CAS of a.colour (line 16) and its store to r0.edge (line 21), collector wrote `White` to
        a.colour (line 42) and collector read `null` from r0.edge (line 35)
      between collector's load of r1.colour (line 33) and its load of r1.edge (line 35), mutator wrote `a` to r0.edge
        (line 21) and mutator wrote `null` to r1.edge (line 22)
    story:
      step 30: mutator wrote `null` to r1.edge (line 22)
      a is in freed since step 42: collector wrote `{a}` to freed (line 42)
      a.colour is `White` since step 22: collector wrote `White` to a.colour (line 42)
      r0.edge refers to a since step 29: mutator wrote `a` to r0.edge (line 21)
    heap at the start:
      r0 [White]: colour = White, edge = null
      r1 [White]: colour = White, edge → a
      a [White]: colour = White, edge = null
      freed = {}
    heap at the end:
      r0 [White]: colour = White, edge → a
      r1 [White]: colour = White, edge = null
      a [White]: colour = White, edge = null
      freed → {a}
