# The thread goes round in a loop of its own and never comes to the store.
protocol tests/liveness/round_for_ever.lac
variant original

cell main sc
must goes round at line

    ends is violated under sc (1 steps, 0 of them matter, 0 changes of thread, 0 delayed)

         │ t
    ─────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
    ── back to step 1 ──
         ╎ t goes round forever and touches nothing shared

    property:
      `x == 1` (line 11) is never true
    waiting:
      only t writes x (line 8), and is at line 6
    cause:
      ends is violated in program order: no reordering is needed, and no preemption before what repeats
      step 1 repeats forever: t goes round at line 6 and touches nothing shared
