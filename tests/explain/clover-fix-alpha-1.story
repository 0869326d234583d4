# Clover, alpha = 1 (section 4.3.3): alpha is seen in the original before the value is in the copy.
protocol protocols/copying/clover/clover.lac
variant fix_alpha_1

cell WR pso-no
must collector's store to to.data .. its CAS of from.data

    lost_update is violated under pso-no (12 steps, 8 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 43: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 47: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 49: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       3 │ │● 35: root = to  root ← to                          │
       ⋮ │ │                                                    │
       6 │ │                                                    │ ● 69: root  root is to
       7 │ │                                                    │ ● 62: to.data[f] = v [write]  to.data ← 1
       8 │ ╰◑ 47: to.data[f] = value [copy]  to.data ← 0, late  │
       ⋮ │                                                      │
      11 │                                                      │ ● 58: root [read_root]  root is to
      12 │                                                      │ ● 54: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 47) is performed after its CAS of from.data (line 49) and its store to root
        (line 35); in between mutator read `to` from root (line 69 of copying.lac) and mutator wrote 1 to to.data
        (line 62)
    story:
      step 12: mutator read 0 from to.data (line 54)
      step 8: collector wrote 0 to to.data (line 47)
        over the 1 that mutator had written in step 7 (line 62)
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to

cell WR rmo-no
must collector's store to to.data .. its CAS of from.data

    lost_update is violated under rmo-no (12 steps, 8 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 43: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 47: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 49: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       3 │ │● 35: root = to  root ← to                          │
       ⋮ │ │                                                    │
       6 │ │                                                    │ ● 69: root  root is to
       7 │ │                                                    │ ● 62: to.data[f] = v [write]  to.data ← 1
       8 │ ╰◑ 47: to.data[f] = value [copy]  to.data ← 0, late  │
       ⋮ │                                                      │
      11 │                                                      │ ● 58: root [read_root]  root is to
      12 │                                                      │ ● 54: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 47) is performed after its CAS of from.data (line 49) and its store to root
        (line 35); in between mutator read `to` from root (line 69 of copying.lac) and mutator wrote 1 to to.data
        (line 62)
    story:
      step 12: mutator read 0 from to.data (line 54)
      step 8: collector wrote 0 to to.data (line 47)
        over the 1 that mutator had written in step 7 (line 62)
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to

cell RW pso-no
must collector's store to to.data .. its CAS of from.data

    unwritten_value is violated under pso-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 43: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 47: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 49: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 55: from.data[f] [read]  from.data is 1
       7 │ │                                                    │ ● 56: to.data[f] [read]  to.data is 1
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 47) is overtaken by its CAS of from.data (line 49) and still waits; in
        between mutator read 1 from from.data (line 55) and mutator read 1 from to.data (line 56)
    story:
      step 7: mutator read 1 from to.data (line 56), its value from the start
        collector's store to to.data (line 47), issued in step 1, is never performed
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 1  (not reachable)
      root → from

cell RW rmo-no
must collector's store to to.data .. its CAS of from.data

    unwritten_value is violated under rmo-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 43: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 47: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 49: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 55: from.data[f] [read]  from.data is 1
       7 │ │                                                    │ ● 56: to.data[f] [read]  to.data is 1
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 47) is overtaken by its CAS of from.data (line 49) and still waits; in
        between mutator read 1 from from.data (line 55) and mutator read 1 from to.data (line 56)
    story:
      step 7: mutator read 1 from to.data (line 56), its value from the start
        collector's store to to.data (line 47), issued in step 1, is never performed
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 1  (not reachable)
      root → from
