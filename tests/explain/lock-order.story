# Mutator holds the heap lock and waits for the monitor (9); worker holds the monitor and waits for the heap lock (16).
protocol tests/explain/lock-order.lac
variant original

cell main sc
must mutator waits at line 9 .. monitor is `Worker`
must worker waits at line 16 .. heap_lock is `Mutator`
must mutator → worker → mutator

    deadlock is violated under sc (2 steps, 2 of them matter, 1 changes of thread, 0 delayed)

         │ mutator                                              │ worker
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │ ● 15: monitor = Worker  monitor ← Worker
       2 │ ● 8: heap_lock = Mutator  heap_lock ← Mutator        │

    waiting:
      mutator waits at line 9, `assume monitor == Nobody`: monitor is `Worker`
        only worker writes monitor (line 18), and is at line 16
      worker waits at line 16, `assume heap_lock == Nobody`: heap_lock is `Mutator`
        only mutator writes heap_lock (line 11), and is at line 9
      each waits for the next: mutator → worker → mutator
    cause:
      deadlock is violated in program order: no reordering is needed, but one preemption
      between worker's store to monitor (line 15) and its step at line 16, which never comes, mutator wrote `Mutator`
        to heap_lock (line 8)
    story:
      step 2: mutator wrote `Mutator` to heap_lock (line 8)
      step 1: worker wrote `Worker` to monitor (line 15)
    heap at the start:
      heap_lock = Nobody
      monitor = Nobody
    heap at the end:
      heap_lock = Mutator
      monitor = Worker
