/*
 * stated.h - what users state of a function: promises about its lists, rungs that they ask for, arrays that
 * they pack, facts about its launches. Part of ir.h, which includes it where the types that it is made of are
 * known.
 */
#ifndef GW_STATED_H
#define GW_STATED_H

typedef struct gw_promise {
    uint32_t kind; /* a gw_promise_kind (promises.h) */
    gw_str name;
    gw_loc loc;
} gw_promise;
typedef struct gw_given_promise { /* from outside of the source */
    gw_str function;
    gw_promise promise;
    gw_loc loc;
    bool is_used;
} gw_given_promise;
/* GW_ACCUMULATE(x, rung) or (x, rung, NAME): what the additions to the adjoint of x, d.x or the shared array x
 * take. */
typedef struct gw_asked_rung {
    gw_str name;
    gw_str request; /* name of the one gradient that it is for; 0: all that have no such mark of these cells */
    uint32_t rung; /* a gw_rung (rungs.h) */
    gw_loc loc;
} gw_asked_rung;
/* GW_PACK(x, ...): of a primal, a name; of a derivative, an adjoint whose elements are `floats` of a record,
 * from `first` on. */
typedef struct gw_packed {
    gw_str name;
    gw_loc loc;
    gw_object object;
    uint32_t first, floats;
} gw_packed;

enum { GW_LAUNCH_PARAM = 16 }; /* subjects: attr of SPECIAL; from here on the numbers of parameters */
/* What is stated of a kernel's launch, "blockDim.x == 128" or "n >= 0": subject relation number (launch.c). */
typedef struct gw_launch_fact {
    uint32_t subject;
    uint32_t relation; /* a gw_relation (relations.h) */
    int64_t number; /* MULTIPLE: of which it is a multiple, from 1 on */
    bool or_atomic; /* of launches that break it there is a gradient too (gw_request.any_launch) */
    bool of_collective; /* said by what the kernel calls, not by its user */
    gw_loc loc;
} gw_launch_fact;
typedef GW_VEC(gw_launch_fact) gw_launch_facts;
typedef struct gw_given_launch { /* from outside of the source */
    gw_str function, text;
    gw_loc loc;
    bool is_used;
} gw_given_launch;
#endif
