# Marking without a deletion barrier: why `b` was not marked. Its last reference was overwritten before `a` was scanned.
protocol protocols/marking/active/deletion.lac
variant satb_off

cell main sc
must in program order: no reordering is needed
must b is not reachable since .. mutator wrote `null` to a.field[0]

    all_marked is violated under sc (32 steps, 28 of them matter, 16 changes of thread, 0 delayed)

         │ mutator                      │ releaser                     │ start_gc                     │ scan_stack                   │ mark_object                  │ scan_object
    ─────┼──────────────────────────────┼──────────────────────────────┼──────────────────────────────┼──────────────────────────────┼──────────────────────────────┼──────────────────────────────
       1 │ ● 47: gc_requested = true [… │                              │                              │                              │                              │
         │     gc_requested ← true      │                              │                              │                              │                              │
         │ ● 48: request start_gc() [p… │                              │                              │                              │                              │
         │     start_gc.waiting ← {0}   │                              │                              │                              │                              │
       2 │                              │                              │ ● 10: work start_gc() set [… │                              │                              │
         │                              │                              │     start.open is true       │                              │                              │
         │                              │                              │     start_gc.waiting ← {}    │                              │                              │
         │                              │                              │     start_gc.claimed ← 1     │                              │                              │
       3 │                              │                              │ ● 11: request scan_stack(m)… │                              │                              │
         │                              │                              │     scan_stack.waiting ← {0} │                              │                              │
       4 │                              │                              │ ● 10: work start_gc() set    │                              │                              │
         │                              │                              │     start_gc.claimed ← 0     │                              │                              │
         │                              │                              │     start_gc.done ← 1        │                              │                              │
       5 │                              │ ● 6: done(start_gc)          │                              │                              │                              │
         │                              │     start_gc.done is 1       │                              │                              │                              │
         │                              │ ● 6: done(start_gc) == 1     │                              │                              │                              │
         │                              │     stacks.open ← true       │                              │                              │                              │
       6 │ ● 36: ended(releaser) [note… │                              │                              │                              │                              │
         │     releaser.ended is false  │                              │                              │                              │                              │
         │     stacks.open is true      │                              │                              │                              │                              │
         │ ● 36: phase = During [note_… │                              │                              │                              │                              │
         │     phase ← During           │                              │                              │                              │                              │
       7 │ ● 20: phase [program]        │                              │                              │                              │                              │
         │     phase is During          │                              │                              │                              │                              │
         │ ● 20: deleted = phase [prog… │                              │                              │                              │                              │
         │     deleted ← During         │                              │                              │                              │                              │
       8 │ ● 88: o.field[f] = new [upd… │                              │                              │                              │                              │
         │     a.field[0] ← null        │                              │                              │                              │                              │
       9 │                              │                              │                              │ ● 61: work scan_stack(m: mu… │                              │
         │                              │                              │                              │     stacks.open is true      │                              │
         │                              │                              │                              │     scan_stack.waiting ← {}  │                              │
         │                              │                              │                              │     scan_stack.claimed ← 1   │                              │
      10 │                              │                              │                              │ ● 62: yield_requested[m] = … │                              │
         │                              │                              │                              │     yield_requested ← true   │                              │
      11 │ ● 50: yield_requested[self]… │                              │                              │                              │                              │
         │     yield_requested is true  │                              │                              │                              │                              │
      12 │ ● 107: yielded[self] = true… │                              │                              │                              │                              │
         │     yielded ← true           │                              │                              │                              │                              │
      13 │                              │                              │                              │ ● 63: yielded[m] [scan_stac… │                              │
         │                              │                              │                              │     yielded is true          │                              │
      14 │                              │                              │                              │ ● 67: stack[m * SLOTS + s] … │                              │
         │                              │                              │                              │     stack is a               │                              │
         │                              │                              │                              │ ● 68: request mark_object(o… │                              │
         │                              │                              │                              │     mark_object.waiting[a] … │                              │
         │                              │                              │                              │     mark_object.unclaimed ←… │                              │
       ⋮ │                              │                              │                              │                              │                              │
      16 │                              │                              │                              │ ● 61: work scan_stack(m: mu… │                              │
         │                              │                              │                              │     scan_stack.claimed ← 0   │                              │
       ⋮ │                              │                              │                              │                              │                              │
      18 │                              │ ● 7: drained(stacks)         │                              │                              │                              │
         │                              │     stacks.open is true      │                              │                              │                              │
         │                              │     scan_stack.waiting is {} │                              │                              │                              │
         │                              │     scan_stack.claimed is 0  │                              │                              │                              │
         │                              │     marking.open ← true      │                              │                              │                              │
      19 │                              │                              │                              │                              │ ● 77: work mark_object(o: O… │
         │                              │                              │                              │                              │     marking.open is true     │
         │                              │                              │                              │                              │     mark_object.waiting[a] … │
         │                              │                              │                              │                              │     mark_object.unclaimed ←… │
         │                              │                              │                              │                              │     mark_object.claimed ← 1  │
      20 │                              │                              │                              │                              │ ● 40: o.meta.fetch_or(1) [m… │
         │                              │                              │                              │                              │     a.meta: 0 → 1            │
      21 │                              │                              │                              │                              │ ● 82: requested_once = requ… │
         │                              │                              │                              │                              │     requested_once ← {a}     │
         │                              │                              │                              │                              │ ● 83: request scan_object(o… │
         │                              │                              │                              │                              │     scan_object.waiting ← {… │
      22 │                              │                              │                              │                              │ ● 77: work mark_object(o: O… │
         │                              │                              │                              │                              │     mark_object.claimed ← 0  │
      23 │                              │                              │                              │                              │                              │ ● 88: work scan_object(o: O…
         │                              │                              │                              │                              │                              │     marking.open is true
         │                              │                              │                              │                              │                              │     scan_object.waiting ← {}
         │                              │                              │                              │                              │                              │     scan_object.claimed ← 1
       ⋮ │                              │                              │                              │                              │                              │
      26 │                              │                              │                              │                              │                              │ ● 88: work scan_object(o: O…
         │                              │                              │                              │                              │                              │     scan_object.claimed ← 0
      27 │                              │ ● 8: drained(marking)        │                              │                              │                              │
         │                              │     mark_object.unclaimed i… │                              │                              │                              │
         │                              │     mark_object.claimed is 0 │                              │                              │                              │
         │                              │     scan_object.waiting is … │                              │                              │                              │
         │                              │     scan_object.claimed is 0 │                              │                              │                              │
         │                              │ ● 8: releaser                │                              │                              │                              │
         │                              │     start.open ← false       │                              │                              │                              │
         │                              │     start_gc.done ← 0        │                              │                              │                              │
         │                              │     stacks.open ← false      │                              │                              │                              │
         │                              │     marking.open ← false     │                              │                              │                              │
         │                              │     releaser.ended ← true    │                              │                              │                              │
      28 │ ● 57: ended(releaser) [poll] │                              │                              │                              │                              │
         │     releaser.ended is true   │                              │                              │                              │                              │
      29 │                              │                              │ ● 10: work start_gc() set [… │                              │                              │
         │                              │                              │     releaser.ended is true   │                              │                              │
      30 │                              │                              │                              │ ● 61: work scan_stack(m: mu… │                              │
         │                              │                              │                              │     releaser.ended is true   │                              │
      31 │                              │                              │                              │                              │ ● 77: work mark_object(o: O… │
         │                              │                              │                              │                              │     releaser.ended is true   │
      32 │                              │                              │                              │                              │                              │ ● 88: work scan_object(o: O…
         │                              │                              │                              │                              │                              │     releaser.ended is true
    ── nothing happens any more, forever ──

    property:
      `quiescent and marked(a) and (marked(b) or deleted == Before)` (line 24) is never true
        at the end a.meta is 1, b.meta is 0, deleted is `During`, mutator has ended, releaser has ended and start_gc
          has ended
    waiting:
      only mark_object writes a.meta (line 40 of marking.lac), and has ended
      only mark_object writes b.meta (line 40 of marking.lac), and has ended
      only mutator writes deleted (line 20), and has ended
    cause:
      all_marked is violated in program order: no reordering is needed, but one preemption
      nothing happens after step 32: every thread has ended
      between mutator's store to start_gc.waiting (line 48 of active.lac) and its store to phase (line 36 of
        active.lac), start_gc wrote `{}` to start_gc.waiting (line 10 of phases.lac)
    story:
      step 32: scan_object read `true` from releaser.ended (line 88 of marking.lac)
      step 27: releaser wrote `true` to releaser.ended (line 8 of phases.lac)
      step 31: mark_object read `true` from releaser.ended (line 77 of marking.lac)
      step 30: scan_stack read `true` from releaser.ended (line 61 of marking.lac)
      step 29: start_gc read `true` from releaser.ended (line 10 of phases.lac)
      step 28: mutator read `true` from releaser.ended (line 57 of active.lac)
      step 20: mark_object changed a.meta from 0 to 1 (line 40 of marking.lac), its value from the start
      step 7: mutator wrote `During` to deleted (line 20)
      step 7: mutator read `During` from phase (line 20)
      step 6: mutator wrote `During` to phase (line 36 of active.lac)
      b is not reachable since step 8: mutator wrote `null` to a.field[0] (line 88 of active.lac)
    heap at the start:
      a: meta = 0, field[0] → b, field[1] = null
      b: meta = 0, field[0] = null, field[1] = null
      garbage: meta = 0, field[0] → a, field[1] = null  (not reachable)
      stack → a
      deleted = After
      phase = Before
      start.open = true
      releaser.ended = false
      requested_once = {}
      gc_requested = false
      scanned = false
    heap at the end:
      a: meta = 1, field[0] = null, field[1] = null
      b: meta = 0, field[0] = null, field[1] = null  (not reachable)
      garbage: meta = 0, field[0] → a, field[1] = null  (not reachable)
      stack → a
      deleted = During
      phase = During
      start.open = false
      releaser.ended = true
      requested_once → {a}
      gc_requested = true
      scanned = true
