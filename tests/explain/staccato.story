# Staccato (section 4.2.3): the seven steps. The mutator's write is late, after its answer to the handshake.
protocol protocols/copying/staccato/staccato.lac
variant original

cell WR pso-full
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under pso-full (21 steps, 18 of them matter, 6 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       4 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (from, false)
         │                                                      │ ╭○ 70: from.data[f] = v [write]  issued, waits
       5 │ ● 32: from.forward.cas(Forward(from, false) -> Forw… │ │
         │     from.forward: (from, false) → (from, true)       │ │
       6 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
       7 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       8 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
       9 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      10 │ ● 38: from.data[f]  from.data is 0                   │ │
      11 │ ● 38: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      13 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
      14 │                                                      │ ╰◑ 70: from.data[f] = v [write]  from.data ← 1, late
      15 │                                                      │  ● 20: requested[self] [answer_handshake]
         │                                                      │      requested is true
      16 │                                                      │  ● 22: requested[self] = false [answer_handshake]
         │                                                      │      requested ← false
      17 │ ● 14: requested[m] [soft_handshake]                  │
         │     requested is false                               │
      18 │ ● 42: from.forward.cas(Forward(from, true) -> Forwa… │
         │     from.forward: (from, true) → (to, false)         │
      19 │                                                      │  ● 58: root [read_root]  root is from
      20 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (to, false)
      21 │                                                      │  ● 62: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 70) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 38)
    story:
      step 21: mutator read 0 from to.data (line 62)
      step 11: collector wrote 0 to to.data (line 38)
      step 10: collector read 0 from from.data (line 38), its value from the start
        mutator's store to from.data (line 70), issued in step 4, is performed only in step 14
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from

cell WR pso-no
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under pso-no (21 steps, 18 of them matter, 6 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       4 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (from, false)
         │                                                      │ ╭○ 70: from.data[f] = v [write]  issued, waits
       5 │ ● 32: from.forward.cas(Forward(from, false) -> Forw… │ │
         │     from.forward: (from, false) → (from, true)       │ │
       6 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
       7 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       8 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
       9 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      10 │ ● 38: from.data[f]  from.data is 0                   │ │
      11 │ ● 38: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      13 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
      14 │                                                      │ ╰◑ 70: from.data[f] = v [write]  from.data ← 1, late
      15 │                                                      │  ● 20: requested[self] [answer_handshake]
         │                                                      │      requested is true
      16 │                                                      │  ● 22: requested[self] = false [answer_handshake]
         │                                                      │      requested ← false
      17 │ ● 14: requested[m] [soft_handshake]                  │
         │     requested is false                               │
      18 │ ● 42: from.forward.cas(Forward(from, true) -> Forwa… │
         │     from.forward: (from, true) → (to, false)         │
      19 │                                                      │  ● 58: root [read_root]  root is from
      20 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (to, false)
      21 │                                                      │  ● 62: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 70) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 38)
    story:
      step 21: mutator read 0 from to.data (line 62)
      step 11: collector wrote 0 to to.data (line 38)
      step 10: collector read 0 from from.data (line 38), its value from the start
        mutator's store to from.data (line 70), issued in step 4, is performed only in step 14
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from

cell WR rmo-full
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under rmo-full (21 steps, 18 of them matter, 6 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       4 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (from, false)
         │                                                      │ ╭○ 70: from.data[f] = v [write]  issued, waits
       5 │ ● 32: from.forward.cas(Forward(from, false) -> Forw… │ │
         │     from.forward: (from, false) → (from, true)       │ │
       6 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
       7 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       8 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
       9 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      10 │ ● 38: from.data[f]  from.data is 0                   │ │
      11 │ ● 38: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      13 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
      14 │                                                      │ ╰◑ 70: from.data[f] = v [write]  from.data ← 1, late
      15 │                                                      │  ● 20: requested[self] [answer_handshake]
         │                                                      │      requested is true
      16 │                                                      │  ● 22: requested[self] = false [answer_handshake]
         │                                                      │      requested ← false
      17 │ ● 14: requested[m] [soft_handshake]                  │
         │     requested is false                               │
      18 │ ● 42: from.forward.cas(Forward(from, true) -> Forwa… │
         │     from.forward: (from, true) → (to, false)         │
      19 │                                                      │  ● 58: root [read_root]  root is from
      20 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (to, false)
      21 │                                                      │  ● 62: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 70) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 38)
    story:
      step 21: mutator read 0 from to.data (line 62)
      step 11: collector wrote 0 to to.data (line 38)
      step 10: collector read 0 from from.data (line 38), its value from the start
        mutator's store to from.data (line 70), issued in step 4, is performed only in step 14
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from

cell WR rmo-no
must mutator's store to from.data .. is performed after its store to requested .. collector read 0 from from.data

    lost_update is violated under rmo-no (21 steps, 18 of them matter, 6 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       ⋮ │                                                      │
       3 │                                                      │  ● 69: root  root is from
       4 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (from, false)
         │                                                      │ ╭○ 70: from.data[f] = v [write]  issued, waits
       5 │ ● 32: from.forward.cas(Forward(from, false) -> Forw… │ │
         │     from.forward: (from, false) → (from, true)       │ │
       6 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
       7 │                                                      │ │● 20: requested[self] [answer_handshake]
         │                                                      │ │    requested is true
       8 │                                                      │ │● 22: requested[self] = false [answer_handshake]
         │                                                      │ │    requested ← false
       9 │ ● 14: requested[m] [soft_handshake]                  │ │
         │     requested is false                               │ │
      10 │ ● 38: from.data[f]  from.data is 0                   │ │
      11 │ ● 38: to.data[f] = from.data[f]  to.data ← 0         │ │
       ⋮ │                                                      │ │
      13 │ ● 12: requested[m] = true [soft_handshake]           │ │
         │     requested ← true                                 │ │
      14 │                                                      │ ╰◑ 70: from.data[f] = v [write]  from.data ← 1, late
      15 │                                                      │  ● 20: requested[self] [answer_handshake]
         │                                                      │      requested is true
      16 │                                                      │  ● 22: requested[self] = false [answer_handshake]
         │                                                      │      requested ← false
      17 │ ● 14: requested[m] [soft_handshake]                  │
         │     requested is false                               │
      18 │ ● 42: from.forward.cas(Forward(from, true) -> Forwa… │
         │     from.forward: (from, true) → (to, false)         │
      19 │                                                      │  ● 58: root [read_root]  root is from
      20 │                                                      │  ● 49: from.forward [access]
         │                                                      │      from.forward is (to, false)
      21 │                                                      │  ● 62: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 70) is performed after its store to requested (line 22 of handshake.lac); its
        load of requested (line 20 of handshake.lac) overtakes it too; in between collector read `false` from
        requested (line 14 of handshake.lac) and collector read 0 from from.data (line 38)
    story:
      step 21: mutator read 0 from to.data (line 62)
      step 11: collector wrote 0 to to.data (line 38)
      step 10: collector read 0 from from.data (line 38), its value from the start
        mutator's store to from.data (line 70), issued in step 4, is performed only in step 14
    heap at the start:
      from: forward ⇒ (from, false), data = 0
      to: forward ⇒ (from, false), data = 2  (not reachable)
      root → from
    heap at the end:
      from: forward ⇒ (to, false), data = 1
      to: forward ⇒ (to, false), data = 0
      root → from
