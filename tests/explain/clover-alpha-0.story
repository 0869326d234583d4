# Clover, alpha = 0 (section 4.3.3): no matter of the memory model.
protocol protocols/copying/clover/clover.lac
variant alpha_0

cell WR sc
must in program order: no reordering is needed

    lost_update is violated under sc (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from

cell WR tso
must in program order: no reordering is needed

    lost_update is violated under tso (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from

cell WR pso-full
must in program order: no reordering is needed

    lost_update is violated under pso-full (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from

cell WR pso-no
must in program order: no reordering is needed

    lost_update is violated under pso-no (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from

cell WR rmo-full
must in program order: no reordering is needed

    lost_update is violated under rmo-full (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from

cell WR rmo-no
must in program order: no reordering is needed

    lost_update is violated under rmo-no (12 steps, 8 of them matter, 2 changes of thread, 0 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 76: to.data[f] = v [write_to_version]  to.data ← 1
       6 │ ● 45: from.data[f] [copy]  from.data is 0            │
       7 │ ● 49: to.data[f] = value [copy]  to.data ← 0         │
       ⋮ │                                                      │
      10 │                                                      │ ● 58: root [read_root]  root is from
      11 │                                                      │ ● 57: from.data[f] [read]  from.data is 0
      12 │                                                      │ ● 58: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      lost_update is violated in program order: no reordering is needed
    story:
      step 12: mutator read 0 from to.data (line 58)
      step 7: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 5 (line 76)
    heap at the start:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
    heap at the end:
      from: data = 0
      to: data = 0  (not reachable)
      root → from
