# First holds lock 0 and wants 1, second holds 1 and wants 2, third holds 2 and wants 0: first was interrupted between its locks.
protocol tests/explain/three-locks.lac
variant original

cell main sc
must no reordering is needed, but one preemption
must each waits for the next: first → second → third → first

    deadlock is violated under sc (3 steps, 3 of them matter, 2 changes of thread, 0 delayed)

         │ first                              │ second                             │ third
    ─────┼────────────────────────────────────┼────────────────────────────────────┼────────────────────────────────────
       1 │ ● 6: lock = true [take]            │                                    │
         │     held[0] ← true                 │                                    │
       2 │                                    │                                    │ ● 6: lock = true [take]
         │                                    │                                    │     held[2] ← true
       3 │                                    │ ● 6: lock = true [take]            │
         │                                    │     held[1] ← true                 │

    waiting:
      first waits at line 6, `assume not lock`: held[1] is `true`
        only second writes held[1] (line 10), and is at line 6
      second waits at line 6, `assume not lock`: held[2] is `true`
        only third writes held[2] (line 11), and is at line 6
      third waits at line 6, `assume not lock`: held[0] is `true`
        only first writes held[0] (line 9), and is at line 6
      each waits for the next: first → second → third → first
    cause:
      deadlock is violated in program order: no reordering is needed, but one preemption
      between first's store to held[0] (line 6) and its step at line 6, which never comes, third wrote `true` to
        held[2] (line 6) and second wrote `true` to held[1] (line 6)
    story:
      step 3: second wrote `true` to held[1] (line 6)
      step 2: third wrote `true` to held[2] (line 6)
      step 1: first wrote `true` to held[0] (line 6)
    heap at the start:
      held[0] = false
      held[1] = false
      held[2] = false
    heap at the end:
      held[0] = true
      held[1] = true
      held[2] = true
