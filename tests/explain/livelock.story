# Both raise their flag, see the other's, and lower it again, round after round: nobody goes in.
protocol tests/liveness/livelock.lac
variant original

cell main sc
must steps 1 to 6 repeat forever: polite[0] writes wants[0] .. polite[1] writes wants[1]
must wants[0] does not stay as it is: polite[0] wrote `true` to wants[0] (line 6) .. polite[0] wrote `false` to wants[0]

    someone is violated under sc (6 steps, 6 of them matter, 5 changes of thread, 0 delayed)

         │ polite[0]                                            │ polite[1]
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
       1 │ ● 6: wants[self] = true  wants[0] ← true             │
       2 │                                                      │ ● 6: wants[self] = true  wants[1] ← true
       3 │ ● 8: wants[1 - self]  wants[1] is true               │
       4 │                                                      │ ● 8: wants[1 - self]  wants[0] is true
       5 │ ● 9: wants[self] = false  wants[0] ← false           │
       6 │                                                      │ ● 9: wants[self] = false  wants[1] ← false
    ── back to step 1 ──

    property:
      `exists p in polite: at(polite[p], inside)` (line 15) is never true
    cause:
      someone is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 1 to 6 repeat forever: polite[0] writes wants[0] (line 6 and line 9) and polite[1] writes wants[1] (line 6
        and line 9)
      wants[0] does not stay as it is: polite[0] wrote `true` to wants[0] (line 6) in step 1 and polite[0] wrote
        `false` to wants[0] (line 9) in step 5, after it had read `true` from wants[1] (line 8) in step 3
      wants[1] does not stay as it is: polite[1] wrote `true` to wants[1] (line 6) in step 2 and polite[1] wrote
        `false` to wants[1] (line 9) in step 6, after it had read `true` from wants[0] (line 8) in step 4
    story:
      step 6: polite[1] wrote `false` to wants[1] (line 9)
      step 5: polite[0] wrote `false` to wants[0] (line 9)
      step 4: polite[1] read `true` from wants[0] (line 8)
      step 1: polite[0] wrote `true` to wants[0] (line 6)
      step 3: polite[0] read `true` from wants[1] (line 8)
      step 2: polite[1] wrote `true` to wants[1] (line 6)
