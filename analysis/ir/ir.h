/*
 * ir.h - the intermediate representation: structured, typed, SSA for scalars, objects for memory.
 *
 * A function has one entry region. A region is a list of ops with arguments; it ends in a YIELD (the
 * entry region in a RET). Control is nested regions, never a flow graph, because people read the output.
 *
 *   if cond              regions then, else; both yield the results
 *   for lo hi step init* counted; region 0 has arguments (iv, carried...) and yields the carried values;
 *                        attr is the comparison that keeps it running (GW_OP_LT: iv < hi, also LE GT GE NE);
 *                        results are the final carried values
 *   while init*          region 0 (condition; pure) has the carried values as arguments and yields one bool;
 *                        region 1 (body) has them too and yields their next values
 *   GW_OP_EXIT flag on for/while: the body's yield has one operand more, the first, a bool: true ends the
 *                        loop after the carried values took the yielded ones (break, and do-while).
 *
 * Memory: an op names an object and a path. The path is text with one "[]" for each index operand,
 * fields between them: p[i].pos.x is object p, path "[].pos.x", operand i. A pointer parameter, a
 * reference and an adjoint of a by-value scalar are reached by "[]" with an index (0 where it is *p).
 * A by-value struct parameter is reached without leading "[]": ".x". A path goes on through pointers in
 * memory: ".grid[].x" is d.grid[i].x, "[][]" is rows[i][j]; such a pointer is never written.
 *   load idx*            result type = type of the cell (always a scalar)
 *   store idx* value, accum idx* value
 *
 * Distinct objects never overlap, nor do cells of one object behind distinct pointers in it: different
 * members, or different indices before the last (the contract's assumption; shadows likewise).
 */
#ifndef GRADWRIGHT_IR_IR_H
#define GRADWRIGHT_IR_IR_H

#include "analysis/ir/decision.h"
#include "analysis/ir/support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handles; 0 is "none" in each. They index the arrays of their gw_func (types: of the session). */
typedef uint32_t gw_value, gw_op, gw_region, gw_object, gw_type;

typedef enum gw_opcode {
    GW_OP_NONE,
#define GW_OP(NAME, text, operands, typing, domain, effect, adjoint, spelling, c) GW_OP_##NAME,
#include "analysis/ir/ops.def"
#undef GW_OP
    GW_OP_COUNT
} gw_opcode;

enum gw_scalar_type {
#define GW_TYPE(NAME, text, c, bytes, cls) GW_T_##NAME,
#include "analysis/ir/types.def"
#undef GW_TYPE
    GW_T_SCALARS /* first aggregate */
};

typedef enum gw_typing {
    GW_TYPING_SAME,
    GW_TYPING_BOOL,
    GW_TYPING_FREE,
    GW_TYPING_SHIFT,
    GW_TYPING_INT,
    GW_TYPING_NONE
} gw_typing;
typedef enum gw_domain {
    GW_DOMAIN_NONE,
    GW_DOMAIN_FLOATS,
    GW_DOMAIN_INTEGERS,
    GW_DOMAIN_NUMBERS,
    GW_DOMAIN_BITS,
    GW_DOMAIN_ANYTHING,
    GW_DOMAIN_ADDRESS
} gw_domain;
typedef enum gw_effect {
    GW_EFFECT_PURE,
    GW_EFFECT_READ,
    GW_EFFECT_WRITE,
    GW_EFFECT_MEET,
    GW_EFFECT_LANES,
    GW_EFFECT_CONTROL
} gw_effect;
typedef enum gw_adjoint_kind { GW_ADJOINT_NONE, GW_ADJOINT_FORMULA, GW_ADJOINT_RULE } gw_adjoint_kind;
/* How a pure op is spelled in C. */
typedef enum gw_op_spelling {
    GW_SPELLED_OWN, /* by code of emission's own */
    GW_SPELLED_INFIX,
    GW_SPELLED_PREFIX,
    GW_SPELLED_CALL,
    GW_SPELLED_GW_CALL,  /* of a function that no C library has */
    GW_SPELLED_EXCHANGED /* a call, its two operands exchanged */
} gw_op_spelling;
typedef struct gw_op_row {
    const char *text;
    int operands;
    gw_typing typing;
    gw_domain domain;
    gw_effect effect;
    gw_adjoint_kind adjoint;
    gw_op_spelling spelling;
    const char *c_text; /* INFIX and PREFIX: $0 $1 $2 are operands */
} gw_op_row;
extern const gw_op_row gw_op_rows[GW_OP_COUNT];
static inline bool gw_op_is_function(gw_opcode code) {
    return gw_op_rows[code].spelling >= GW_SPELLED_CALL;
}
static inline bool gw_op_is_exchanged(gw_opcode code) {
    return gw_op_rows[code].spelling == GW_SPELLED_EXCHANGED;
}
static inline bool gw_op_is_texture(gw_opcode code) {
    return code >= GW_OP_TEXTURE && code <= GW_OP_TEXTURE_READ;
}
gw_opcode gw_opcode_by_text(const char *text); /* GW_OP_NONE if there is none */

#include "analysis/ir/attributes.h"

enum gw_op_flags {
    GW_OP_EXIT = 1,   /* for/while: yield has a leading stop flag */
    GW_OP_FAST = 2,   /* math: the fast intrinsic of intrin.def */
    GW_OP_STALE = 4,  /* load of a cell that the thread itself may have written before */
    GW_OP_UNSURE = 8, /* store that may put back what was loaded: the source may not write the cell; address:
                       * the call would write what a derivative must not, and has to go */
    /* load whose cell a later store, marked too, adds to: an addition whose load went ahead */
    GW_OP_EARLY = 16,
    GW_OP_READS = 32,      /* address: the call may read what lies there */
    GW_OP_WRITES = 64,     /* address: the call may write it */
    GW_OP_ANY_ORDER = 128, /* for: its iterations commute, if each finds its own records on the tape */
    GW_OP_DOWN = 256,      /* skip: towards the bottom of the tape */
    GW_OP_REST = 512,      /* if: the threads that take one of its sides have left the kernel there */
    GW_OP_APART = 1024, /* access: all accesses of its object in its region have this mark, and reach different
                         * cells where their index values are not the same */
    /* access of adjoint memory: only threads of one block come to the cell (facts.h) */
    GW_OP_OF_BLOCK = 2048,
    GW_OP_OF_WARP = 4096, /* the same, and of one warp */
    GW_OP_ROUNDED = 8192, /* add, sub of floats: never contracted with the products that it adds */
    /* for, of step 1 or -1: each iteration's index is one step on from the number that the header has */
    GW_OP_BEYOND = 16384,
    GW_OP_BACK = 32768, /* device: its reverse */
    GW_OP_STAYS = GW_OP_BEYOND, /* call: behind noexcept, what it throws ends the process */
    /* accum: of its launch's accesses no other one comes to its cell where it runs (ownership/strides.c) */
    GW_OP_ALONE = GW_OP_BEYOND,
    GW_OP_MAY_STOP = GW_OP_BACK, /* call: it may not come back, though no function of the IR shows it */
    /* call: of a function with effects, or of such a one's derivative: never dropped, moved or repeated */
    GW_OP_ORDERED = GW_OP_DOWN
};

/* ---- types ---- */
/* What a type takes in memory: its bytes, and what its address is a multiple of, a power of two; 0: not known.
 */
typedef struct gw_layout {
    uint32_t size, align;
} gw_layout;
typedef struct gw_field {
    gw_str name;
    gw_type type;
    /* in bytes from where the struct begins, if its layout is known; of a bit-field, the byte that it begins
     * in */
    uint32_t offset;
    /* in C++, the enumerated type of the member, of its elements or of what it leads to; else 0 */
    gw_str enumeration;
    /* in C++, 1 + its place in session->hidden, if emitted text may not name it as a member; else 0 */
    uint32_t hidden;
    bool is_const; /* in C and C++: nobody may set it, in an adjoint either */
} gw_field;
/* A member of a class that others may not name, by itself or in a class that has this one as a base. */
typedef struct gw_hidden {
    gw_str holder, member; /* the class that declares it, as text spells it */
    bool is_closed;        /* it is private or protected itself, */
    bool is_behind;        /* or a base class is: text goes to the holder by a cast */
    bool is_static;
    bool is_used;          /* text names it */
} gw_hidden;
typedef struct gw_type_data {
    enum { GW_TYPE_SCALAR, GW_TYPE_STRUCT, GW_TYPE_ARRAY, GW_TYPE_POINTER } kind;
    gw_str name;             /* C spelling of a struct */
    uint32_t first, count;   /* struct: fields in session->fields; array: count elements */
    gw_layout layout;        /* struct */
    gw_type element;         /* array; pointer: what it leads to, GW_T_VOID where that cannot be reached */
    bool is_const;           /* pointer: what it leads to is const */
} gw_type_data;

/* ---- function parts ---- */
typedef struct gw_value_data {
    gw_type type;   /* always scalar */
    gw_op op;       /* defining op, or 0 for a region argument */
    gw_region region; /* region whose argument it is, else 0 */
    uint32_t index; /* which result or argument */
    gw_str name;    /* the user's name, 0 if none */
} gw_value_data;

typedef struct gw_region_data {
    gw_op parent; /* 0: entry region */
    gw_op first, last;
    gw_value first_arg; /* arguments are consecutive values */
    uint32_t args;
} gw_region_data;

typedef struct gw_op_data {
    uint16_t code, flags, attr;
    uint16_t regions;
    uint16_t policy; /* FOR: a gw_policy (policies.h) */
    gw_region region[2];
    uint32_t first_operand, operands; /* slice of func->operands */
    gw_value first_result;            /* results are consecutive values */
    uint32_t results;
    gw_object object;
    gw_str path;   /* memory ops */
    gw_str callee; /* CALL: symbol of the function; math: 0 */
    gw_str note;   /* what a pass says of what it made, shown in the emitted source */
    uint32_t decision; /* access of adjoint memory: session->decisions (decision.h), 0: none */
    union {
        int64_t i; /* CONST of bool/integer type */
        double f;  /* CONST of float type */
    } imm;         /* of a LAUNCH: gw_launch_request (device.h) */
    /* in a derivative, an op of the primal: an access of a shadow is its adjoint, a branch or loop runs only
     * where it did (docs/internals/ir.md) */
    gw_op origin;
    gw_loc loc;
    gw_region parent;
    gw_op prev, next; /* within the region */
    bool dead;        /* removed; skipped by every walk */
} gw_op_data;

typedef enum gw_object_kind {
    GW_OBJECT_POINTER, /* pointer or reference parameter */
    GW_OBJECT_STRUCT,  /* by-value struct parameter */
    GW_OBJECT_GLOBAL,  /* __device__, __constant__ or file-scope variable */
    GW_OBJECT_LOCAL,   /* local array (or struct with arrays) of one thread */
    GW_OBJECT_TAPE,    /* tape slot (PUSH/POP) of element type `type` */
    /* __shared__ array, struct or scalar of a block; sized: extern __shared__, reached by "[]" */
    GW_OBJECT_SHARED
} gw_object_kind;
/* Made by the function itself, so a derivative has it too, stores included. */
static inline bool gw_object_is_inner(gw_object_kind kind) {
    return kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_SHARED;
}
/* Memory that no other thread sees. */
static inline bool gw_object_is_private(gw_object_kind kind) {
    return kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_TAPE;
}

typedef struct gw_object_data {
    gw_object_kind kind;
    gw_str name;       /* as spelled in the source (d_x for shadows) */
    gw_type type;      /* type of the cell behind "[]" for POINTER; of the whole object otherwise */
    gw_str type_text;  /* C spelling of that type as the user wrote it, without const */
    bool is_const, is_restrict, is_reference, is_constant_memory;
    /* POINTER or GLOBAL, in C++: cells are of the enumerated type type_text, numbers to the IR */
    bool is_enumerated;
    bool is_container; /* reference to a class with operator[]: a std::vector of `type` */
    gw_object shadow_of; /* 0, or the object this is the adjoint of */
    uint32_t hidden;     /* GLOBAL: a static member; as in gw_field */
    bool zeroed;         /* LOCAL: starts as zero ({0}) */
    bool sized; /* LOCAL of run-time size: its DECLARE has the number of elements; reached by "[]" like a
                 * POINTER, type is that of an element. Functions of the host only.
                 * SHARED: of as many bytes as the launch says; no DECLARE. */
    bool in_step; /* SHARED: reached as volatile, by lanes that are taken to run in step; until `lockstep` */
    /* LOCAL: the front end's kind of what nobody knows, from 1 (frontend/place/unknown.c); gone behind it */
    uint8_t unknown;
    /* TAPE: of a kernel that takes a workspace, but this slot's values are few: in a local array */
    bool in_array;
    gw_loc loc;
} gw_object_data;

/* One parameter of a function, in order. Exactly one of value, object is set. */
typedef struct gw_param {
    gw_str name;
    gw_str type_text; /* full C spelling of the parameter type: "const float *__restrict__" */
    gw_str pattern;   /* of an instantiated template: the type as the template spells it, "const T *"; else 0 */
    gw_value value;   /* by-value scalar: entry region argument */
    gw_object object; /* pointer, reference, by-value struct */
    /* value: not 0 if it is no parameter of the text, but how many cells this container has */
    gw_object size_of;
    gw_str size_path; /* size_of: where in that object the container is, ".w"; 0: it is the object */
    /* value, of a program: not 0 if it is no parameter of the text, but how many elements the vector has that
     * parameter number count_of - 1 is */
    uint32_t count_of;
    /* value, of a program: not 0 if it is no parameter of the text, but an address that lies in this struct:
     * the name is "l.mean" */
    gw_object part_of;
    bool is_enumerated; /* value, in C++: the text's parameter is of an enumerated type */
    bool is_texture;    /* value: a cudaTextureObject_t; its adjoint is a gw_texture_shadow */
    bool is_vector;     /* value, of a program: the address of the elements of a vector of Thrust's, which is
                         * what the text's parameter refers to */
    bool is_handle;     /* value: an address that leads to nothing which anybody reads: a stream */
    bool is_passive;    /* value: an address that leads to nothing which has a derivative */
    gw_type leads_to;   /* value: an address: the struct or array that lies there, where it is known; else void.
                         * For who makes such memory; not in the text */
    bool is_apart;      /* then: and must not lead to what has one by way of another address */
    bool is_varied, is_useful; /* then: inputs reach it; outputs need it. Two such are not the same memory */
    bool is_result;     /* object, a STRUCT: no parameter of the text, but the struct that the function returns,
                         * which it stores to once, at its end, and never reads */
    bool is_global;  /* object, a GLOBAL: no parameter of the text, but a variable that the request names */
    bool is_adjoint; /* or tangent, in GW_FORM_JVP */
    uint32_t primal_index; /* is_adjoint: index of the primal's parameter; UINT32_MAX: of the return value */
    /* of a function that carries tangents and has a gradient: 1 + the parameter whose tangent it is; 0: none */
    uint32_t tangent_of;
    gw_loc loc;
} gw_param;

/* No parameter of the text. */
static inline bool gw_param_is_hidden(const gw_param *p) {
    return p->size_of || p->count_of || p->part_of || p->is_result || p->is_global;
}

typedef enum gw_func_kind { GW_FUNC_HOST, GW_FUNC_DEVICE, GW_FUNC_HOST_DEVICE, GW_FUNC_KERNEL } gw_func_kind;
typedef enum gw_form {
    GW_FORM_PRIMAL,
    GW_FORM_GRAD,     /* joined reverse; seed 1 for a returned value */
    GW_FORM_PULLBACK, /* reverse with seed parameter */
    GW_FORM_JVP,      /* forward: the primal, and the tangents of its outputs in one direction */
    GW_FORM_BOUND,    /* host: tape values a thread needs at most; RET 32-bit slots, 64-bit slots, then the rows
                       * that it writes at most for each COLLECT of slots, in their order, cells and additions
                       * of a thread for each array of exact sums, and the last cell of each object that has
                       * copies (u64) */
    GW_FORM_CHECK,    /* host: RET one bool per assumption */
    GW_FORM_FWD,      /* split, first half: the primal, and the tape is written */
    GW_FORM_BWD,      /* split, second half: the tape is read, adjoints */
    GW_FORM_GATHER,   /* runs before the gradient, or behind it: one of its additions, summed up over the grid,
                       * or as it is */
    GW_FORM_MEASURE,  /* runs before it: RET 32-bit and 64-bit slots that a thread's tape has at most (u64) */
    GW_FORM_STORED    /* host: RET of each adjoint that is new to how many cells a launch stores (u64) */
} gw_form;

#include "analysis/ir/stated.h"

/* An assumption of a proof; the condition is operand `index` of the CHECK function's RET. */
typedef struct gw_assumption {
    gw_str condition, why; /* "gridDim.y == 1", checked once, and what for; why 0: it goes without saying */
    uint32_t index;
    bool coarse; /* that a length of the block is a multiple of the coarsening's factor */
} gw_assumption;

enum { GW_WHOLE_BLOCK = 4 }; /* an axis of coarsening: whichever */

typedef struct gw_func {
    struct gw_session *session;
    gw_str name;      /* as emitted: "saxpy", "saxpy_grad" */
    /* what calls name it by, no other function's: the name, "rec'2" for a second one of that name */
    gw_str symbol;
    gw_str qualified; /* its namespace and its name: "ns::saxpy" */
    /* of an instantiated template: "class T, int N", "float, 3"; else 0 */
    gw_str template_head, template_arguments;
    gw_str return_pattern; /* then: the result's type as the template spells it */
    /* ends the names of its helpers where functions share a name ("_2", "_float_3"); else 0 */
    gw_str tag;
    bool is_internal; /* internal linkage: so has what is made from it */
    /* a kernel over a lambda, which no text can name, or one of a library's algorithms, whose functors are the
     * library's: a program launches a copy of it */
    bool is_unspoken;
    gw_func_kind kind;
    gw_form form;
    gw_type return_type;
    gw_str return_text;
    gw_loc loc;
    gw_region entry;
    struct gw_func *primal; /* derivative forms: what it was made from */
    const struct gw_func *second_of; /* a primal that carries tangents, for GW_HVP: of what; else NULL */
    uint32_t request;       /* derivative forms: index into session->requests */
    /* a thread stands for so many threads of the primal along x, y or z, or GW_WHOLE_BLOCK; 0: for one */
    uint32_t coarse, coarse_axis;
    /* kernels of GW_FORM_GATHER run before it: threads along x have numbers of 31 bits, checked at the
     * launch */
    bool has_gathers;
    /* a kernel of GW_FORM_GATHER runs behind it, which is_behind */
    bool has_behind, is_behind;
    /* of a kernel of GW_FORM_GATHER: 1 + the argument that the launch is checked not to be negative; 0: none */
    uint32_t natural;
    bool tape_local;        /* slots are local arrays (static bound), not workspace */
    uint64_t tape_local_slots[2]; /* 32-bit and 64-bit slots of them, or of the objects in_array */
    uint32_t block_least[3], block_most[3]; /* of a kernel's derivative: threads of a block along x, y, z, which
                                             * the launch is checked for; most 0: any number */
    /* of a kernel that the user wrote: threads of a block at most, by its __launch_bounds__; 0: none is
     * known */
    uint32_t bound;
    uint32_t bound_blocks;  /* the same, its second number: blocks side by side at least */
    bool tape_caller; /* of the device: slots are on the tape of the caller, a parameter */
    gw_value iteration; /* of a loop of the host as a kernel (ownership/outline.c): the loop's index */
    bool tape_host; /* slots and sized objects are on a gw_host_tape: a parameter, and it returns a gw_status; a
                     * JVP has one of its own and gives NaN without memory */
    GW_VEC(gw_param) params;
    GW_VEC(gw_object_data) objects; /* [0] unused */
    GW_VEC(gw_op_data) ops;         /* [0] unused */
    GW_VEC(gw_value_data) values;   /* [0] unused */
    GW_VEC(gw_region_data) regions; /* [0] unused */
    GW_VEC(gw_value) operands;
    GW_VEC(gw_assumption) assumptions; /* GW_FORM_CHECK: what its results mean */
    GW_VEC(gw_promise) promises;       /* primal */
    /* primal: what its user states; derivative of which a later pass proves more: what is supposed besides */
    gw_launch_facts launch;
    GW_VEC(gw_asked_rung) asked;       /* primal */
    GW_VEC(gw_packed) packed;          /* primal; derivative with a pack */
    gw_object pack;                    /* derivative: parameter, the array of records; 0: none */
    uint32_t pack_stride;              /* floats from record to record */
} gw_func;

/* What a request calls the parameter: a tangent goes by what it is the tangent of. */
static inline const gw_param *gw_param_root(const gw_func *f, const gw_param *p) {
    while (p->tangent_of)
        p = &f->params.at[p->tangent_of - 1];
    return p;
}
static inline gw_str gw_param_asked(const gw_func *f, const gw_param *p) { return gw_param_root(f, p)->name; }

enum { GW_MOST_THREADS = 1024 }; /* of a block, on every device */

/* Threads of a block at most, by the __launch_bounds__ of the kernel that f is or was made of; 0: none is
 * known. */
static inline uint32_t gw_launch_bound(const gw_func *f) { return f->primal ? f->primal->bound : f->bound; }

#include "analysis/ir/asked.h"

/* Options of a run; the command, the plugin and gwcc fill the same struct. */
typedef struct gw_options {
    const char *output;     /* NULL: standard output */
    bool explain, checked;  /* decision table; claims before each plain adjoint access */
    /* a gw_rung (rungs.h), of all additions that several threads make; AUTO: what the cost model chooses */
    uint32_t accumulate;
    bool prefers;           /* where that rung is unsound another one is taken; else it is an error */
    bool deterministic;     /* only rungs with a fixed order of additions; what has none is an error */
    bool smt_off;           /* ownership: no questions to the solver */
    uint32_t smt_budget;    /* for each question, in thousands of the solver's steps; 0: the usual one */
    uint32_t smt_time;      /* of each question, in milliseconds; 0: the usual one */
    const char *smt_cache;  /* a folder for the solver's answers; NULL: none are kept */
    /* of the rules, for each function in each pass, in thousands of steps; 0: the usual one */
    uint32_t proof_budget;
    uint32_t coarsen;       /* of gradients whose source says nothing: GW_COARSEN's number, 0: none */
    bool keep_seed;         /* consumed output adjoints are left as they are */
    bool fresh;             /* adjoints of kernels' inputs are new, where the request says how long they are */
    bool named;             /* functions that take their arguments by names, too */
    bool standalone;          /* the text is a source that includes the primal's */
    const char *declarations; /* of a standalone text's functions: a header; NULL: none */
    const char *report, *profile; /* files: the page of the decisions, and measured costs for it; NULL: none */
    const char *given;      /* those that change the text, as a command line has them; NULL: not known */
    const char *dump, *stop_after, *from_ir;
    bool exports;           /* a table of the derivatives behind the text (emitted/exported.h), too */
    bool verify;            /* run the verifier after each pass */
    uint64_t without;       /* bits of gw_optional: steps that the run is to do without (optional.h) */
    const char *steps;      /* a file for the names of those that it took; NULL: none */
} gw_options;

/* A line of the emitted text, and what it came from. */
typedef struct gw_emitted {
    gw_str text; /* without the blanks in front */
    gw_loc loc;
    uint16_t code;
} gw_emitted;

/* Steps that proofs about one function may still take in the pass that runs (analysis/prove/prove.h). */
typedef enum gw_effort_kind { GW_EFFORT_PROOFS, GW_EFFORT_SOLVER, GW_EFFORT_COUNT } gw_effort_kind;
typedef struct gw_effort {
    gw_str function, after; /* its symbol; the pass before */
    gw_form form;
    uint64_t left[GW_EFFORT_COUNT];
    uint64_t taken; /* by all proofs of the session */
} gw_effort;

typedef struct gw_session {
    gw_options options;
    gw_str source_file; /* main file of the translation unit, as given */
    gw_str include_mode_name; /* x.grad.cuh */
    bool is_cuda, is_c; /* else C++ */
    gw_str stage;       /* name of the last pass that ran */
    GW_VEC(gw_type_data) types; /* scalars first, in order of types.def */
    GW_VEC(gw_field) fields;
    GW_VEC(gw_hidden) hidden;
    GW_VEC(gw_func *) funcs;    /* primals and derivatives */
    GW_VEC(gw_request) requests;
    GW_VEC(gw_given_checkpoint) checkpoints;
    GW_VEC(gw_capture_struct) captures;
    bool algorithms; /* text may name what is in gradwright/algorithms/each */
    bool primitives; /* and in gradwright/algorithms/primitives.cuh */
    bool messages;   /* and in gradwright/mpi.h */
    GW_VEC(gw_rule) rules;
    GW_VEC(gw_given_promise) promises;
    GW_VEC(gw_given_launch) launches;
    GW_VEC(gw_given_launch) packs; /* the same of GW_PACK: names of arrays */
    GW_VEC(gw_str) included;    /* files that the source was made of, itself first; no gradients */
    GW_VEC(gw_str) directives;  /* what the source itself includes: "<name>" or a path */
    GW_VEC(gw_str) macros;      /* that the source or its own headers define: what is made has no such name */
    GW_VEC(gw_str) declared;    /* functions, variables and types of theirs, outside of functions and classes */
    GW_VEC(gw_decision) decisions; /* [0] unused */
    GW_VEC(gw_rung_choice) choices;     /* [0] unused */
    /* if the options have a profile to lay over them; equal ones in the order of the text */
    GW_VEC(gw_emitted) emitted;
    GW_VEC(gw_diagnostic) diagnostics;
    uint32_t diagnostics_printed;
    gw_effort effort;
    uint64_t taken; /* bits of gw_optional: steps that have changed something, or tried to */
    bool failed;
    /* Symbols of kernels, and of functions of the device with a gradient. What they call with loops is inlined,
     * however often: the source was read before, and they had no tape to hand over. Whole: all that they call,
     * since second derivatives go through no call. Those that were found this time: read it once more. */
    GW_VEC(gw_inlining) inlining, to_inline;
    /* Others of the run that are read behind the source, for functions whose bodies they have; those that were
     * found this time: read it once more. */
    GW_VEC(uint32_t) joined, to_join;
    /* Requests that the front end refused, and those that an earlier reading did and this one passes over
     * (gw_request_key): what else is refused is then looked for in the others. */
    GW_VEC(gw_str) refused, passed_over;
    /* private to support.c */
    struct gw_interner *interner;
} gw_session;

gw_session *gw_session_new(void);
void gw_session_free(gw_session *s);
static inline bool gw_session_failed(const gw_session *s) { return s->failed; }
/* The request that the user made, where one may stand in its place. */
static inline uint32_t gw_users_request(const gw_session *s, uint32_t request) {
    const bool is_other = request < s->requests.count && s->requests.at[request].in_place_of;
    return is_other ? s->requests.at[request].in_place_of - 1 : request;
}
/* A derivative that stands in the place of the user's, along another axis or for any launch. */
static inline bool gw_is_along_other(const gw_func *f) {
    return gw_users_request(f->session, f->request) != f->request;
}
static inline bool gw_is_for_any_launch(const gw_func *f) {
    return f->primal && f->request < f->session->requests.count &&
           f->session->requests.at[f->request].any_launch;
}
/* How many directions the tangents of a forward derivative in several directions have; else 0. */
static inline uint32_t gw_directions(const gw_func *f) {
    const bool forward = f->form == GW_FORM_JVP && f->request < f->session->requests.count;
    return forward ? f->session->requests.at[f->request].directions : 0;
}
/* The number of seeds that the gradient which makes a Jacobian's rows has at once; 0: one, as every other. */
static inline uint32_t gw_seeds(const gw_func *f) {
    const bool reverse = f->form == GW_FORM_GRAD && f->request < f->session->requests.count;
    return reverse ? f->session->requests.at[f->request].directions : 0;
}
/* One more request, the same but for its name, in the place of another: its number. */
uint32_t gw_request_beside(gw_session *s, uint32_t request, gw_str name);
/* The source is to be read once more, with what the function calls inlined; false: it was read so. */
bool gw_ask_to_inline(gw_session *s, gw_str symbol, bool whole);

/* ---- facts about a launch as text (launch.c) ---- */
/* One of a list, from *text to the comma or the end, behind which *text is then. NULL, or what is wrong with
 * it; of a subject that is none, *subject is its text. */
const char *gw_launch_read(const gw_func *f, const char **text, gw_launch_fact *out, gw_str *subject);
/* "blockDim.x % 32 == 0" */
void gw_launch_text(const gw_func *f, const gw_launch_fact *fact, gw_text *out);

/* ---- reading ---- */
static inline gw_op_data *gw_op_at(const gw_func *f, gw_op op) { return &f->ops.at[op]; }
static inline gw_value_data *gw_value_at(const gw_func *f, gw_value v) { return &f->values.at[v]; }
static inline gw_region_data *gw_region_at(const gw_func *f, gw_region r) { return &f->regions.at[r]; }
static inline gw_object_data *gw_object_at(const gw_func *f, gw_object o) { return &f->objects.at[o]; }
static inline gw_value gw_operand(const gw_func *f, gw_op op, uint32_t i) {
    return f->operands.at[f->ops.at[op].first_operand + i];
}
static inline void gw_set_operand(gw_func *f, gw_op op, uint32_t i, gw_value v) {
    f->operands.at[f->ops.at[op].first_operand + i] = v;
}
static inline gw_value gw_result(const gw_func *f, gw_op op, uint32_t i) {
    return f->ops.at[op].first_result + i;
}
static inline gw_value gw_arg(const gw_func *f, gw_region r, uint32_t i) {
    return f->regions.at[r].first_arg + i;
}
static inline gw_type gw_typeof(const gw_func *f, gw_value v) { return f->values.at[v].type; }
/* The ADDRESS that is operand i of an op, 0 if it is another value. */
gw_op gw_operand_address(const gw_func *f, gw_op op, uint32_t i);
/* Index operands of a memory op (without the value of store/accum). */
uint32_t gw_index_count(const gw_func *f, gw_op op);
gw_op gw_region_end(const gw_func *f, gw_region r); /* its YIELD or RET, 0 if there is none yet */
bool gw_const_int(const gw_func *f, gw_value v, int64_t *out);
bool gw_const_real(const gw_func *f, gw_value v, double *out);
gw_region gw_value_region(const gw_func *f, gw_value v);          /* region in which v is defined */
bool gw_region_inside(const gw_func *f, gw_region r, gw_region outer); /* r == outer or nested in it */
/* Whether v is visible at (usable in) region r, ignoring the order within one region. */
static inline bool gw_value_visible(const gw_func *f, gw_value v, gw_region r) {
    return gw_region_inside(f, r, gw_value_region(f, v));
}
/* Walk: for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) skips dead ops. */
static inline gw_op gw_next_living(const gw_func *f, gw_op op) {
    while (op && gw_op_at(f, op)->dead) op = gw_op_at(f, op)->next;
    return op;
}
static inline gw_op gw_prev_living(const gw_func *f, gw_op op) {
    while (op && gw_op_at(f, op)->dead) op = gw_op_at(f, op)->prev;
    return op;
}
static inline gw_op gw_first(const gw_func *f, gw_region r) {
    return gw_next_living(f, gw_region_at(f, r)->first);
}
static inline gw_op gw_last(const gw_func *f, gw_region r) {
    return gw_prev_living(f, gw_region_at(f, r)->last);
}
static inline gw_op gw_next(const gw_func *f, gw_op op) { return gw_next_living(f, gw_op_at(f, op)->next); }
static inline gw_op gw_prev(const gw_func *f, gw_op op) { return gw_prev_living(f, gw_op_at(f, op)->prev); }

/* ---- changing ---- */
void gw_op_remove(gw_func *f, gw_op op);                       /* unlinks it and what is in its regions */
void gw_op_move(gw_func *f, gw_op op, gw_region r, gw_op before); /* before 0: to the end */
void gw_replace_uses(gw_func *f, gw_value old, gw_value now);  /* in the whole function */

#ifdef __cplusplus
}
#endif
#include "analysis/ir/builder.h"
#include "analysis/ir/derived_name.h"
#include "analysis/ir/types.h"
#include "analysis/ir/value_map.h"
#endif
