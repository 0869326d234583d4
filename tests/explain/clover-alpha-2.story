# Clover, alpha = 2 (section 4.3.3): alpha is seen in the original before the value is in the copy.
protocol protocols/copying/clover/clover.lac
variant alpha_2

cell WR pso-no
must collector's store to to.data .. its CAS of from.data

    lost_update is violated under pso-no (12 steps, 8 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │ ● 69: root  root is from
       4 │                                                      │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │                                                      │ ● 79: o.data[f].cas(old -> v) [write_to_version]
         │                                                      │     from.data: 0 → 1
       6 │  ● 45: from.data[f] [copy]  from.data is 1           │
         │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       7 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 1 → 2                                │
       ⋮ │ │                                                    │
      10 │ │                                                    │ ● 58: root [read_root]  root is from
      11 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 2
      12 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 76: assert lost_update: v == 1
         │ │                                                    │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 2 from from.data (line 57) and mutator read 2 from to.data (line 58)
    story:
      step 12: mutator read 2 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 6, is never performed
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 2
      to: data = 2  (not reachable)
      root → from

cell WR rmo-no
must collector's store to to.data .. its CAS of from.data

    lost_update is violated under rmo-no (12 steps, 8 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       0 │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       ⋮ │ │                                                    │
       3 │ │                                                    │ ● 69: root  root is from
       4 │ │                                                    │ ● 74: o.data[f] [write_to_version]  from.data is 0
       5 │ │                                                    │ ● 79: o.data[f].cas(old -> v) [write_to_version]
         │ │                                                    │     from.data: 0 → 1
       6 │ │● 45: from.data[f] [copy]  from.data is 1           │
       7 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 1 → 2                                │
       ⋮ │ │                                                    │
      10 │ │                                                    │ ● 58: root [read_root]  root is from
      11 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 2
      12 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 76: assert lost_update: v == 1
         │ │                                                    │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 2 from from.data (line 57) and mutator read 2 from to.data (line 58)
    story:
      step 12: mutator read 2 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 0, is never performed
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 2
      to: data = 2  (not reachable)
      root → from

cell RW pso-no
must collector's store to to.data .. its CAS of from.data

    unwritten_value is violated under pso-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 45: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 2                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 2
       7 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 2 from from.data (line 57) and mutator read 2 from to.data (line 58)
    story:
      step 7: mutator read 2 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 1, is never performed
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 2
      to: data = 2  (not reachable)
      root → from

cell RW rmo-no
must collector's store to to.data .. its CAS of from.data

    unwritten_value is violated under rmo-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       0 │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       1 │ │● 45: from.data[f] [copy]  from.data is 0           │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 2                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 2
       7 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 2 from from.data (line 57) and mutator read 2 from to.data (line 58)
    story:
      step 7: mutator read 2 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 0, is never performed
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 2
      to: data = 2  (not reachable)
      root → from
