/*
 * prove.h - what other rooms see of analysis/prove: effort, polynomial, normal form, disjoint, index text, smt,
 * staging.
 */
#ifndef GW_PROVE_H
#define GW_PROVE_H
#include "analysis/ir/ir.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- effort ----
 *
 * How much work the proofs about one function may take in one pass.
 *
 * Counted in steps of the provers, never in time, so that a build decides alike on every machine; and for all
 * proofs about a function together, so that their number does not matter. A proof that finds no steps left
 * proves nothing, which is sound: what it would have shown stays atomic. Copies of a function that a pass tries
 * share its steps.
 */

/* Thousands of steps: of the rules for a function; of the solver for a question, and how many hard ones a
 * function has. */
enum { GW_PROOF_BUDGET = 1000, GW_SMT_BUDGET = 75, GW_SMT_QUESTIONS = 2 };
/* Milliseconds of a question to the solver, should it go on without counting steps: far more than the budget of
 * steps takes. */
enum { GW_SMT_TIME = 10000 };

/* Proofs about f begin; steps that earlier ones in this pass took are gone. */
void gw_effort_begin(const gw_func *f);

static inline bool gw_effort_take(gw_effort *e, gw_effort_kind kind, uint64_t steps) {
    e->taken += steps;
    bool enough = e->left[kind] >= steps;
    e->left[kind] -= enough ? steps : e->left[kind];
    return enough;
}
static inline bool gw_effort_is_spent(const gw_effort *e, gw_effort_kind kind) { return e->left[kind] == 0; }

/* ---- polynomial ----
 *
 * Polynomials with integer coefficients over numbered atoms, the language in which the
 * ownership proofs are written.
 *
 * A polynomial has a fixed room. An operation that would overflow a coefficient or the room gives a
 * polynomial with `broken` set; every operation on a broken one is broken again, and every question about
 * one is answered "not proved". So no caller has to check in between.
 */

enum { GW_POLY_FACTORS = 6, GW_POLY_TERMS = 32 };
typedef uint16_t gw_atom;
/* The same quantity in the other of the two threads that a proof speaks of. */
#define GW_ATOM_OTHER 0x8000u

typedef struct gw_term {
    int64_t coefficient;
    uint32_t factors;
    gw_atom factor[GW_POLY_FACTORS]; /* ascending */
} gw_term;

typedef struct gw_poly {
    bool broken;
    uint32_t count;
    gw_term term[GW_POLY_TERMS]; /* in a fixed order; no zero coefficients, no two of the same factors */
} gw_poly;

void gw_poly_zero(gw_poly *p);
void gw_poly_constant(gw_poly *p, int64_t value);
void gw_poly_atom(gw_poly *p, gw_atom a);
/* to += scale * (factors of m, its coefficient is not used; NULL = 1) * p */
void gw_poly_add(gw_poly *to, int64_t scale, const gw_term *m, const gw_poly *p);
void gw_poly_add_constant(gw_poly *to, int64_t value);
void gw_poly_add_term(gw_poly *to, const gw_term *t);
void gw_poly_multiply(gw_poly *out, const gw_poly *a, const gw_poly *b);
void gw_poly_scale(gw_poly *p, int64_t scale);
bool gw_poly_equal(const gw_poly *a, const gw_poly *b);
/* Every atom of p through `rename`. */
void gw_poly_rename(gw_poly *p, gw_atom (*rename)(const void *context, gw_atom a), const void *context);
bool gw_poly_is_constant(const gw_poly *p, int64_t *value);
bool gw_poly_is_atom(const gw_poly *p, gw_atom *a);
/* p = by * quotient exactly; false if it is not. */
bool gw_poly_divide(const gw_poly *p, const gw_poly *by, gw_poly *quotient);
/* Greatest common divisor of the coefficients, positive; 0 for the zero polynomial. */
int64_t gw_poly_content(const gw_poly *p);
/* Factors of t without those of by in *rest; false if by's are not all among them. */
bool gw_term_divide(const gw_term *t, const gw_term *by, gw_term *rest);
uint32_t gw_poly_hash(const gw_poly *p);

/* ---- normal form ----
 *
 * Integer values of a function as polynomials over atoms, the conditions under which a
 * region runs as inequalities between them, and proofs from these.
 *
 * An atom is a quantity that is not taken apart: a coordinate or dimension of the launch, a parameter, the
 * number of an iteration, a quotient, a loaded cell, a value of unknown making. It is uniform where it is
 * the same in all threads of the grid at all times; else it means its value in one thread, at the moment
 * of the access that is being looked at.
 *
 * Machine arithmetic. The polynomial of a value is its mathematical value if
 *   - its arithmetic is signed and at least as wide as int: overflow is undefined there, so the primal may
 *     be taken not to do it (an assumption of the contract, not checked);
 *   - or it is unsigned, narrowed or converted and a proof shows that it fits its type;
 *   - or that follows from an inequality between launch dimensions and parameters, which is then assumed,
 *     carried with every conclusion as a bit of `assumed`, and checked at the launch.
 * Otherwise the value is an atom of its own, about which only the range of its type is known.
 */

typedef enum gw_atom_kind {
    GW_ATOM_NONE,
    GW_ATOM_SPECIAL,  /* detail: attr of SPECIAL; the atom's number is 1 + detail */
    GW_ATOM_VALUE,    /* an SSA value */
    GW_ATOM_TRIP,     /* value: a loop's op; how many iterations were done before this one */
    GW_ATOM_QUOTIENT, /* detail: type; keys a, b: a / b as C has it */
    GW_ATOM_WRAPPED,  /* detail: type; key p: p reduced to the type */
    GW_ATOM_PART,     /* more: a number; key a: a dimension or parameter, exactly divided by it */
    GW_ATOM_PURE,     /* detail: opcode; more: types; keys: operands */
    GW_ATOM_CELL      /* detail: object and path of memory that the function never writes; keys: indices */
} gw_atom_kind;

typedef struct gw_atom_data {
    gw_atom_kind kind;
    uint32_t detail, more; /* CELL: object, path; PURE: opcode, its type and the first operand's */
    gw_value value;        /* an SSA value that has this value, or 0; TRIP: the op */
    uint32_t first_key, keys;
    bool uniform;      /* the same in all threads, at all times */
    bool host;         /* the host can compute it at the launch */
    int64_t low, high; /* INT64_MIN, INT64_MAX: unbounded */
    uint64_t assumed;  /* CELL: that the keys are its indices */
} gw_atom_data;

/* Conclusions carry what they assume: bits 0 to 3: blockDim.y, blockDim.z, gridDim.y, gridDim.z are 1; bit
 * 4 + i: assumptions.at[i] >= 0. */
enum { GW_ASSUME_LENGTHS = 4, GW_ASSUME_MOST = 60 };

typedef struct gw_fact {
    gw_poly poly; /* >= 0; in `equal`: == 0 */
    uint64_t assumed;
} gw_fact;
typedef GW_VEC(gw_fact) gw_fact_list;

typedef struct gw_number {
    gw_poly poly;
    uint32_t bits; /* 0: the value; else the value is congruent to it modulo 2^bits */
    uint64_t assumed;
} gw_number;

typedef struct gw_decided {
    gw_value condition;
    bool truth;
} gw_decided;

/* What is known wherever region runs. */
typedef struct gw_context {
    gw_region region;
    gw_fact_list facts, equal;
    GW_VEC(gw_decided) decided;  /* conditions that have one value there */
    const struct gw_context *all; /* of which this is one case, by decided.at[decided_by]; NULL: of none */
    uint32_t decided_by, cases;   /* cases: one in how many ways */
    gw_value_map memo, exact; /* value -> 1 + index into numbers: as it is made, and as a number */
    GW_VEC(gw_number) numbers;
    uint32_t depth;
} gw_context;

typedef struct gw_written {
    gw_object object;
    gw_str path; /* 0: all of it */
} gw_written;

typedef struct gw_normal {
    const gw_func *f;
    gw_effort *effort;
    GW_VEC(gw_atom_data) atoms; /* [0] unused */
    GW_VEC(gw_poly) keys;
    GW_VEC(gw_context *) contexts;
    GW_VEC(gw_poly) assumptions;
    GW_VEC(gw_written) written; /* what the function stores or accumulates into */
    struct gw_answers *answers; /* answers.c */
    uint32_t cases;             /* contexts that are a case of another */
    uint8_t *uniform; /* per value: 0 unknown, 1 no, 2 yes */
    const gw_launch_facts *supposed; /* of the launch, beside what is stated; or NULL */
    gw_atom part[GW_LAUNCH_PARAM];   /* by dimension: of which it is a multiple; 0: it is an atom */
    bool takes_apart;                /* quotients of sums, by what is known of the launch */
    /* for a proof that must hold at every launch: what may wrap around is an atom of its own */
    bool unassuming;
    /* what stands in a row is less than a size by which rows are apart, by assumption if need be */
    bool parts_rows;
    /* what is one of two by a condition that is the same in all threads is a sum: c*x + (1 - c)*y */
    bool sums_choices;
} gw_normal;

gw_normal *gw_normal_new(const gw_func *f);
/* The same where the facts hold too, which the caller keeps: its assumption. */
gw_normal *gw_normal_where(const gw_func *f, const gw_launch_facts *supposed);
void gw_normal_free(gw_normal *n);
gw_context *gw_normal_context(gw_normal *n, gw_region r); /* made on first use */
/* A new context: region r runs and the condition holds. */
gw_context *gw_normal_under(gw_normal *n, gw_region r, gw_value condition);
/* The context in which c holds and the condition is `truth`; NULL where that would be a case too many. */
gw_context *gw_normal_case(gw_normal *n, gw_context *c, gw_value condition, bool truth);
/* The value of v, exact, where region c->region runs. */
void gw_normal_exact(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
bool gw_normal_uniform(gw_normal *n, gw_value v);
/* The load is of memory that the function never writes. */
bool gw_normal_fixed(const gw_normal *n, const gw_op_data *load);
bool gw_poly_uniform(const gw_normal *n, const gw_poly *p);

/* atoms.c: finds or makes */
static inline gw_atom gw_atom_special(gw_special kind, unsigned axis) {
    return (gw_atom)(1 + GW_SPECIAL_ATTR(kind, axis));
}
/* of a coordinate or dimension of the launch */
void gw_poly_special(const gw_normal *n, uint32_t attr, gw_poly *out);
/* of a parameter; `a` is its atom, whose range is made that of all launches */
void gw_poly_parameter(gw_normal *n, gw_value v, gw_atom_data *a, gw_poly *out);
/* Without parts of dimensions and parameters: p times a positive number. */
void gw_poly_whole(const gw_normal *n, gw_poly *p);
/* Coordinates (gw_meeting's) of which all launches have one. */
uint32_t gw_normal_alone(const gw_normal *n);
gw_atom gw_atom_make(gw_normal *n, const gw_atom_data *like, const gw_poly *keys, uint32_t count);
static inline const gw_atom_data *gw_atom_at(const gw_normal *n, gw_atom a) {
    return &n->atoms.at[a & ~GW_ATOM_OTHER];
}

/* choices.c: an integer that is one of two by a condition. */
typedef struct gw_chosen {
    gw_value condition, yes, no;
} gw_chosen;
bool gw_choice_of(const gw_func *f, gw_value v, gw_chosen *out);
/* The condition has one value in c. */
bool gw_choice_is_made(const gw_func *f, const gw_context *c, gw_value condition, bool *truth);
/* v is computed wherever c holds: outside of its region, or in branches that are taken there. */
bool gw_choice_computes(const gw_func *f, const gw_context *c, gw_value v);
/* A condition that c leaves open, by which a part of v is chosen; 0: there is none. */
gw_value gw_choice_open(const gw_func *f, const gw_context *c, gw_value v);

/* conditions.c: what follows for c from v being `truth`; from a loop being in an iteration. */
void gw_condition_assume(gw_normal *n, gw_context *c, gw_value v, bool truth);
void gw_condition_loop(gw_normal *n, gw_context *c, gw_op loop);
/* A coordinate of the thread that the region has as the index of an array is within the array. */
void gw_condition_extents(gw_normal *n, gw_context *c);
void gw_fact_add(gw_fact_list *list, const gw_poly *p, uint64_t assumed);
void gw_context_add(gw_context *c, const gw_poly *nonnegative, uint64_t assumed);

/* inequality.c. A proof adds the assumptions that it used to *assumed. */
bool gw_prove_nonnegative(const gw_normal *n, const gw_fact_list *facts, const gw_poly *p, uint64_t *assumed);
/* p >= 0 follows from the assumption that is then added, to the facts too; false where none is to be had: that
 * nothing wraps around, that a size has a least value, that a row ends where the next one begins. */
typedef enum gw_assumed_kind { GW_ASSUMED_NO_WRAP, GW_ASSUMED_SIZE, GW_ASSUMED_ROW } gw_assumed_kind;
bool gw_assume_nonnegative(gw_normal *n, gw_fact_list *facts, const gw_poly *p, gw_assumed_kind kind,
                           uint64_t *assumed);
/* The host's check can compute p exactly in 64 bits; else it must use double precision. */
bool gw_assumption_exact(const gw_normal *n, const gw_poly *p);
/* The polynomial is made of what a launch is given, and is exact. */
bool gw_poly_is_of_host(const gw_normal *n, const gw_poly *p);
void gw_poly_range(const gw_normal *n, const gw_poly *p, int64_t *low, int64_t *high);

/* ---- disjoint ----
 *
 * Can two different threads reach one cell by two given references?
 */

/* A reference as a proof sees it: where it stands, and its index operands. */
typedef struct gw_access {
    const gw_context *context;
    const gw_number *index;
    uint32_t count;
    gw_op op; /* whose first operands the indices are; 0: not known, and no cases of them are looked at */
    bool one_block; /* an object of the block: only threads of one block meet there */
    const gw_atom *alike; /* of the first of two: what is one number for both */
    uint32_t alike_count;
} gw_access;

/* Coordinates as bits: threadIdx.x .y .z, blockIdx.x .y .z */
enum { GW_COORDINATES = 6, GW_COORDINATES_ALL = 63 };

enum { GW_AGREED_MOST = 8 };

typedef struct gw_meeting {
    bool disjoint;
    uint64_t assumed;    /* disjoint: under these assumptions */
    uint32_t same;       /* coordinates proved to be equal in two threads that meet */
    uint32_t unresolved; /* index equations from which nothing more followed */
    gw_atom agreed[GW_AGREED_MOST]; /* other quantities proved to be equal in them, some */
    uint32_t agreed_count;
    bool asked, by_solver; /* the solver was asked; it is what says so */
    /* not disjoint: the function's proofs, or the solver, had taken all of their steps */
    bool cut;
    bool late;             /* cut by the clock: the solver was stopped */
    gw_str witness;        /* not disjoint: two threads and the cell, in words; 0: none is known */
} gw_meeting;

/* `one_long`: coordinates whose dimension may be assumed to be 1. */
void gw_threads_meet(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                     gw_meeting *out);
/* disjoint_cases.c: the same; where that leaves it open, by cases of the choices in the indices. */
void gw_threads_meet_by_cases(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                              gw_meeting *out);
/* Whether each of these quantities is one number in all that come to one cell, some by r and some by s, at
 * whatever time: different threads, and one thread in different iterations. */
bool gw_meeting_agrees(gw_normal *n, const gw_access *r, const gw_access *s, const gw_number *list,
                       uint32_t count, gw_meeting *out);
/* The assumptions that these coordinates' dimensions are 1; x has none. */
uint64_t gw_assumed_lengths(uint32_t coordinates);
/* disjoint_split.c: what quantities that differ between threads are multiplied with in p, as a whole and term
 * by term, none negative in its first term; and p = stride*e + r. */
enum { GW_STRIDES_MOST = 32 };
typedef struct gw_stride_list {
    uint32_t count;
    gw_poly at[GW_STRIDES_MOST];
} gw_stride_list;
void gw_poly_strides(const gw_normal *n, const gw_poly *p, gw_stride_list *list);
void gw_poly_part(const gw_normal *n, const gw_poly *p, const gw_poly *stride, gw_poly *e, gw_poly *r);
/* In one thread, r and s never reach one cell at the same time. */
bool gw_cells_differ(gw_normal *n, const gw_access *r, const gw_access *s, uint64_t *assumed);

/* ---- index text ----
 *
 * Integer values, references and polynomials as a user would write them.
 */

/* User's names where values have them; what cannot be spelled is "...". False if there is such, or a value that
 * a condition chooses. */
bool gw_index_text(const gw_func *f, gw_value v, gw_text *out);
/* name[i*k + j].x of a memory op, under the object's name or another. */
void gw_reference_text(const gw_func *f, gw_op op, gw_str name, gw_text *out);
/* The same, without names that several numbers have, as the results of a helper have. */
void gw_reference_distinct(const gw_func *f, gw_op op, gw_str name, gw_text *out);
/* The same where names say too little: indices as they are computed. */
void gw_reference_spelled(const gw_func *f, gw_op op, gw_str name, gw_text *out);
void gw_poly_text(const gw_normal *n, const gw_poly *p, gw_text *out);

/* ---- smt ----
 *
 * A solver (Z3) for the pairs of references that the cheap rules leave open.
 *
 * Asked: can two different threads of a launch that keeps the assumptions reach one cell by r and s? Everything
 * that is not understood may have any value, so "no" is a proof; "yes" comes with a witness, two threads and a
 * cell, that is one in fact where nothing was left out. Effort is bounded by Z3's count of its own steps: the
 * answer is the same on every machine. Time only stops a question that goes on without counting; LATE says so,
 * since another build may know more.
 *
 * Built without Z3, nothing is ever proved here.
 */

typedef struct gw_smt gw_smt;

typedef enum gw_smt_answer { GW_SMT_UNKNOWN, GW_SMT_LATE, GW_SMT_NEVER, GW_SMT_MEET } gw_smt_answer;

bool gw_smt_is_built_in(void);
/* For the values of one function; budget in thousands of steps and time in milliseconds for each question; all
 * questions about the function in this pass take their steps from its effort. */
gw_smt *gw_smt_new(gw_normal *n, uint32_t budget, uint32_t time);
void gw_smt_free(gw_smt *s);
/* NEVER adds to *assumed; MEET writes the witness, unless it has numbers that threads may never have. */
gw_smt_answer gw_smt_ask(gw_smt *s, const gw_access *r, const gw_access *t, uint32_t one_long,
                         uint64_t *assumed, gw_text *witness);

/* ---- staging ----
 *
 * Is what a thread reads of shared memory stored anew in each iteration?
 */

/* `store` stands before `load` in the loops around both. True: a cell that the store reaches in any iteration
 * of them, and that the load reads in some iteration, is reached by the store in that iteration too. */
bool gw_stages_again(const gw_func *f, gw_op store, gw_op load);
#endif
