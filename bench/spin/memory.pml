/*
 * The weakly ordered memory (Algorithms 1 to 3 and 14), with the operations that marking uses: load, store, fetch-and-or.
 * The memory process chooses among the requests that the ordering rules allow to be processed.
 */
#define HM_Q_LEN (2 * NUM_MUTATORS + CPUS)
#define MH_Q_LEN 1
#define SB_Q_LEN (2 * NUM_MUTATORS)

mtype = { m_load, m_store, m_fetch_or, mr_load, mr_fetch_or };

byte memory[HEAP_SIZE] = 0;
typedef mem_request { mtype op; byte cpu; byte addr; byte newval };
chan hostToMemory = [HM_Q_LEN] of { mem_request };
typedef mem_response { mtype op; byte addr; byte val };
chan memoryToHost[CPUS] = [MH_Q_LEN] of { mem_response };
typedef SBEntry { byte cpu; byte address; byte value };
chan storeBuffer = [SB_Q_LEN] of { SBEntry };

/* Every process that accesses memory has a number of its own. */
#define CPUID cpu

/* Whether all stores of a cpu have been processed. */
#define STORES_DONE(cpu) (!storeBuffer ?? [eval(cpu), _, _])

SCRATCH byte found;
SCRATCH byte found_value;
SCRATCH SBEntry ent;

inline check_store_buffer(addr) {
  found = false;
  for (ent in storeBuffer) {
    if
    :: ent.cpu == CPUID && ent.address == (addr) -> found = true; found_value = ent.value
    :: else -> skip
    fi
  }
}

inline BEGIN_LOAD(addr) {
  d_step {
    check_store_buffer(addr);
    if
    :: found -> memoryToHost[CPUID] ! mr_load, (addr), found_value
    :: else -> hostToMemory ! m_load, CPUID, (addr), 0
    fi
  }
}

inline RECEIVE_LOAD(addr, var) { memoryToHost[CPUID] ?? mr_load, eval(addr), var }

inline STORE(addr, val) {
  d_step {
    storeBuffer ! CPUID, (addr), val;
    hostToMemory ! m_store, CPUID, (addr), val
  }
}

inline BEGIN_FETCH_OR(addr, val) { hostToMemory ! m_fetch_or, CPUID, (addr), val }
inline RECEIVE_FETCH_OR(addr, var) { memoryToHost[CPUID] ?? mr_fetch_or, eval(addr), var }

/*
 * What the ordering rules have seen of each cpu's older requests; one bit per address. Operations on one address are
 * in order, except that loads may pass loads. TSO: only a load may pass, and only a store; fetch-and-or is a fence.
 */
SCRATCH int reader[CPUS];
SCRATCH int writer[CPUS];
SCRATCH byte have_fence[CPUS];
SCRATCH mem_request req;

#define AT(addr) (1 << (addr))
#define any_access(cpu) (reader[cpu] != 0 || writer[cpu] != 0)
#ifdef MM_SEQ_CST
# define load_waits any_access(req.cpu)
# define store_waits any_access(req.cpu)
# define fetch_or_waits any_access(req.cpu)
# define fetch_or_fences false
#else
# ifdef MM_TSO
#  define load_waits (have_fence[req.cpu] || reader[req.cpu] != 0 || (writer[req.cpu] & AT(req.addr)) != 0)
#  define store_waits any_access(req.cpu)
#  define fetch_or_waits any_access(req.cpu)
#  define fetch_or_fences true
# else
#  define load_waits ((writer[req.cpu] & AT(req.addr)) != 0)
#  define store_waits (((reader[req.cpu] | writer[req.cpu]) & AT(req.addr)) != 0)
#  define fetch_or_waits store_waits
#  define fetch_or_fences false
# endif
#endif

inline note_request() {
  if
  :: req.op == m_load ->
     if
     :: load_waits -> skip
     :: else -> ready[nready].op = req.op; ready[nready].cpu = req.cpu; ready[nready].addr = req.addr; nready++
     fi;
     reader[req.cpu] = reader[req.cpu] | AT(req.addr)
  :: req.op == m_store ->
     if
     :: store_waits -> skip
     :: else ->
        ready[nready].op = req.op; ready[nready].cpu = req.cpu; ready[nready].addr = req.addr;
        ready[nready].newval = req.newval; nready++
     fi;
     writer[req.cpu] = writer[req.cpu] | AT(req.addr)
  :: req.op == m_fetch_or ->
     if
     :: fetch_or_waits -> skip
     :: else ->
        ready[nready].op = req.op; ready[nready].cpu = req.cpu; ready[nready].addr = req.addr;
        ready[nready].newval = req.newval; nready++
     fi;
     reader[req.cpu] = reader[req.cpu] | AT(req.addr);
     writer[req.cpu] = writer[req.cpu] | AT(req.addr);
     have_fence[req.cpu] = have_fence[req.cpu] || fetch_or_fences
  fi
}

#define chosen ready[idx]

inline process_request() {
  hostToMemory ?? eval(chosen.op), eval(chosen.cpu), eval(chosen.addr), _;
  if
  :: chosen.op == m_load ->
     memoryToHost[chosen.cpu] ! mr_load, chosen.addr, memory[chosen.addr]
  :: chosen.op == m_store ->
     memory[chosen.addr] = chosen.newval;
     storeBuffer ?? eval(chosen.cpu), eval(chosen.addr), _
  :: chosen.op == m_fetch_or ->
     memoryToHost[chosen.cpu] ! mr_fetch_or, chosen.addr, memory[chosen.addr];
     memory[chosen.addr] = memory[chosen.addr] | chosen.newval
  fi
}

proctype memory_process() {
  mem_request ready[HM_Q_LEN];
  byte nready;
  byte idx;
  byte k;
  do
  :: atomic {
       nempty(hostToMemory);
       d_step {
         for (k : 0 .. CPUS - 1) { reader[k] = 0; writer[k] = 0; have_fence[k] = false }
         nready = 0;
         for (req in hostToMemory) { note_request() }
       }
       select (idx : 0 .. nready - 1);
       d_step {
         process_request();
         for (k : 0 .. HM_Q_LEN - 1) {
           FORGET(ready[k].op); FORGET(ready[k].cpu); FORGET(ready[k].addr); FORGET(ready[k].newval)
         }
         FORGET(nready); FORGET(idx); FORGET(k)
       }
     }
  :: d_step { empty(hostToMemory) && PROCS_RUNNING == 0 -> memory_done = true }; break
  od
}
