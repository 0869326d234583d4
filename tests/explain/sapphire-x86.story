# x86-Sapphire (section 4.4.2): works under SC and TSO only; the paper tells no story.
protocol protocols/copying/sapphire/sapphire_x86.lac
variant original

cell WR pso-full
must mutator's store to from.data .. is performed after its store to to.data

    lost_update is violated under pso-full (9 steps, 9 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │  ● 69: root  root is from
         │                                                      │ ╭○ 22: from.data[f] = v [write]  issued, waits
       2 │                                                      │ │● 25: to.data[f] = v [write]  to.data ← 1
       3 │ ● 26: from.data[f] [copy]  from.data is 0            │ │
       4 │ ● 27: to.data[f] = before [copy]  to.data ← 0        │ │
       5 │ ● 29: from.data[f] [copy]  from.data is 0            │ │
       6 │ ● 21: root = to  root ← to                           │ │
       7 │                                                      │ ╰◑ 22: from.data[f] = v [write]  from.data ← 1, late
       8 │                                                      │  ● 58: root [read_root]  root is to
       9 │                                                      │  ● 17: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 22 of sapphire.lac) is performed after its store to to.data (line 25 of
        sapphire.lac); in between collector read 0 from from.data (line 26) and collector read 0 from from.data
        (line 29)
    story:
      step 9: mutator read 0 from to.data (line 17 of sapphire.lac)
      step 4: collector wrote 0 to to.data (line 27)
        over the 1 that mutator had written in step 2 (line 25 of sapphire.lac)
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to

cell WR pso-no
must mutator's store to from.data .. is performed after its store to to.data

    lost_update is violated under pso-no (9 steps, 9 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │  ● 69: root  root is from
         │                                                      │ ╭○ 22: from.data[f] = v [write]  issued, waits
       2 │                                                      │ │● 25: to.data[f] = v [write]  to.data ← 1
       3 │ ● 26: from.data[f] [copy]  from.data is 0            │ │
       4 │ ● 27: to.data[f] = before [copy]  to.data ← 0        │ │
       5 │ ● 29: from.data[f] [copy]  from.data is 0            │ │
       6 │ ● 21: root = to  root ← to                           │ │
       7 │                                                      │ ╰◑ 22: from.data[f] = v [write]  from.data ← 1, late
       8 │                                                      │  ● 58: root [read_root]  root is to
       9 │                                                      │  ● 17: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 22 of sapphire.lac) is performed after its store to to.data (line 25 of
        sapphire.lac); in between collector read 0 from from.data (line 26) and collector read 0 from from.data
        (line 29)
    story:
      step 9: mutator read 0 from to.data (line 17 of sapphire.lac)
      step 4: collector wrote 0 to to.data (line 27)
        over the 1 that mutator had written in step 2 (line 25 of sapphire.lac)
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to

cell WR rmo-full
must mutator's store to from.data .. is performed after its store to to.data

    lost_update is violated under rmo-full (9 steps, 9 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │  ● 69: root  root is from
         │                                                      │ ╭○ 22: from.data[f] = v [write]  issued, waits
       2 │                                                      │ │● 25: to.data[f] = v [write]  to.data ← 1
       3 │ ● 26: from.data[f] [copy]  from.data is 0            │ │
       4 │ ● 27: to.data[f] = before [copy]  to.data ← 0        │ │
       5 │ ● 29: from.data[f] [copy]  from.data is 0            │ │
       6 │ ● 21: root = to  root ← to                           │ │
       7 │                                                      │ ╰◑ 22: from.data[f] = v [write]  from.data ← 1, late
       8 │                                                      │  ● 58: root [read_root]  root is to
       9 │                                                      │  ● 17: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 22 of sapphire.lac) is performed after its store to to.data (line 25 of
        sapphire.lac); in between collector read 0 from from.data (line 26) and collector read 0 from from.data
        (line 29)
    story:
      step 9: mutator read 0 from to.data (line 17 of sapphire.lac)
      step 4: collector wrote 0 to to.data (line 27)
        over the 1 that mutator had written in step 2 (line 25 of sapphire.lac)
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to

cell WR rmo-no
must mutator's store to from.data .. is performed after its store to to.data

    lost_update is violated under rmo-no (9 steps, 9 of them matter, 2 changes of thread, 1 delayed)

         │ collector                                            │ mutator
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │  ● 69: root  root is from
         │                                                      │ ╭○ 22: from.data[f] = v [write]  issued, waits
       2 │                                                      │ │● 25: to.data[f] = v [write]  to.data ← 1
       3 │ ● 26: from.data[f] [copy]  from.data is 0            │ │
       4 │ ● 27: to.data[f] = before [copy]  to.data ← 0        │ │
       5 │ ● 29: from.data[f] [copy]  from.data is 0            │ │
       6 │ ● 21: root = to  root ← to                           │ │
       7 │                                                      │ ╰◑ 22: from.data[f] = v [write]  from.data ← 1, late
       8 │                                                      │  ● 58: root [read_root]  root is to
       9 │                                                      │  ● 17: to.data[f] [read]  to.data is 0
         │                                                      │  ✗ 76: assert lost_update: v == 1
         │                                                      │      ✗ violates lost_update

    cause:
      mutator's store to from.data (line 22 of sapphire.lac) is performed after its store to to.data (line 25 of
        sapphire.lac); in between collector read 0 from from.data (line 26) and collector read 0 from from.data
        (line 29)
    story:
      step 9: mutator read 0 from to.data (line 17 of sapphire.lac)
      step 4: collector wrote 0 to to.data (line 27)
        over the 1 that mutator had written in step 2 (line 25 of sapphire.lac)
    heap at the start:
      from: data = 0
      to: data = 2  (not reachable)
      root → from
    heap at the end:
      from: data = 1
      to: data = 0
      root → to
