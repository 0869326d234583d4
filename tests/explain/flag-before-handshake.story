# Between mutator's check of marking (9) and its store to remembered (13), collector cleared marking (19) and found nothing remembered (20).
protocol tests/explain/flag-before-handshake.lac
variant original

cell main sc
must between mutator's load of marking (line 9) and its store to remembered (line 13) .. collector wrote `false` to marking (line 19)
must mutator read `true` from marking (line 9) in step .. and used it in step .. (line 13), after collector had written `false` there

    late_memory is violated under sc (6 steps, 4 of them matter, 2 changes of thread, 0 delayed)

         │ mutator                                              │ collector
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │ ● 9: marking  marking is true                        │
       ⋮ │                                                      │
       3 │                                                      │ ● 20: remembered  remembered is false
       4 │                                                      │ ● 20: finished = true  finished ← true
       5 │ ● 13: remembered = true  remembered ← true           │

    property:
      `remembered and finished` (line 23) is true after step 6
        remembered is `true` and finished is `true`
        step 5, `remembered = true`: mutator wrote `true` to remembered (line 13)
    cause:
      late_memory is violated in program order: no reordering is needed, but one preemption
      between mutator's load of marking (line 9) and its store to remembered (line 13), collector wrote `false` to
        marking (line 19) and collector read `false` from remembered (line 20)
    story:
      mutator read `true` from marking (line 9) in step 1 and used it in step 5 (line 13), after collector had written
        `false` there in step 2 (line 19)
      step 5: mutator wrote `true` to remembered (line 13)
      step 4: collector wrote `true` to finished (line 20)
    heap at the start:
      marking = true
      remembered = false
      field = 0
      finished = false
    heap at the end:
      marking = false
      remembered = true
      field = 1
      finished = true
