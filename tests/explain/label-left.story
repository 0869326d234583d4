# The thread passes the label and ends: in the end it is not there.
protocol tests/liveness/label_passed.lac
variant original

cell main sc
must nothing happens after step .. every thread has ended
must t is past line 8 and has ended

    stays is violated under sc (6 steps, 1 of them matter, 1 changes of thread, 0 delayed)

         │ t
    ─────┼──────────────────────────────────────────────────────
       ⋮ │
       5 │ ● 10: @after y = 1  y ← 1
    ── nothing happens any more, forever ──
         ╎ without a step here: u

    property:
      `at(t, between)` (line 19) is false from step 3 on, forever: t stepped on from line 8
        at the end t is not at line 8
    waiting:
      t is past line 8 and has ended
    cause:
      stays is violated in program order: no reordering is needed, and no preemption
      the turns: t in steps 1 to 5, then u in step 6
      nothing happens after step 6: every thread has ended
    story:
      step 5: t wrote 1 to y (line 10)
    heap at the start:
      x = 0
      y = 0
    heap at the end:
      x = 1
      y = 1
