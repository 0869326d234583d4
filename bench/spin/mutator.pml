/*
 * The mutator: handshake, steps and write barrier (Algorithms 6, 11 and 13). It yields only when its stores are
 * processed: else the only copy of a reference could be on its way to memory while the stack is scanned.
 */
#if BARRIER == 0
# define BARRIER_ON false
#elif BARRIER == 1
# define BARRIER_ON (SS_ALLOWED && !MARK_DONE)
#elif BARRIER == 2
# define BARRIER_ON true
#else
# define BARRIER_ON (MARKING_ALLOWED && !MARK_DONE)
#endif

inline insure_at_least_gray(obj) {
  if
  :: obj != HEAP_NULLPTR ->
     BEGIN_LOAD(META_OF(obj));
     atomic {
       RECEIVE_LOAD(META_OF(obj), meta);
       if
       :: meta != MARKED -> REQUEST_MO(obj)
       :: else -> skip
       fi;
       FORGET(meta)
     }
  :: else -> skip
  fi
}

inline update_field(addr, newval) {
  if
  :: BARRIER_ON ->
     BEGIN_LOAD(addr);
     RECEIVE_LOAD(addr, oldval);
     insure_at_least_gray(oldval)
  :: else -> skip
  fi;
  atomic { STORE(addr, newval); FORGET(oldval); step++ }
}

proctype mutator(byte id; byte cpu) {
  byte step, oldval, meta;
  do
  :: d_step { id == 0 && START_GC_ALLOWED && !START_GC_REQUESTED -> START_GC_REQUESTED = true }
  :: d_step { MUT_YIELD_REQUESTED[id] && !MUT_YIELDED[id] && STORES_DONE(cpu) -> MUT_YIELDED[id] = true }
  :: d_step { !MUT_YIELD_REQUESTED[id] && MUT_YIELDED[id] -> MUT_YIELDED[id] = false }
  :: !MUT_YIELDED[id] && step < NUM_STEPS -> mut_step()
  :: d_step { MARK_DONE && !MUT_YIELDED[id] && step == NUM_STEPS -> PROCS_RUNNING-- }; break
  od
}
