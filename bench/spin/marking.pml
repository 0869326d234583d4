/*
 * Parallel marking in the style of Xu, Moss and Blackburn, "Towards a Model Checking Framework for a New Collector
 * Framework" (MPLR 2022), written anew after the algorithms printed there: a memory process behind channels, a releaser,
 * workers for each kind of work, mutators that yield and take steps.
 *
 *   -DSHUFFLING | -DHEAP6     the scenario
 *   -DMM_TSO | -DMM_SEQ_CST   the memory model, else relaxed
 *   -DBARRIER=n               0 off, 1 while marking, 2 always, 3 once marking is allowed (the authors' first version)
 *   -DSS=n -DMO=n -DSO=n      workers that scan stacks, mark objects, scan objects
 *   -DLITERAL                 scratch variables keep what was last in them, as in the printed algorithms
 */
#ifndef BARRIER
# define BARRIER 1
#endif
#ifndef SS
# define SS 1
#endif
#ifndef MO
# define MO 1
#endif
#ifndef SO
# define SO 1
#endif

/* What is done to a variable whose value nobody will read. */
#ifdef LITERAL
# define FORGET(variable) skip
# define SCRATCH
#else
# define FORGET(variable) variable = 0
# define SCRATCH hidden
#endif

#define HEAP_NULLPTR 255
#define MARKED 1
#define META_OF(obj) (3 * (obj))
#define FIELD_OF(obj, f) (3 * (obj) + 1 + (f))
#define STACK_SLOT(mut, slot) STACK[(mut) * NUM_SLOTS + (slot)]

#ifdef SHUFFLING
# include "shuffling.pml"
#else
# include "heap6.pml"
#endif

#define HEAP_SIZE (3 * NOBJS)
#define CPUS (NUM_MUTATORS + MO + SO)

byte PROCS_RUNNING = NUM_MUTATORS + SS + MO + SO + 1;
bool memory_done = false;
byte STACK[NUM_MUTATORS * NUM_SLOTS] = HEAP_NULLPTR;

#include "memory.pml"
#include "packets.pml"
#include "mutator.pml"

#define is_marked(obj) (memory[META_OF(obj)] == MARKED)
#define is_unmarked(obj) (memory[META_OF(obj)] != MARKED)
#define stays_marked(obj) (is_marked(obj) -> [] is_marked(obj))

ltl p1 { [] MARKED_STAYS }
ltl p2 { <> (memory_done && ALL_MARKED) }
ltl p3 { [] is_unmarked(UNREACHABLE) }

init {
  atomic {
    d_step {
      byte address;
      for (address : 0 .. HEAP_SIZE - 1) {
        if
        :: address % 3 == 0 -> skip
        :: else -> memory[address] = HEAP_NULLPTR
        fi
      }
      address = 0;
      SET_HEAP();
    }
    byte i;
    run memory_process();
    run releaser();
    run start_gc_worker();
    for (i : 0 .. NUM_MUTATORS - 1) { run mutator(i, i) }
    for (i : 1 .. SS) { run ss_worker() }
    for (i : 1 .. MO) { run mo_worker(NUM_MUTATORS + i - 1) }
    for (i : 1 .. SO) { run so_worker(NUM_MUTATORS + MO + i - 1) }
    i = 0;
  }
}
