/*
 * Work packets (Algorithms 4, 5, 7 to 10, 15, 16): for each kind of work its units, counts, guard and worker, and the
 * releaser that opens buckets. Units of stacks and of objects to scan are sets, those of objects to mark a multiset.
 */
bool START_GC_ALLOWED = false, START_GC_REQUESTED = false, START_GC_DONE = false;

typedef ss_packet { bool requested; bool claimed };
ss_packet SS_BUCKET[NUM_MUTATORS];
bool SS_ALLOWED = false;
byte num_ss_needed = 0, num_ss_unclaimed = 0;

typedef mo_packet { byte requests; byte claims };
mo_packet MO_BUCKET[NOBJS];
bool MO_ALLOWED = false;
byte num_mo_needed = 0, num_mo_unclaimed = 0;

typedef so_packet { bool requested; bool claimed };
so_packet SO_BUCKET[NOBJS];
bool SO_ALLOWED = false;
byte num_so_needed = 0, num_so_unclaimed = 0;

bool MARKING_ALLOWED = false;
bool MARK_DONE = false;
bool MUT_YIELD_REQUESTED[NUM_MUTATORS];
bool MUT_YIELDED[NUM_MUTATORS];

inline REQUEST_SS(mut) {
  d_step { SS_BUCKET[mut].requested = true; num_ss_needed++; num_ss_unclaimed++ }
}
inline REQUEST_MO(obj) {
  d_step { MO_BUCKET[obj].requests++; num_mo_needed++; num_mo_unclaimed++ }
}
inline REQUEST_SO(obj) {
  d_step { SO_BUCKET[obj].requested = true; num_so_needed++; num_so_unclaimed++ }
}

#define SS_GUARD() START_GC_DONE
#define MARK_START_GUARD() (SS_ALLOWED && num_ss_needed == 0)
#define MARK_DONE_GUARD() (num_so_needed == 0 && num_mo_needed == 0)

proctype releaser() {
  START_GC_ALLOWED = true;
  do
  :: MARK_DONE -> break
  :: d_step {
       if
       :: !SS_ALLOWED && SS_GUARD() -> SS_ALLOWED = true
       :: !MARKING_ALLOWED && MARK_START_GUARD() -> MARKING_ALLOWED = true; MO_ALLOWED = true; SO_ALLOWED = true
       :: MARKING_ALLOWED && MARK_DONE_GUARD() -> MARK_DONE = true
       fi
     }
  od
}

proctype start_gc_worker() {
  byte m;
  d_step {
    START_GC_ALLOWED && START_GC_REQUESTED;
    for (m : 0 .. NUM_MUTATORS - 1) { REQUEST_SS(m) }
    START_GC_DONE = true;
    FORGET(m);
    PROCS_RUNNING--
  }
}

/* One of the unclaimed units, by number; `none` if another worker was faster. The caller makes it atomic with its claim. */
#define none 255
inline poll(unclaimed, units) {
  d_step {
    count = 0;
    for (i : 0 .. units - 1) {
      if
      :: unclaimed -> mapping[count] = i; count++
      :: else -> skip
      fi
    }
  }
  if
  :: count > 0 -> select (i : 0 .. count - 1); unit = mapping[i]
  :: else -> unit = none
  fi;
  d_step {
    for (i : 0 .. units - 1) { FORGET(mapping[i]) }
    FORGET(count); FORGET(i)
  }
}

proctype ss_worker() {
  byte unit, i, count, mapping[NUM_MUTATORS];
  do
  :: atomic {
       SS_ALLOWED && num_ss_unclaimed > 0;
       poll(SS_BUCKET[i].requested && !SS_BUCKET[i].claimed, NUM_MUTATORS);
       if
       :: unit < NUM_MUTATORS -> SS_BUCKET[unit].claimed = true; num_ss_unclaimed--
       :: else -> skip
       fi
     };
     if
     :: unit < NUM_MUTATORS ->
        do
        :: d_step { !MUT_YIELD_REQUESTED[unit] -> MUT_YIELD_REQUESTED[unit] = true }
        :: d_step {
             MUT_YIELD_REQUESTED[unit] && MUT_YIELDED[unit];
             for (i : 0 .. NUM_SLOTS - 1) {
               if
               :: STACK_SLOT(unit, i) != HEAP_NULLPTR -> REQUEST_MO(STACK_SLOT(unit, i))
               :: else -> skip
               fi
             }
             FORGET(i)
           };
           d_step { MUT_YIELD_REQUESTED[unit] = false; num_ss_needed--; FORGET(unit) };
           break
        od
     :: else -> FORGET(unit)
     fi
  :: d_step { SS_ALLOWED && num_ss_unclaimed == 0 -> PROCS_RUNNING-- }; break
  od
}

proctype mo_worker(byte cpu) {
  byte unit, i, count, old, mapping[NOBJS];
  do
  :: atomic {
       MO_ALLOWED && num_mo_unclaimed > 0;
       poll(MO_BUCKET[i].requests > MO_BUCKET[i].claims, NOBJS);
       if
       :: unit < NOBJS -> MO_BUCKET[unit].claims++; num_mo_unclaimed--
       :: else -> skip
       fi
     };
     if
     :: unit < NOBJS ->
        BEGIN_FETCH_OR(META_OF(unit), MARKED);
        atomic {
          RECEIVE_FETCH_OR(META_OF(unit), old);
          if
          :: old != MARKED -> REQUEST_SO(unit)
          :: else -> skip
          fi;
          num_mo_needed--;
          FORGET(old); FORGET(unit)
        }
     :: else -> FORGET(unit)
     fi
  :: d_step { MARK_DONE -> PROCS_RUNNING-- }; break
  od
}

inline scan_field(f) {
  BEGIN_LOAD(FIELD_OF(unit, f));
  atomic {
    RECEIVE_LOAD(FIELD_OF(unit, f), target);
    if
    :: target != HEAP_NULLPTR -> REQUEST_MO(target)
    :: else -> skip
    fi;
    FORGET(target)
  }
}

proctype so_worker(byte cpu) {
  byte unit, i, count, target, mapping[NOBJS];
  do
  :: atomic {
       SO_ALLOWED && num_so_unclaimed > 0;
       poll(SO_BUCKET[i].requested && !SO_BUCKET[i].claimed, NOBJS);
       if
       :: unit < NOBJS -> SO_BUCKET[unit].claimed = true; num_so_unclaimed--
       :: else -> skip
       fi
     };
     if
     :: unit < NOBJS ->
        scan_field(0);
        scan_field(1);
        d_step { num_so_needed--; FORGET(unit) }
     :: else -> FORGET(unit)
     fi
  :: d_step { MARK_DONE -> PROCS_RUNNING-- }; break
  od
}
