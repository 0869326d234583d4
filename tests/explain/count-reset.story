# Collector read 0 (11), then mutator stored 1 (7), and collector stored 0 over it (12).
protocol tests/explain/count-reset.lac
variant original

cell main sc
must between collector's .. and its store to live (line 12) .. mutator wrote 1 to live (line 7)
must over the 1 that mutator had written in step

    bytes_lost is violated under sc (5 steps, 5 of them matter, 2 changes of thread, 0 delayed)

         │ mutator                                              │ collector
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       1 │                                                      │ ● 11: live  live is 0
       2 │                                                      │ ● 11: seen = live  seen ← 0
       3 │ ● 7: live  live is 0                                 │
       4 │ ● 7: live = live + 1  live ← 1                       │
       5 │                                                      │ ● 12: live = 0  live ← 0

    property:
      `seen == 0 and live == 0` (line 15) is true after step 5
        seen is 0 and live is 0
        step 5, `live = 0`: collector wrote 0 to live (line 12)
    cause:
      bytes_lost is violated in program order: no reordering is needed, but one preemption
      between collector's store to seen (line 11) and its store to live (line 12), mutator wrote 1 to live (line 7)
    story:
      step 5: collector wrote 0 to live (line 12)
        over the 1 that mutator had written in step 4 (line 7)
      step 2: collector wrote 0 to seen (line 11)
      step 1: collector read 0 from live (line 11), its value from the start
