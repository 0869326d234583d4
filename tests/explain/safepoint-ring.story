# Mutator waits at line 7 until the collection is over, which only collector says; collector waits at line 12 until mutator is at a safepoint.
protocol tests/explain/safepoint-ring.lac
variant original

cell main sc
must mutator waits at line 7, `assume over`: over is `false`
must only collector writes over (line 13)
must collector waits at line 12 to stop the world: mutator is at line 7, not at a safepoint
must mutator → collector → mutator

    deadlock is violated under sc (1 steps, 0 of them matter, 0 changes of thread, 0 delayed)

         │ mutator                                              │ collector
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────

    waiting:
      mutator waits at line 7, `assume over`: over is `false`
        only collector writes over (line 13), and is at line 12
      collector waits at line 12 to stop the world: mutator is at line 7, not at a safepoint
      each waits for the next: mutator → collector → mutator
    cause:
      deadlock is violated in program order: no reordering is needed, and no preemption
      only mutator steps
