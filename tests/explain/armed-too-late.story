# The mutator looked at the barrier's flag (14) before the collector armed it, so it did not mark b (16); the collector then found no reference to b (26).
protocol tests/explain/armed-too-late.lac
variant original

cell main sc
must b is in free since step
must b.marked is `false` since the start
must mutator goes past its store to b.marked (line 16): mutator read `false` from armed (line 14)
must collector goes past its store .. (line 27): collector read `null` from a.field (line 26)

    roots_live is violated under sc (10 steps, 6 of them matter, 1 changes of thread, 0 delayed)

         │ mutator                                              │ collector
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │ ● 10: a.field  a.field is b                          │
       ⋮ │                                                      │
       3 │ ● 14: armed  armed is false                          │
       4 │ ● 18: a.field = null  a.field ← null                 │
       ⋮ │                                                      │
       7 │                                                      │ ● 26: a.field  a.field is null
       ⋮ │                                                      │
       9 │                                                      │ ● 29: n.marked  b.marked is false
      10 │                                                      │ ● 30: free = free with n  free ← {b}

    property:
      `n in mutator.roots implies not (n in free)` (line 34) for n = b is false after step 10
        mutator's roots is `{a, b}` and free is `{b}`
        step 10, `free = free with n`: collector wrote `{b}` to free (line 30)
    cause:
      roots_live is violated in program order: no reordering is needed, and no preemption
      the turns: mutator in steps 1 to 4, then collector in steps 5 to 10
      `n in mutator.roots implies not (n in free)` (line 34) is false since step 10: collector wrote `{b}` to free
        (line 30)
    story:
      step 1: mutator read `b` from a.field (line 10), its value from the start
      b is in free since step 10: collector wrote `{b}` to free (line 30)
      b.marked is `false` since the start
        mutator goes past its store to b.marked (line 16): mutator read `false` from armed (line 14) in step 3
        collector goes past its store, as there is no object to write to (line 27): collector read `null` from a.field
          (line 26) in step 7
    heap at the start:
      a [false]: marked = false, field → b
      b [false]: marked = false, field = null
      armed = false
      free = {}
    heap at the end:
      a [true]: marked = true, field = null
      b [false]: marked = false, field = null
      armed = true
      free → {b}
