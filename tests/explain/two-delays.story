# One late operation is not enough here.
protocol tests/explain/two-delays.lac
variant original

cell main tso
must store to y .. is performed after its load of x
must store to z .. is performed after its load of w

    all_miss is violated under tso (8 steps, 6 of them matter, 3 changes of thread, 2 delayed)

         │ P0                                                   │ P1
    ─────┼──────────────────────────────────────────────────────┼──────────────────────────────────────────────────────
       0 │                                                      │ ╭○ 17: y = 1  issued, waits
       1 │                                                      │ │● 18: x  x is 0
       ⋮ │                                                      │ │
       3 │  ● 10: y  y is 0                                     │ │
         │ ╭○ 12: z = 1  issued, waits                          │ │
       4 │ │● 13: w  w is 0                                     │ │
       5 │ │                                                    │ ╰◑ 17: y = 1  y ← 1, late
       ⋮ │ │                                                    │
       7 │ │                                                    │  ● 21: z  z is 0
       8 │ ╰◑ 12: z = 1  z ← 1, late                            │

    property:
      `P0.r == 0 and P0.s == 0 and P1.r == 0 and P1.s == 0` (line 24) is true after step 8
        P0's r is 0, P0's s is 0, P1's r is 0 and P1's s is 0
        step 7, `z`: P1 read 0 from z (line 21)
    cause:
      P1's store to y (line 17) is performed after its load of x (line 18); in between P0 read 0 from y (line 10)
      P0's store to z (line 12) is performed after its load of w (line 13); in between P1 read 0 from z (line 21)
    story:
      step 7: P1 read 0 from z (line 21), its value from the start
        P0's store to z (line 12), issued in step 3, is performed only in step 8
      step 4: P0 read 0 from w (line 13), its value from the start
      step 3: P0 read 0 from y (line 10), its value from the start
        P1's store to y (line 17), issued in step 0, is performed only in step 5
      step 1: P1 read 0 from x (line 18), its value from the start
    heap at the start:
      x = 0
      y = 0
      z = 0
      w = 0
    heap at the end:
      x = 1
      y = 1
      z = 1
      w = 1
