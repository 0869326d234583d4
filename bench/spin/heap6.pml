/*
 * The largest idle heap: two stacks that share an object, shared structure, a loop of one object and one of two, three
 * levels. Object 6 is unreachable.
 */
#define NOBJS 7
#define NUM_MUTATORS 2
#define NUM_SLOTS 2
#define NUM_STEPS 0
#define UNREACHABLE 6

#define MARKED_STAYS (stays_marked(0) && stays_marked(1) && stays_marked(2) && \
                      stays_marked(3) && stays_marked(4) && stays_marked(5))
#define ALL_MARKED (is_marked(0) && is_marked(1) && is_marked(2) && is_marked(3) && is_marked(4) && is_marked(5))

inline SET_HEAP() {
  memory[FIELD_OF(0, 0)] = 3;
  memory[FIELD_OF(0, 1)] = 4;
  memory[FIELD_OF(1, 0)] = 4;
  memory[FIELD_OF(1, 1)] = 1;
  memory[FIELD_OF(2, 0)] = 5;
  memory[FIELD_OF(2, 1)] = 0;
  memory[FIELD_OF(3, 0)] = 4;
  memory[FIELD_OF(5, 0)] = 2;
  memory[FIELD_OF(6, 0)] = 0;
  STACK_SLOT(0, 0) = 0;
  STACK_SLOT(0, 1) = 1;
  STACK_SLOT(1, 0) = 1;
  STACK_SLOT(1, 1) = 2;
}

/* An idle mutator takes no steps. */
inline mut_step() { false }
