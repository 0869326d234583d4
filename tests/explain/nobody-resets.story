# The counter counts to 3 and ends; nobody is left who sets n back to 0.
protocol tests/liveness/words.lac
variant original

cell main sc
must nothing happens after step 3: every thread has ended
must only counter writes n .. and has ended

    comes_back is violated under sc (3 steps, 1 of them matter, 0 changes of thread, 0 delayed)

         │ counter
    ─────┼──────────────────────────────────────────────────────
       ⋮ │
       3 │ ● 7: n = 3  n ← 3
    ── nothing happens any more, forever ──

    property:
      `n == 0` (line 19) is false from step 1 on, forever: counter wrote 1 to n (line 5)
        at the end n is 3
    waiting:
      only counter writes n (line 5, line 6 and line 7), and has ended
    cause:
      comes_back is violated in program order: no reordering is needed, and no preemption
      only counter steps
      nothing happens after step 3: every thread has ended
    story:
      step 3: counter wrote 3 to n (line 7)
    heap at the start:
      n = 0
    heap at the end:
      n = 3
