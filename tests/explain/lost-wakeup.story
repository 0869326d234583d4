# Worker found no work (8), then mutator added some and woke nobody (18); worker parks, and nobody is left to wake it.
protocol tests/explain/lost-wakeup.lac
variant original

cell main sc
must worker waits at line 11 .. woken is `false`
must only mutator writes woken (line 17), and has ended

    deadlock is violated under sc (4 steps, 2 of them matter, 2 changes of thread, 0 delayed)

         │ worker
    ─────┼──────────────────────────────────────────────────────
       1 │ ● 8: packets  packets is 0
       ⋮ │
       4 │ ● 10: parked = true  parked ← true
         ╎ without a step here: mutator

    waiting:
      worker waits at line 11, `assume woken`: woken is `false`
        only mutator writes woken (line 17), and has ended
    cause:
      deadlock is violated in program order: no reordering is needed, but one preemption
      between worker's load of packets (line 8) and its store to parked (line 10), mutator wrote 1 to packets
        (line 16) and mutator read `false` from parked (line 17)
    story:
      worker read 0 from packets (line 8) in step 1 and used it in step 4 (line 10), after mutator had written 1 there
        in step 2 (line 16)
      step 4: worker wrote `true` to parked (line 10)
    heap at the start:
      packets = 0
      parked = false
    heap at the end:
      packets = 1
      parked = true
