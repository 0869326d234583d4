# The reader looks only once the writer has written both values and ended: it sees the second forever, and never the first.
protocol tests/liveness/register.lac
variant original

cell main sc
must steps .. repeat forever: reader looks at x
must reader looks again and again at line 13: x is 2
must only writer writes x .. and has ended

    sees_the_first is violated under sc (6 steps, 3 of them matter, 1 changes of thread, 0 delayed)

         │ writer                                               │ reader
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       2 │ ● 7: x = 2  x ← 2                                    │
    ── loop: repeats from here ──
       ⋮ │                                                      │
       5 │                                                      │ ● 13: x  x is 2
       6 │                                                      │ · 14: atomic { r = latest }
    ── back to step 5 ──

    property:
      `reader.r == 1` (line 20) is never true
    waiting:
      reader looks again and again at line 13: x is 2
        only writer writes x (line 6 and line 7), and has ended
    cause:
      sees_the_first is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 5 to 6 repeat forever: reader looks at x (line 13)
    story:
      step 5: reader read 2 from x (line 13)
      step 2: writer wrote 2 to x (line 7)
    heap at the start:
      x = 0
    heap at the end:
      x = 2
