# The collector could stop the world only now and then, and a fair scheduler may pass it over while the mutator writes on and on.
protocol tests/liveness/stopped_world.lac
variant original

cell main sc
must repeat forever: mutator writes x
must collector could go on at line 8, but not after step

    collects is violated under sc (6 steps, 4 of them matter, 0 changes of thread, 0 delayed)

         │ mutator
    ─────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
       ⋮ │
       2 │ ● 13: x  x is 0
       3 │ ● 13: x = 1 - x  x ← 1
       ⋮ │
       5 │ ● 13: x  x is 1
       6 │ ● 13: x = 1 - x  x ← 0
    ── back to step 1 ──
         ╎ without a step here: collector

    property:
      `collected` (line 18) is never true
    waiting:
      collector could go on at line 8, but not after step 1: a fair scheduler may pass it over
      only collector writes collected (line 8), and is at line 8
    cause:
      collects is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 1 to 6 repeat forever: mutator writes x (line 13)
      x does not stay as it is: mutator wrote 1 to x (line 13) in step 3 and mutator wrote 0 to x (line 13) in step 6
    story:
      step 6: mutator wrote 0 to x (line 13)
      step 5: mutator read 1 from x (line 13)
      step 3: mutator wrote 1 to x (line 13)
      step 2: mutator read 0 from x (line 13), its value from the start
