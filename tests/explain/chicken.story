# Chicken (section 4.2.3): the copy's forwarding pointer is late; and with it in order, the order of stores is missed.
protocol protocols/copying/chicken/chicken.lac
variant original

cell WR pso-full
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under pso-full (19 steps, 14 of them matter, 4 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       ⋮ │                                                      │
       5 │ ● 23: from.forward = Forward(from, true)             │
         │     from.forward ← (from, true)                      │
       6 │ ● 12: requested[m] = true [soft_handshake]           │
         │     requested ← true                                 │
       7 │                                                      │  ● 52: from.forward [write]
         │                                                      │      from.forward is (from, true)
         │                                                      │ ╭○ 53: from.data[f] = v [write]  issued, waits
       8 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       9 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
      10 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      11 │ ● 25: from.data[f]  from.data is 0                   │ │
      12 │ ● 25: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      14 │ ● 28: from.forward.cas(Forward(from, true) -> Forwa… │ │
         │     from.forward: (from, true) → (to, false)         │ │
      15 │                                                      │ ╰◑ 53: from.data[f] = v [write]  from.data ← 1, late
       ⋮ │                                                      │
      17 │                                                      │  ● 58: root [read_root]  root is from
      18 │                                                      │  ● 38: from.forward [read]
         │                                                      │      from.forward is (to, false)
      19 │                                                      │  ● 40: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 53) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 25)
    story:
      step 19: mutator read 0 from to.data (line 40)
      step 12: collector wrote 0 to to.data (line 25)
      step 11: collector read 0 from from.data (line 25), its value from the start
        mutator's store to from.data (line 53), issued in step 7, is performed only in step 15
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from

cell WR pso-no
must collector's store to to.forward .. overtaken by its CAS of from.forward

    forwarded is violated under pso-no (12 steps, 10 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 23: from.forward = Forward(from, true)            │
         │      from.forward ← (from, true)                     │
       2 │  ● 12: requested[m] = true [soft_handshake]          │
         │      requested ← true                                │
       3 │                                                      │ ● 20: requested[self] [answer_handshake]
         │                                                      │     requested is true
       4 │                                                      │ ● 22: requested[self] = false [answer_handshake]
         │                                                      │     requested ← false
       5 │  ● 14: requested[m] [soft_handshake]                 │
         │      requested is false                              │
       6 │  ● 25: from.data[f]  from.data is 0                  │
         │ ╭○ 26: to.forward = Forward(to, false)               │
         │ │    issued, waits                                   │
       ⋮ │ │                                                    │
       8 │ │● 28: from.forward.cas(Forward(from, true) -> Forw… │
         │ │    from.forward: (from, true) → (to, false)        │
       9 │ │● 29: root = to  root ← to                          │
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 69: root  root is to
      12 │ │                                                    │ ● 59: to.forward [check_forwarded]
         │ │                                                    │     to.forward is (from, false)
         │ │                                                    │ ✗ 60: assert forwarded: forward.target == to [check…
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 26) is overtaken by its CAS of from.forward (line 28) and its store to
        root (line 29) and still waits; in between mutator read `to` from root (line 69 of copying.lac) and mutator
        read `(from, false)` from to.forward (line 59)
    story:
      step 12: mutator read `(from, false)` from to.forward (line 59), its value from the start
        collector's store to to.forward (line 26), issued in step 6, is never performed
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 0
      to: forward ⇒ (from, false), data = 0
      root → to

cell WR rmo-full
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under rmo-full (19 steps, 14 of them matter, 4 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       ⋮ │                                                      │
       5 │ ● 23: from.forward = Forward(from, true)             │
         │     from.forward ← (from, true)                      │
       6 │ ● 12: requested[m] = true [soft_handshake]           │
         │     requested ← true                                 │
       7 │                                                      │  ● 52: from.forward [write]
         │                                                      │      from.forward is (from, true)
         │                                                      │ ╭○ 53: from.data[f] = v [write]  issued, waits
       8 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       9 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
      10 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      11 │ ● 25: from.data[f]  from.data is 0                   │ │
      12 │ ● 25: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      14 │ ● 28: from.forward.cas(Forward(from, true) -> Forwa… │ │
         │     from.forward: (from, true) → (to, false)         │ │
      15 │                                                      │ ╰◑ 53: from.data[f] = v [write]  from.data ← 1, late
       ⋮ │                                                      │
      17 │                                                      │  ● 58: root [read_root]  root is from
      18 │                                                      │  ● 38: from.forward [read]
         │                                                      │      from.forward is (to, false)
      19 │                                                      │  ● 40: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 53) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 25)
    story:
      step 19: mutator read 0 from to.data (line 40)
      step 12: collector wrote 0 to to.data (line 25)
      step 11: collector read 0 from from.data (line 25), its value from the start
        mutator's store to from.data (line 53), issued in step 7, is performed only in step 15
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from

cell WR rmo-no
must collector's store to to.forward .. overtaken by its CAS of from.forward

    forwarded is violated under rmo-no (12 steps, 9 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 23: from.forward = Forward(from, true)            │
         │      from.forward ← (from, true)                     │
       2 │  ● 12: requested[m] = true [soft_handshake]          │
         │      requested ← true                                │
       3 │                                                      │ ● 20: requested[self] [answer_handshake]
         │                                                      │     requested is true
       4 │                                                      │ ● 22: requested[self] = false [answer_handshake]
         │                                                      │     requested ← false
       5 │  ● 14: requested[m] [soft_handshake]                 │
         │      requested is false                              │
         │ ╭○ 26: to.forward = Forward(to, false)               │
         │ │    issued, waits                                   │
       ⋮ │ │                                                    │
       8 │ │● 28: from.forward.cas(Forward(from, true) -> Forw… │
         │ │    from.forward: (from, true) → (to, false)        │
       9 │ │● 29: root = to  root ← to                          │
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 69: root  root is to
      12 │ │                                                    │ ● 59: to.forward [check_forwarded]
         │ │                                                    │     to.forward is (from, false)
         │ │                                                    │ ✗ 60: assert forwarded: forward.target == to [check…
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 26) is overtaken by its CAS of from.forward (line 28) and its store to
        root (line 29) and still waits; in between mutator read `to` from root (line 69 of copying.lac) and mutator
        read `(from, false)` from to.forward (line 59)
    story:
      step 12: mutator read `(from, false)` from to.forward (line 59), its value from the start
        collector's store to to.forward (line 26), issued in step 5, is never performed
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 0
      to: forward ⇒ (from, false), data = 0
      root → to

cell RW pso-no
must collector's store to to.forward .. overtaken by its CAS of from.forward

    forwarded is violated under pso-no (12 steps, 10 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 23: from.forward = Forward(from, true)            │
         │      from.forward ← (from, true)                     │
       2 │  ● 12: requested[m] = true [soft_handshake]          │
         │      requested ← true                                │
       3 │                                                      │ ● 20: requested[self] [answer_handshake]
         │                                                      │     requested is true
       4 │                                                      │ ● 22: requested[self] = false [answer_handshake]
         │                                                      │     requested ← false
       5 │  ● 14: requested[m] [soft_handshake]                 │
         │      requested is false                              │
       6 │  ● 25: from.data[f]  from.data is 0                  │
         │ ╭○ 26: to.forward = Forward(to, false)               │
         │ │    issued, waits                                   │
       ⋮ │ │                                                    │
       8 │ │● 28: from.forward.cas(Forward(from, true) -> Forw… │
         │ │    from.forward: (from, true) → (to, false)        │
       9 │ │● 29: root = to  root ← to                          │
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 58: root [read_root]  root is to
      12 │ │                                                    │ ● 59: to.forward [check_forwarded]
         │ │                                                    │     to.forward is (from, false)
         │ │                                                    │ ✗ 60: assert forwarded: forward.target == to [check…
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 26) is overtaken by its CAS of from.forward (line 28) and its store to
        root (line 29) and still waits; in between mutator read `to` from root (line 58 of copying.lac) and mutator
        read `(from, false)` from to.forward (line 59)
    story:
      step 12: mutator read `(from, false)` from to.forward (line 59), its value from the start
        collector's store to to.forward (line 26), issued in step 6, is never performed
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 0
      to: forward ⇒ (from, false), data = 0
      root → to

cell RW rmo-no
must collector's store to to.forward .. overtaken by its CAS of from.forward

    forwarded is violated under rmo-no (12 steps, 9 of them matter, 3 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │  ● 23: from.forward = Forward(from, true)            │
         │      from.forward ← (from, true)                     │
       2 │  ● 12: requested[m] = true [soft_handshake]          │
         │      requested ← true                                │
       3 │                                                      │ ● 20: requested[self] [answer_handshake]
         │                                                      │     requested is true
       4 │                                                      │ ● 22: requested[self] = false [answer_handshake]
         │                                                      │     requested ← false
       5 │  ● 14: requested[m] [soft_handshake]                 │
         │      requested is false                              │
         │ ╭○ 26: to.forward = Forward(to, false)               │
         │ │    issued, waits                                   │
       ⋮ │ │                                                    │
       8 │ │● 28: from.forward.cas(Forward(from, true) -> Forw… │
         │ │    from.forward: (from, true) → (to, false)        │
       9 │ │● 29: root = to  root ← to                          │
       ⋮ │ │                                                    │
      11 │ │                                                    │ ● 58: root [read_root]  root is to
      12 │ │                                                    │ ● 59: to.forward [check_forwarded]
         │ │                                                    │     to.forward is (from, false)
         │ │                                                    │ ✗ 60: assert forwarded: forward.target == to [check…
         │ │                                                    │     ✗ violates forwarded

    cause:
      collector's store to to.forward (line 26) is overtaken by its CAS of from.forward (line 28) and its store to
        root (line 29) and still waits; in between mutator read `to` from root (line 58 of copying.lac) and mutator
        read `(from, false)` from to.forward (line 59)
    story:
      step 12: mutator read `(from, false)` from to.forward (line 59), its value from the start
        collector's store to to.forward (line 26), issued in step 5, is never performed
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 0
      to: forward ⇒ (from, false), data = 0
      root → to

cell WR pso-no forward_fence=full
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under pso-no (19 steps, 14 of them matter, 4 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       ⋮ │                                                      │
       5 │ ● 23: from.forward = Forward(from, true)             │
         │     from.forward ← (from, true)                      │
       6 │ ● 12: requested[m] = true [soft_handshake]           │
         │     requested ← true                                 │
       7 │                                                      │  ● 52: from.forward [write]
         │                                                      │      from.forward is (from, true)
         │                                                      │ ╭○ 53: from.data[f] = v [write]  issued, waits
       8 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       9 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
      10 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      11 │ ● 25: from.data[f]  from.data is 0                   │ │
      12 │ ● 25: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      14 │ ● 28: from.forward.cas(Forward(from, true) -> Forwa… │ │
         │     from.forward: (from, true) → (to, false)         │ │
      15 │                                                      │ ╰◑ 53: from.data[f] = v [write]  from.data ← 1, late
       ⋮ │                                                      │
      17 │                                                      │  ● 58: root [read_root]  root is from
      18 │                                                      │  ● 38: from.forward [read]
         │                                                      │      from.forward is (to, false)
      19 │                                                      │  ● 40: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 53) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 25)
    story:
      step 19: mutator read 0 from to.data (line 40)
      step 12: collector wrote 0 to to.data (line 25)
      step 11: collector read 0 from from.data (line 25), its value from the start
        mutator's store to from.data (line 53), issued in step 7, is performed only in step 15
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from
