/*
 * normal_form.h - integer values of a function as polynomials over atoms, the conditions under which a
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
#ifndef GW_NORMAL_FORM_H
#define GW_NORMAL_FORM_H
#include "analysis/ir/ir.h"
#include "analysis/prove/effort.h"
#include "analysis/prove/polynomial.h"

typedef enum gw_atom_kind {
    GW_ATOM_NONE,
    GW_ATOM_SPECIAL,  /* detail: attr of SPECIAL; the atom's number is 1 + detail */
    GW_ATOM_VALUE,    /* an SSA value */
    GW_ATOM_TRIP,     /* value: a loop's op; how many iterations were done before this one */
    GW_ATOM_QUOTIENT, /* detail: type; keys a, b: a / b as C has it */
    GW_ATOM_WRAPPED,  /* detail: type; key p: p reduced to the type */
    GW_ATOM_PURE,     /* detail: opcode; more: types; keys: operands */
    GW_ATOM_CELL      /* detail: object and path of memory that the function never writes; keys: indices */
} gw_atom_kind;

typedef struct gw_atom_data {
    gw_atom_kind kind;
    uint32_t detail, more; /* CELL: object, path; PURE: opcode, its type and the first operand's */
    gw_value value;        /* an SSA value that has this value; TRIP: the op */
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
    uint32_t width;   /* blockDim.x is that many times GW_ATOM_BLOCK_ROWS; 0: it is an atom */
    bool unassuming;  /* for a proof that must hold at every launch: what may wrap around is an atom of its own */
} gw_normal;

gw_normal *gw_normal_new(const gw_func *f);
void gw_normal_free(gw_normal *n);
gw_context *gw_normal_context(gw_normal *n, gw_region r); /* made on first use */
/* Where region r runs and the condition holds; a new one. */
gw_context *gw_normal_under(gw_normal *n, gw_region r, gw_value condition);
/* Where c holds and the condition is `truth`; NULL where that would be a case too many. */
gw_context *gw_normal_case(gw_normal *n, gw_context *c, gw_value condition, bool truth);
/* The value of v, exact, where region c->region runs. */
void gw_normal_exact(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
bool gw_normal_uniform(gw_normal *n, gw_value v);
/* The load is of memory that the function never writes. */
bool gw_normal_fixed(const gw_normal *n, const gw_op_data *load);
bool gw_poly_uniform(const gw_normal *n, const gw_poly *p);
void gw_type_range(gw_type t, int64_t *low, int64_t *high);

/* atoms.c: finds or makes */
static inline gw_atom gw_atom_special(gw_special kind, unsigned axis) {
    return (gw_atom)(1 + GW_SPECIAL_ATTR(kind, axis));
}
#define GW_ATOM_BLOCK_ROWS gw_atom_special(GW_BLOCK_DIM, 3)
/* blockDim.x is a multiple of width from now on, before anything is asked: an assumption of the caller. */
void gw_normal_by_width(gw_normal *n, uint32_t width);
void gw_poly_special(const gw_normal *n, uint32_t attr, gw_poly *out); /* of a coordinate or dimension of the launch */
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
/* p >= 0 follows from the assumption that is then added, to the facts too; false where none is to be had. */
bool gw_assume_nonnegative(gw_normal *n, gw_fact_list *facts, const gw_poly *p, bool lower_bound,
                           uint64_t *assumed);
/* The host's check can compute p exactly in 64 bits; else it must use double precision. */
bool gw_assumption_exact(const gw_normal *n, const gw_poly *p);
void gw_poly_range(const gw_normal *n, const gw_poly *p, int64_t *low, int64_t *high);
#endif
