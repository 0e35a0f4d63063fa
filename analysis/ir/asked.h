/*
 * asked.h - what users ask for and say, as the session keeps it: requests, checkpoints, rules, and structs that
 * stand for lambdas' captures. A part of ir.h.
 */
#ifndef GRADWRIGHT_IR_ASKED_H
#define GRADWRIGHT_IR_ASKED_H

/* "C wrt A, B" or "both = C wrt A, B": names may carry members ("d.x"); dependent empty = the returned value.
 * "C wrt A with B": outputs that stand for the tape of a split gradient. */
typedef GW_VEC(gw_str) gw_names;
/* A struct of what a lambda holds copies of, which stands for its type in the text. */
typedef struct gw_capture_struct {
    gw_str name;      /* "body_captures" */
    uint32_t line;    /* of the lambda */
    gw_names members; /* "const float *x" */
} gw_capture_struct;
enum { GW_MOST_DIRECTIONS = 16 };
typedef struct gw_request {
    uint32_t kind;    /* a gw_request_kind (requests.h) */
    gw_str function;  /* as the source calls it: "ns::f", "S::f", "f<3>" */
    gw_str text;      /* "C wrt A, B" */
    gw_str name;      /* "both": stands in place of f_grad; 0: none */
    gw_names dependents;
    gw_names independents;
    gw_names kept;    /* behind "with" */
    gw_str model;     /* behind "by": the function that makes an error of an adjoint and a value; 0: none */
    /* of a matrix, and of what is fresh: "n" of "x[0:n]", for each name; 0: a number */
    gw_names dependent_extents, independent_extents;
    gw_names fresh; /* those of `independents` whose adjoints are new: nobody has cleared them */
    uint32_t directions; /* of GW_DERIVATIVES: how many are carried at once; else 0 */
    bool is_sparse;   /* GW_JACOBIAN("sparse ..."): in compressed rows */
    bool is_pattern;  /* a part of that: which output depends on which input, in bits */
    bool names_entries; /* or named, entry by entry: its last parameter is the handle, and not the path */
    uint32_t part_of; /* 1 + the request whose rows, columns or terms this makes; 0: none */
    gw_loc loc;       /* of the annotation, or of the line in a file of requests; line 0 = command line */
    bool from_source; /* annotated */
    bool implied;     /* nobody asked: another request's function calls this one */
    bool launched;    /* a program launches the kernel: this is the reverse of its launches */
    bool is_made;     /* then: for these alone; nobody has asked for it */
    bool may_be_unused; /* then: what it leaves may have no use, so that its adjoint is 0 for want of one */
    bool halves;      /* then: the reverse needs what the kernel overwrites, so that launches leave a tape */
    gw_str variant;   /* then: "_wrt_W", in the names of what tells of such launches; 0: with respect to all */
    bool plain;       /* then: of a template's instance, whose functions need not be templates: nobody else's */
    /* GW_COARSEN: a thread of the gradient does the work of so many of the primal; 0: nothing said */
    uint32_t coarsen;
    gw_loc coarsen_loc;
    gw_str digest;    /* of all that the function is made of, 16 hexadecimal digits (digest.c); 0: not known */
    uint32_t in_place_of; /* 1 + the request whose gradient this is too, coarsened along another axis
                             (device/axes.c), or for any launch; 0: the user's */
    bool any_launch;      /* it goes without facts that are stated "or atomic", and supposes none */
    struct gw_func *func; /* resolved by the front end */
} gw_request;

/* A function that inlines what it calls: what has loops or calls, or all. */
typedef struct gw_inlining {
    gw_str symbol;
    bool whole;
} gw_inlining;

enum { GW_MOST_STATES = 65536 }; /* of GW_CHECKPOINT_BINOMIAL */

/* GW_CHECKPOINT on a loop, asked for from outside of the source. */
typedef struct gw_given_checkpoint {
    gw_str text, function; /* "ns::f:12=25"; "ns::f" */
    uint32_t line;         /* where the loop begins, in the function's file */
    int64_t number;        /* 25; negative: GW_CHECKPOINT_BINOMIAL */
    gw_loc loc;            /* of the line in a file of requests; line 0 = command line */
    bool found;
} gw_given_checkpoint;

/* A parameter of a function that works on memory of the device and has a pullback, or of one whose derivatives
 * are differences. */
typedef struct gw_rule_param {
    gw_str name, type; /* "const float *" */
    gw_str cell;       /* what it is, or leads to: "float" */
    gw_str extent;     /* of differences: how many numbers it leads to, "3 * n"; 0: it is not named with one */
    uint32_t only_for; /* the pullback takes what it leads to where the adjoint of that parameter is asked; from
                          1, 0: always */
    bool is_memory;    /* a pointer to numbers */
    bool is_active;    /* a floating-point number or a pointer to such: it has an adjoint */
    bool writes;       /* through it */
    bool taken;        /* the pullback takes what it leads to */
    bool is_enumerated; /* of differences, in C++: a number is cast to `type` */
    bool is_scratch;   /* the pullback takes other memory of that size, for its own work */
} gw_rule_param;

/* Derivatives that the user wrote for a function; 0 where there is none. Names as the source calls them. */
typedef struct gw_rule {
    gw_str function, pullback, jvp;
    bool is_nondifferentiable; /* its result carries no derivative */
    bool draws;                /* each call gives other numbers, so that none may run again */
    bool is_ordered;           /* its calls have effects: each is performed once, in the order of the source */
    /* A function that works on memory of the device has the type of the status that it returns (0: nothing),
     * whether the pullback returns one; which parameter, from 1, is the stream or tells it. */
    gw_str status;
    bool tells, stream_told;
    uint32_t stream;
    /* GW_NUMERIC: its text, or 0; which of the two are differences, then, and by what step, beside the greater
     * of |x| and 1; whether what it returns is an output. `status` is its result's type, 0: none. */
    gw_str numeric, step;
    bool by_pullback, by_jvp, of_result;
    GW_VEC(gw_rule_param) params;
} gw_rule;

#endif
