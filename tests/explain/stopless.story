# Stopless (Ugawa, Abe, Maeda 2017, section 4.1.3). The paper tells three stories, each with one more fence.
# It sees `wide.forward` late until after line 25 of its Figure 4; the CAS of line 22 is enough.
# Its third story, the late 0 that buries the 1, is the cell of `buried`; in WR a shorter run reads the copy before anything is there.
protocol protocols/copying/stopless/stopless.lac
variant original

cell WR pso-no
must collector's store to to.forward .. by its store to root

    forwarded is violated under pso-no (13 steps, 11 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
       3 │  ● 33: from.data[f]  from.data is 0                  │
       4 │  ● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │      wide_data: (2, InOriginal) → (0, InWide)        │
         │ ╭○ 37: to.forward = to  issued, waits                │
       ⋮ │ │                                                    │
       6 │ │● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
       7 │ │● 48: to.data[f] = w.value [copy]  to.data ← 0      │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │● 39: from.forward = to  from.forward ← to          │
      10 │ │● 41: from.forward  from.forward is to              │
      11 │ │● 41: root = from.forward  root ← to                │
      12 │ │                                                    │ ● 69: root  root is to
      13 │ │                                                    │ ● 71: to.forward [write]  to.forward is from
         │ │                                                    │ ✗ 71: assert forwarded: to.forward == to [write]
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 37) is overtaken by its store to root (line 41) and still waits; its load
        of wide_data (line 47), its store to to.data (line 48), its CAS of wide_data (line 50), its store to
        from.forward (line 39) and its load of from.forward (line 41) overtake it too; in between mutator read `to`
        from root (line 69 of copying.lac) and mutator read `from` from to.forward (line 71)
    story:
      step 13: mutator read `from` from to.forward (line 71), its value from the start
        collector's store to to.forward (line 37), issued in step 4, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ to, data = 0
      wide: forward ⇒ to, data = 2  (not reachable)
      to: forward ⇒ from, data = 0
      wide_data = (0, InCopy)
      root → to

cell WR rmo-no
must collector's store to to.forward .. by its store to root

    forwarded is violated under rmo-no (13 steps, 11 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
         │ ╭○ 37: to.forward = to  issued, waits                │
       3 │ │● 33: from.data[f]  from.data is 0                  │
       4 │ │● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │ │    wide_data: (2, InOriginal) → (0, InWide)        │
       ⋮ │ │                                                    │
       6 │ │● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
       7 │ │● 48: to.data[f] = w.value [copy]  to.data ← 0      │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │● 39: from.forward = to  from.forward ← to          │
      10 │ │● 41: from.forward  from.forward is to              │
      11 │ │● 41: root = from.forward  root ← to                │
      12 │ │                                                    │ ● 69: root  root is to
      13 │ │                                                    │ ● 71: to.forward [write]  to.forward is from
         │ │                                                    │ ✗ 71: assert forwarded: to.forward == to [write]
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 37) is overtaken by its store to root (line 41) and still waits; its load
        of wide_data (line 47), its store to to.data (line 48), its CAS of wide_data (line 50), its store to
        from.forward (line 39) and its load of from.forward (line 41) overtake it too; in between mutator read `to`
        from root (line 69 of copying.lac) and mutator read `from` from to.forward (line 71)
    story:
      step 13: mutator read `from` from to.forward (line 71), its value from the start
        collector's store to to.forward (line 37), issued in step 2, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ to, data = 0
      wide: forward ⇒ to, data = 2  (not reachable)
      to: forward ⇒ from, data = 0
      wide_data = (0, InCopy)
      root → to

cell RW pso-no
must collector's store to to.data .. CAS of wide_data

    unwritten_value is violated under pso-no (13 steps, 10 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 30: from.forward.cas(from -> wide)                │
         │      from.forward: from → wide                       │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
       3 │  ● 33: from.data[f]  from.data is 0                  │
       4 │  ● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │      wide_data: (2, InOriginal) → (0, InWide)        │
       ⋮ │                                                      │
       7 │  ● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
         │ ╭○ 48: to.data[f] = w.value [copy]  issued, waits    │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │                                                    │ ● 58: root [read_root]  root is from
      10 │ │                                                    │ ● 59: from.forward [read]  from.forward is wide
      11 │ │                                                    │ ● 62: wide_data[f] [read]  wide_data is (0, InCopy)
       ⋮ │ │                                                    │
      13 │ │                                                    │ ● 66: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 48) is overtaken by its CAS of wide_data (line 50) and still waits; in
        between mutator read `(0, InCopy)` from wide_data (line 62) and mutator read 2 from to.data (line 66)
    story:
      step 13: mutator read 2 from to.data (line 66), its value from the start
        collector's store to to.data (line 48), issued in step 7, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ wide, data = 0
      wide: forward ⇒ to, data = 2
      to: forward ⇒ to, data = 2
      wide_data = (0, InCopy)
      root → from

cell RW rmo-no
must collector's store to to.data .. CAS of wide_data

    unwritten_value is violated under rmo-no (13 steps, 10 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 30: from.forward.cas(from -> wide)                │
         │      from.forward: from → wide                       │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
       3 │  ● 33: from.data[f]  from.data is 0                  │
       4 │  ● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │      wide_data: (2, InOriginal) → (0, InWide)        │
         │ ╭○ 48: to.data[f] = w.value [copy]  issued, waits    │
       ⋮ │ │                                                    │
       7 │ │● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │                                                    │ ● 58: root [read_root]  root is from
      10 │ │                                                    │ ● 59: from.forward [read]  from.forward is wide
      11 │ │                                                    │ ● 62: wide_data[f] [read]  wide_data is (0, InCopy)
       ⋮ │ │                                                    │
      13 │ │                                                    │ ● 66: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 104: assert unwritten_value: v == INITIAL [check_…
         │ │                                                    │     ✗ violates unwritten_value

    cause:
      collector's store to to.data (line 48) is overtaken by its CAS of wide_data (line 50) and still waits; in
        between mutator read `(0, InCopy)` from wide_data (line 62) and mutator read 2 from to.data (line 66)
    story:
      step 13: mutator read 2 from to.data (line 66), its value from the start
        collector's store to to.data (line 48), issued in step 4, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ wide, data = 0
      wide: forward ⇒ to, data = 2
      to: forward ⇒ to, data = 2
      wide_data = (0, InCopy)
      root → from

cell WR pso-no flip_fence=full
must collector's store to wide.forward .. CAS of wide_data

    forwarded is violated under pso-no (13 steps, 12 of them matter, 1 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 30: from.forward.cas(from -> wide)                │
         │      from.forward: from → wide                       │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
       3 │  ● 33: from.data[f]  from.data is 0                  │
       4 │  ● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │      wide_data: (2, InOriginal) → (0, InWide)        │
         │ ╭○ 35: wide.forward = to  issued, waits              │
       5 │ │● 37: to.forward = to  to.forward ← to              │
       6 │ │● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
       7 │ │● 48: to.data[f] = w.value [copy]  to.data ← 0      │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │                                                    │ ● 69: root  root is from
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 75: from.forward [write]  from.forward is wide
      12 │ │                                                    │ ● 86: wide_data[f] [write_wide]
         │ │                                                    │     wide_data is (0, InCopy)
      13 │ │                                                    │ ● 88: wide.forward [write_wide]
         │ │                                                    │     wide.forward is from
         │ │                                                    │ ✗ 88: assert forwarded: wide.forward == to [write_w…
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to wide.forward (line 35) is overtaken by its CAS of wide_data (line 50) and still waits; its
        store to to.forward (line 37), its load of wide_data (line 47) and its store to to.data (line 48) overtake it
        too; in between mutator read `(0, InCopy)` from wide_data (line 86) and mutator read `from` from wide.forward
        (line 88)
    story:
      step 13: mutator read `from` from wide.forward (line 88), its value from the start
        collector's store to wide.forward (line 35), issued in step 4, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ wide, data = 0
      wide: forward ⇒ from, data = 2
      to: forward ⇒ to, data = 0  (not reachable)
      wide_data = (0, InCopy)
      root → from

cell WR pso-no flip_fence=full forward_fence=full
must collector's store to to.data .. CAS of wide_data

    lost_update is violated under pso-no (18 steps, 11 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │ ● 69: root  root is from
       2 │                                                      │ ● 74: from.forward.cas(from -> wide) [write]
         │                                                      │     from.forward: from → wide
       3 │                                                      │ ● 75: from.forward [write]  from.forward is wide
       4 │                                                      │ ● 86: wide_data[f] [write_wide]
         │                                                      │     wide_data is (2, InOriginal)
       5 │                                                      │ ● 92: wide_data[f].cas(w -> WideField(v, InWide)) […
         │                                                      │     wide_data: (2, InOriginal) → (1, InWide)
       ⋮ │                                                      │
      12 │  ● 47: wide_data[f] [copy]  wide_data is (1, InWide) │
         │ ╭○ 48: to.data[f] = w.value [copy]  issued, waits    │
      13 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (1, InWide) → (1, InCopy)            │
      14 │ │                                                    │ ● 58: root [read_root]  root is from
      15 │ │                                                    │ ● 59: from.forward [read]  from.forward is wide
      16 │ │                                                    │ ● 62: wide_data[f] [read]  wide_data is (1, InCopy)
       ⋮ │ │                                                    │
      18 │ │                                                    │ ● 66: to.data[f] [read]  to.data is 2
         │ │                                                    │ ✗ 76: assert lost_update: v == 1
         │ │                                                    │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 48) is overtaken by its CAS of wide_data (line 50) and still waits; in
        between mutator read `(1, InCopy)` from wide_data (line 62) and mutator read 2 from to.data (line 66)
    story:
      step 18: mutator read 2 from to.data (line 66), its value from the start
        collector's store to to.data (line 48), issued in step 12, is never performed
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ wide, data = 0
      wide: forward ⇒ to, data = 2
      to: forward ⇒ to, data = 2
      wide_data = (1, InCopy)
      root → from

cell buried pso-no flip_fence=full forward_fence=full
must collector's store to to.data .. is performed after its CAS of wide_data .. mutator wrote 1 to to.data
must over the 1 that mutator had written

    lost_update is violated under pso-no (19 steps, 15 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 30: from.forward.cas(from -> wide)                │
         │      from.forward: from → wide                       │
       2 │  ● 32: wide_data[f]  wide_data is (2, InOriginal)    │
       3 │  ● 33: from.data[f]  from.data is 0                  │
       4 │  ● 33: wide_data[f].cas(WideField(w.value, InOrigin… │
         │      wide_data: (2, InOriginal) → (0, InWide)        │
       ⋮ │                                                      │
       7 │  ● 47: wide_data[f] [copy]  wide_data is (0, InWide) │
         │ ╭○ 48: to.data[f] = w.value [copy]  issued, waits    │
       8 │ │● 50: wide_data[f].cas(w -> WideField(w.value, InC… │
         │ │    wide_data: (0, InWide) → (0, InCopy)            │
       9 │ │                                                    │ ● 103: root  root is from
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 75: from.forward [write]  from.forward is wide
      12 │ │                                                    │ ● 86: wide_data[f] [write_wide]
         │ │                                                    │     wide_data is (0, InCopy)
       ⋮ │ │                                                    │
      14 │ │                                                    │ ● 89: to.data[f] = v [write_wide]  to.data ← 1
      15 │ ╰◑ 48: to.data[f] = w.value [copy]                   │
         │      to.data ← 0, late                               │
      16 │  ● 39: from.forward = to  from.forward ← to          │
      17 │                                                      │ ● 58: root [read_root]  root is from
      18 │                                                      │ ● 59: from.forward [read]  from.forward is to
      19 │                                                      │ ● 61: to.data[f] [read]  to.data is 0
         │                                                      │ ✗ 106: assert lost_update: v != INITIAL
         │                                                      │     ✗ violates lost_update

    cause:
      collector's store to to.data (line 48) is performed after its CAS of wide_data (line 50); in between mutator
        read `(0, InCopy)` from wide_data (line 86) and mutator wrote 1 to to.data (line 89)
    story:
      step 19: mutator read 0 from to.data (line 61)
      step 15: collector wrote 0 to to.data (line 48)
        over the 1 that mutator had written in step 14 (line 89)
    heap at the start:
      from: forward ⇒ from, data = 0
      wide: forward ⇒ from, data = 2  (not reachable)
      to: forward ⇒ from, data = 2  (not reachable)
      wide_data = (2, InOriginal)
      root → from
    heap at the end:
      from: forward ⇒ to, data = 0
      wide: forward ⇒ to, data = 2  (not reachable)
      to: forward ⇒ to, data = 0
      wide_data = (0, InCopy)
      root → from
