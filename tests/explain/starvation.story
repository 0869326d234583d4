# Worker 1 looks at the lock only while worker 0 holds it; between two looks, worker 0 frees it and takes it again.
protocol tests/liveness/starvation.lac
variant original

cell main sc
must worker[1] looks at taken only while it is `true`: after step
must taken does not stay as it is: worker[0] changed taken from `false` to `true` .. worker[0] wrote `false` to taken

    everybody is violated under sc (4 steps, 3 of them matter, 2 changes of thread, 0 delayed)

         │ worker[0]                                            │ worker[1]
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
       1 │ ● 6: taken.cas(false -> true, acq_rel)               │
         │     taken: false → true                              │
       2 │                                                      │ ● 6: taken.cas(false -> true, acq_rel)
         │                                                      │     taken is true
       ⋮ │                                                      │
       4 │ ● 8: taken.store(false, release)  taken ← false      │
    ── back to step 1 ──

    property:
      `at(worker[w], inside)` (line 13) for w = 0 is true and false in turn in what repeats
      `at(worker[w], inside)` (line 13) for w = 1 is never true
    waiting:
      worker[1] looks again and again at line 6: taken is `true` each time
        only worker[0] writes taken (line 6 and line 8), and is at line 6
    cause:
      everybody is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 1 to 4 repeat forever: worker[0] writes taken (line 6 and line 8) and worker[1] looks at taken (line 6)
      taken does not stay as it is: worker[0] changed taken from `false` to `true` (line 6) in step 1 and worker[0]
        wrote `false` to taken (line 8) in step 4
      worker[1] looks at taken only while it is `true`: after step 4 taken is `false`, and worker[1] does not look
        then
    story:
      step 4: worker[0] wrote `false` to taken (line 8)
      step 2: worker[1] read `true` from taken (line 6)
      step 1: worker[0] changed taken from `false` to `true` (line 6)
