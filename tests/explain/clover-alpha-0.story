# Clover, alpha = 0 (section 4.3.3): no matter of the memory model.
protocol protocols/copying/clover/clover.lac
variant alpha_0

cell WR sc
must in program order: no reordering is needed

    lost_update is violated under sc (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true

cell WR tso
must in program order: no reordering is needed

    lost_update is violated under tso (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true

cell WR pso-full
must in program order: no reordering is needed

    lost_update is violated under pso-full (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true

cell WR pso-no
must in program order: no reordering is needed

    lost_update is violated under pso-no (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true

cell WR rmo-full
must in program order: no reordering is needed

    lost_update is violated under rmo-full (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true

cell WR rmo-no
must in program order: no reordering is needed

    lost_update is violated under rmo-no (15 steps, 9 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       ⋮ │                                                      │
       8 │ ● 45: from.data[f] [copy]  from.data is 0            │
       9 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
      10 │ ● 51: from.data[f].cas(value -> ALPHA) [copy]        │
         │     from.data: 0 → 0                                 │
      11 │ ● 37: root = to  root ← to                           │
       ⋮ │                                                      │
      14 │                                                      │ ● 58: root [read_root]  root is to
      15 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed, but one preemption
      between mutator's store to to.data (line 76) and its load of root (line 58 of copying.lac), collector wrote 0 to
        to.data (line 49), collector changed from.data from 0 to 0 (line 51) and collector wrote `to` to root
        (line 37)
    story:
      step 15: mutator read 0 from to.data (line 56)
      step 9: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      phase = Copy
      root → from
      requested = false
    heap at the end:
      from: data = 0
      to: data = 0
      phase = Idle
      root → to
      requested = true
