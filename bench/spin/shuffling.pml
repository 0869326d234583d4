/*
 * Pointer shuffling: object 0 refers to 2. The mutator loads that reference, overwrites it in object 0, stores it in
 * object 1 and drops it. Object 3 is unreachable.
 */
#define NOBJS 4
#define NUM_MUTATORS 1
#define NUM_SLOTS 3
#define NUM_STEPS 4
#define UNREACHABLE 3

#define MARKED_STAYS (stays_marked(0) && stays_marked(1) && stays_marked(2))
#define ALL_MARKED (is_marked(0) && is_marked(1) && is_marked(2))

inline SET_HEAP() {
  memory[FIELD_OF(0, 0)] = 2;
  memory[FIELD_OF(3, 0)] = 2;
  STACK_SLOT(0, 0) = 0;
  STACK_SLOT(0, 1) = 1;
}

inline mut_step() {
  if
  :: step == 0 ->
     BEGIN_LOAD(FIELD_OF(0, 0));
     atomic { RECEIVE_LOAD(FIELD_OF(0, 0), STACK_SLOT(0, 2)); step++ }
  :: step == 1 -> update_field(FIELD_OF(0, 0), HEAP_NULLPTR)
  :: step == 2 -> update_field(FIELD_OF(1, 0), STACK_SLOT(0, 2))
  :: step == 3 -> d_step { STACK_SLOT(0, 2) = HEAP_NULLPTR; step++ }
  fi
}
