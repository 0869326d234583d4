# Clover, alpha = 1 (section 4.3.3). RW is the paper's story: alpha is seen in the original before the value is in the copy.
# WR reads no alpha: the mutator waits for the end of the copy phase, because it writes alpha, and the late value buries its write.
protocol protocols/copying/clover/clover.lac
variant alpha_1

cell WR pso-no
must collector's store to to.data .. is performed after its store to phase .. mutator read `Idle` from phase
must over the 1 that mutator had written

    lost_update is violated under pso-no (14 steps, 10 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 45: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       3 │ │● 37: root = to  root ← to                          │
       4 │ │● 38: phase = Idle  phase ← Idle                    │
       ⋮ │ │                                                    │
       7 │ │                                                    │ ● 69: root  root is to
       8 │ │                                                    │ ● 84: phase [wait_until_copying_ends]  phase is Idle
       9 │ │                                                    │ ● 65: to.data[f] = v [write]  to.data ← 1
      10 │ ╰◑ 49: to.data[f] = value [copy]  to.data ← 0, late  │
       ⋮ │                                                      │
      13 │                                                      │ ● 58: root [read_root]  root is to
      14 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 49) is performed after its store to phase (line 38); its CAS of from.data
        (line 51) and its store to root (line 37) overtake it too; in between mutator read `to` from root (line 69 of
        copying.lac), mutator read `Idle` from phase (line 84) and mutator wrote 1 to to.data (line 65)
    story:
      step 14: mutator read 0 from to.data (line 56)
      step 10: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 9 (line 65)
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      phase = Copy
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      phase = Idle
      root → to

cell WR rmo-no
must collector's store to to.data .. is performed after its store to phase .. mutator read `Idle` from phase
must over the 1 that mutator had written

    lost_update is violated under rmo-no (14 steps, 10 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       0 │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       1 │ │● 45: from.data[f] [copy]  from.data is 0           │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       3 │ │● 37: root = to  root ← to                          │
       4 │ │● 38: phase = Idle  phase ← Idle                    │
       ⋮ │ │                                                    │
       7 │ │                                                    │ ● 69: root  root is to
       8 │ │                                                    │ ● 84: phase [wait_until_copying_ends]  phase is Idle
       9 │ │                                                    │ ● 65: to.data[f] = v [write]  to.data ← 1
      10 │ ╰◑ 49: to.data[f] = value [copy]  to.data ← 0, late  │
       ⋮ │                                                      │
      13 │                                                      │ ● 58: root [read_root]  root is to
      14 │                                                      │ ● 56: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 76: assert lost_update: v == 1
         │                                                      │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 49) is performed after its store to phase (line 38); its CAS of from.data
        (line 51) and its store to root (line 37) overtake it too; in between mutator read `to` from root (line 69 of
        copying.lac), mutator read `Idle` from phase (line 84) and mutator wrote 1 to to.data (line 65)
    story:
      step 14: mutator read 0 from to.data (line 56)
      step 10: collector wrote 0 to to.data (line 49)
        over the 1 that mutator had written in step 9 (line 65)
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      phase = Copy
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      phase = Idle
      root → to

cell RW pso-no
must collector's store to to.data .. its CAS of from.data .. mutator read 1 from from.data

    unwritten_value is violated under pso-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 45: from.data[f] [copy]  from.data is 0           │
         │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 1
       7 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 1
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 1 from from.data (line 57) and mutator read 1 from to.data (line 58)
    story:
      step 7: mutator read 1 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 1, is never performed
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 1  (not reachable)
      root → from

cell RW rmo-no
must collector's store to to.data .. its CAS of from.data .. mutator read 1 from from.data

    unwritten_value is violated under rmo-no (7 steps, 5 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       0 │ ╭○ 49: to.data[f] = value [copy]  issued, waits      │
       1 │ │● 45: from.data[f] [copy]  from.data is 0           │
       2 │ │● 51: from.data[f].cas(value -> ALPHA) [copy]       │
         │ │    from.data: 0 → 1                                │
       ⋮ │ │                                                    │
       5 │ │                                                    │ ● 58: root [read_root]  root is from
       6 │ │                                                    │ ● 57: from.data[f] [read]  from.data is 1
       7 │ │                                                    │ ● 58: to.data[f] [read]  to.data is 1
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 49) is overtaken by its CAS of from.data (line 51) and still waits; in
        between mutator read 1 from from.data (line 57) and mutator read 1 from to.data (line 58)
    story:
      step 7: mutator read 1 from to.data (line 58), its value from the start
        collector's store to to.data (line 49), issued in step 0, is never performed
    heap at the start:
      from: data = 0
      to: data = 1  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 1  (not reachable)
      root → from
