# Worker looks at epoch (7) and mutator at ready (12) forever: each waits for what the other does next.
protocol tests/explain/epoch-poll.lac
variant original

cell main sc
must worker looks again and again at line 7: epoch is 0
must mutator looks again and again at line 12: ready is `false`
must worker → mutator → worker

    worker_goes_on is violated under sc (2 steps, 2 of them matter, 1 changes of thread, 0 delayed)

         │ worker                                               │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
       1 │ ● 7: epoch  epoch is 0                               │
       2 │                                                      │ ● 12: ready  ready is false
    ── back to step 1 ──

    property:
      `ended(worker)` (line 16) is never true
    waiting:
      worker looks again and again at line 7: epoch is 0
        only mutator writes epoch (line 13), and is at line 12
      mutator looks again and again at line 12: ready is `false`
        only worker writes ready (line 8), and is at line 7
      each waits for the next: worker → mutator → worker
    cause:
      worker_goes_on is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 1 to 2 repeat forever: worker looks at epoch (line 7) and mutator looks at ready (line 12)
    story:
      step 2: mutator read `false` from ready (line 12), its value from the start
      step 1: worker read 0 from epoch (line 7), its value from the start
