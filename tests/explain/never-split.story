# The collector's batch is larger than a transaction: it aborts by capacity each time, and nothing is ever moved.
protocol protocols/transactional/parallel/batch_copying.lac
variant never_split

cell main sc COLLECTORS=1 progress=asked
must collector's transaction aborts in step .. (line 71): capacity
must `ended(collector[c])` .. is never true

    ends is violated under sc (12 steps, 5 of them matter, 0 changes of thread, 0 delayed)

         │ collector
    ─────┼──────────────────────────────────────────────────────
    ── loop: repeats from here ──
       ⋮ │
       7 │ ◌ 71: o.is_copied [copy]
         │     a.is_copied is false, in the transaction
       8 │ ◌ 73: o.data [copy]  a.data is 0, in the transaction
       9 │ ◌ 73: replica.data = o.data [copy]
         │     a_of_0.data ← 0, in the transaction
      10 │ ◌ 74: o.forward = replica [copy]
         │     a.forward ← a_of_0, in the transaction
      11 │ ◌ 75: o.is_copied = true [copy]
         │     a.is_copied ← true, in the transaction
    ── back to step 7 ──

    property:
      `ended(collector[c])` (line 82) for c = 0 is never true
    cause:
      ends is violated in program order: no reordering is needed, and no preemption before what repeats
      steps 7 to 12 repeat forever: collector looks at a.is_copied (line 71) and a.data (line 73)
      collector's transaction aborts in step 12 (line 71): capacity
    story:
      step 8: collector read 0 from a.data (line 73), its value from the start
      step 7: collector read `false` from a.is_copied (line 71), its value from the start
    heap at the start:
      a: is_copied = false, forward = null, data = 0
      b: is_copied = false, forward = null, data = 1
      a_of_0: is_copied = false, forward = null, data = 2  (not reachable)
      b_of_0: is_copied = false, forward = null, data = 2  (not reachable)
      a_of_1: is_copied = false, forward = null, data = 2  (not reachable)
      b_of_1: is_copied = false, forward = null, data = 2  (not reachable)
      a_slot → a
      b_slot → b
    heap at the end:
      a: is_copied = false, forward = null, data = 0
      b: is_copied = false, forward = null, data = 1
      a_of_0: is_copied = false, forward = null, data = 2  (not reachable)
      b_of_0: is_copied = false, forward = null, data = 2  (not reachable)
      a_of_1: is_copied = false, forward = null, data = 2  (not reachable)
      b_of_1: is_copied = false, forward = null, data = 2  (not reachable)
      a_slot → a
      b_slot → b
