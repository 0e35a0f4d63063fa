/*
 * text.h - how one function of the IR becomes C text: the state of what is being written, and what kernels,
 * programs, matrices and the file take from here.
 *
 *   line.c, fold.c, name.c, signature.c      lines, names that are unique in their scope, heads of functions
 *   literal.c, expression.c, place.c         values as C expressions, cells as C lvalues
 *   member.c                                 members, those that are not public too
 *   object.c, assign.c, held.c, copy.c       objects and variables: declared, given values, and what they hold
 *   statement.c, control.c, tape.c           ops as C statements
 *   function.c, numeric.c                    whole functions, those that are differences
 */
#ifndef GW_EMIT_TEXT_H
#define GW_EMIT_TEXT_H
#include "analysis/ir/ir.h"
#include "rewriters/emit/text/plan.h"
#include "rewriters/workspace/workspace.h"

typedef enum gw_emit_language { GW_EMIT_CUDA, GW_EMIT_CXX, GW_EMIT_C } gw_emit_language;

/* What a RET means in the text that is being written. */
typedef enum gw_emit_ret {
    GW_EMIT_RETURN,
    GW_EMIT_SLOTS,   /* of a BOUND: the two counts as a gw_tape_slots, with more as a gw_slot_counts */
    GW_EMIT_MEASURE, /* of a MEASURE: both counts are told to gw_measure */
    GW_EMIT_STORED,  /* of a STORED: its numbers as a gw_stored_counts */
    GW_EMIT_NEEDS    /* of a CHECK: the text of the first assumption that does not hold, or null */
} gw_emit_ret;

typedef struct gw_emit_name {
    gw_str name;
    uint32_t depth;
} gw_emit_name;

/* A variable and the value that it holds. */
typedef struct gw_emit_held {
    gw_value root, source;
} gw_emit_held;
typedef GW_VEC(gw_emit_held) gw_emit_held_list;

/* The if statement that was written last: from where to where in which text; NULL: none that can stand behind
 * "else". */
typedef struct gw_emit_span {
    const gw_text *in;
    size_t from, to;
} gw_emit_span;

/* What a kernel's launch takes beside parameters and adjoints: so many sizes that its caller says, and, of a
 * second half, a workspace of its own. What a device function takes: accumulators of these types (0: none). */
typedef struct gw_launch_shape {
    uint32_t told;
    bool own_space;
    gw_str sums;
    bool packs; /* how many records there are is one more */
} gw_launch_shape;

/* A primary template that has been written. */
typedef struct gw_emit_primary_of {
    gw_str name;
    gw_form form;
    gw_loc loc;
    gw_launch_shape launch;
} gw_emit_primary_of;

/* A struct of named arguments that has been written (named.c). */
typedef struct gw_emit_struct {
    gw_str name, space;
} gw_emit_struct;

typedef struct gw_emitter gw_emitter;
struct gw_emitter {
    gw_session *session;
    gw_emit_language language;
    const gw_func *f;
    gw_emit_plan plan;
    gw_text *out;
    uint32_t depth;   /* nesting of braces */
    bool in_parallel; /* in the body of a loop with a policy */
    bool in_openmp;   /* which threads of OpenMP share out */
    gw_str without_memory; /* where such a body goes that finds no room on its tape; 0: it returns */
    bool went_without;     /* the text goes there */
    uint32_t labels;       /* of the function's text so far; one stands once in a function */
    bool broken;      /* the line that was written last is several, since it was too long */
    gw_emit_span last_if;
    gw_op statement;         /* that is being written; 0: none */
    gw_loc below;            /* what was written last is of this line of the source, */
    bool names_line;         /* and the next statement, which is of one above it, says which */
    uint32_t said;           /* so many updates that come next have their reason above them */
    bool device;             /* runs on the device only */
    bool launch_is_argument; /* text about a launch: gridDim is `grid` */
    gw_emit_ret ret;
    gw_str grid, block;
    gw_emit_held_list held;
    GW_VEC(gw_emit_name) names;
    GW_VEC(gw_emit_primary_of) primaries;
    GW_VEC(gw_emit_struct) structs;
    GW_VEC(uint32_t) reserved; /* by name: how many of them */
    gw_str *variable_name;     /* by representative value; 0: not declared yet */
    gw_str *object_name;       /* by object */
    /* the last: atomics of block scope; with --checked, made when asked for */
    bool *object_declared, *object_is_table, *object_has_scope;
    gw_str tape; /* the workspace's cursor; 0: local stacks */
    /* of a second half: the cursor of what it pushes itself, behind the first one's records; 0: nothing */
    bool tape_is_given; /* it is a pointer, to the cursor of the caller */
    gw_str own_tape;
    gw_str program;             /* the run of a program: the parameter */
    gw_str host_tape, host_top; /* a growing tape: the parameter, and the top of its stack */
    gw_str measuring;           /* of a MEASURE: the parameter that is told what was counted */
    /* in the kernel or its launch: names of the parts that it has beside its statements, of each kind */
    gw_str *parts[GW_TENANTS];
    /* of a kernel that is a template: the parameter that says that all warps have 32 lanes */
    gw_str whole;
    /* variable that stands for threadIdx, where warps lie over tiles of the block */
    gw_str thread;
    gw_str *block_copies;       /* of arrays that have copies: the block's */
    GW_VEC(gw_object) together; /* shared arrays that are one array of records (emit/text/together.c), */
    gw_str records;             /* which is called so */
    gw_str barriers;            /* variable that counts them, with --checked */
    gw_str record_count;     /* with --checked, parameter of a kernel with a pack: how many records there are */
    gw_str stack[2], top[2]; /* local stacks: [0] 4-byte slots, [1] 8-byte slots */
    gw_type stack_type[2];   /* GW_T_VOID: mixed, kept as bits */
    void (*write_device)(gw_emitter *, gw_op); /* writes a DEVICE: what a program does to device memory */
};

/* Precedence of C expressions, lowest first. */
typedef enum gw_precedence {
    GW_PREC_ASSIGN,
    GW_PREC_SELECT,
    GW_PREC_OR,
    GW_PREC_AND,
    GW_PREC_BITOR,
    GW_PREC_BITXOR,
    GW_PREC_BITAND,
    GW_PREC_EQUAL,
    GW_PREC_COMPARE,
    GW_PREC_SHIFT,
    GW_PREC_ADD,
    GW_PREC_MUL,
    GW_PREC_UNARY,
    GW_PREC_PRIMARY
} gw_precedence;

/* What surrounds a value: which conversions C does there by itself. */
typedef enum gw_context {
    GW_IN_EXACT,  /* none that may be relied on */
    GW_IN_ASSIGN, /* initialisation of a variable of the value's type */
    GW_IN_INDEX   /* inside [] */
} gw_context;

/* ---- lines (line.c) ---- */
void gw_emit_line(gw_emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
typedef GW_VEC(char *) gw_emit_items; /* of a call */
void gw_emit_items_free(gw_emit_items *items);
/* "head(a, b)tail", broken into lines where it is long. */
void gw_emit_call_text(gw_emitter *e, const char *head, char *const *items, uint32_t count, const char *tail);
char *gw_emit_quoted(const char *text); /* a C string literal; caller frees */
/* fold.c: the text, broken where its lines have more than `width` columns; caller frees. */
char *gw_emit_folded(const char *text, size_t width);

/* ---- members (member.c): caller frees ---- */
char *gw_emit_member(gw_session *s, const char *object, const gw_field *field); /* "object.x" */
char *gw_emit_leaf(gw_session *s, gw_type t, const char *object, const char *path); /* "object.x[2].y" */
/* What the text calls the parameter that the source does by these letters. */
const char *gw_emit_parameter_called(gw_emitter *e, const char *name, size_t length);
/* What opens the member of a question, "hCLASS;MEMBER;" (ir/question.h), to be freed; `at` goes to its end. */
char *gw_emit_opening(gw_session *s, const char **at);
bool gw_emit_opens(const gw_session *s, gw_type t, const char *path); /* some member there is not public */
gw_str gw_emit_static_member(gw_session *s, uint32_t hidden);
/* False: an adjoint would be set where it is const, and the user is told. */
bool gw_emit_check_members(const gw_func *f);
void gw_emit_openings(const gw_session *s, gw_text *out); /* what text so far needs to name those not public */

/* ---- names (name.c) ---- */
void gw_emit_scope_open(gw_emitter *e);
void gw_emit_scope_close(gw_emitter *e);
void gw_emit_reserve(gw_emitter *e, gw_str name);
void gw_emit_release(gw_emitter *e, uint32_t count);        /* all names but the first so many */
void gw_emit_reserve_used(gw_emitter *e, const gw_func *f); /* what its text says of others by name */
gw_str gw_emit_unique(gw_emitter *e, const char *wish);     /* reserved in the current scope */
gw_str gw_emit_name_value(gw_emitter *e, gw_value root);
gw_str gw_emit_namespace(gw_session *s, const gw_func *f);       /* "a::b" of f, or of what it was made from */
gw_str gw_emit_namespace_of(gw_session *s, gw_str name);         /* of "a::b::f" */
const char *gw_emit_file_name(const gw_session *s, gw_str path); /* without folders */
char *gw_emit_rounding_table_name(const gw_session *s, uint32_t part); /* "f_error_table"; caller frees */

/* ---- declarations of functions (signature.c) ---- */
typedef struct gw_emit_params {
    GW_VEC(char *) texts; /* "const float *x" */
    GW_VEC(gw_str) names;
} gw_emit_params;
/* The definition's parameters have __restrict__ adjoints. */
void gw_emit_params_of(gw_emitter *e, const gw_func *f, bool is_definition, gw_emit_params *list);
void gw_emit_params_add(gw_emit_params *list, gw_session *s, const char *text, const char *name);
void gw_emit_params_free(gw_emit_params *list);
/* ---- arguments by their names (named.c) ---- */
bool gw_emit_takes_named(const gw_emitter *e, const gw_func *f);
/* The function of that name and these parameters, once more with structs; nothing unless that is asked for. */
void gw_emit_named(gw_emitter *e, const gw_func *f, const char *qualifiers, const char *result,
                   const char *name, const gw_emit_params *list);

/* ---- derivatives that are differences (numeric.c) ---- */
void gw_emit_differences(gw_emitter *e, const gw_rule *rule, bool reverse);

/* ---- names that all gradients have (asked.c) ---- */
bool gw_emit_is_asked_program(const gw_emitter *e, const gw_func *f);
void gw_emit_asked(gw_emitter *e, const gw_func *f, const char *tail); /* " {": with bodies, ";": heads */

bool gw_emit_is_exported(const gw_func *f);  /* of a standalone text: other files may call it */
bool gw_emit_takes_tape(const gw_func *f);   /* a gw_host_tape is one of its parameters */
bool gw_emit_is_over_tape(const gw_func *f); /* f_grad_on, which has one, and f_grad, which makes one */
const char *gw_emit_result(const gw_emitter *e, const gw_func *f); /* the type that it returns */
bool gw_emit_returns(const gw_func *f); /* anything */
/* "inline" or what stands in its place; `is_public`: a caller spells the name, as f<3> of a template. */
const char *gw_emit_linkage(const gw_func *f, bool is_public);
/* "template <> __device__ inline ", "__device__ inline ", "static inline "; caller frees */
char *gw_emit_qualifiers(const gw_emitter *e, const gw_func *f);
const char *gw_emit_target(const gw_emitter *e, const gw_func *f); /* "__device__ " */
char *gw_emit_at(const gw_func *f, gw_str name);                   /* "f_grad", "f_grad<3>"; caller frees */
/* The same, or `text`, where it is called, from where f stands: "(f_grad)" if another f stands in another
 * namespace. C++ looks for the names of calls in the namespaces of their arguments, too, but not of these. */
char *gw_emit_called(const gw_func *f, gw_str name);
char *gw_emit_called_text(const gw_func *f, const char *text);

/* ---- values and variables ---- */
const char *gw_emit_type(const gw_emitter *e, gw_type t); /* piece.c */
/* expression.c; caller frees */
char *gw_emit_text(gw_emitter *e, gw_value v, gw_context context, gw_precedence at_least);
/* assign.c */
bool gw_emit_is_declared(const gw_emitter *e, gw_value root);
void gw_emit_assign(gw_emitter *e, gw_value root, const char *text); /* declares it the first time */
/* held.c: the variable is assigned to. */
void gw_emit_forget(gw_emitter *e, gw_value root);

/* ---- memory ---- */
/* The parts of the launch's dynamic shared memory: how many arrays and shadows share it; which of them the
 * object is (object.c). */
typedef struct gw_emit_parts {
    uint32_t number, count;
} gw_emit_parts;
gw_emit_parts gw_emit_dynamic_parts(const gw_func *f, gw_object object);
/* together.c: which shared arrays of e->f are one array of records. */
void gw_emit_find_together(gw_emitter *e);
/* Blocks of tangents in several directions (directions.c). Bytes that those which a parameter of the text leads
 * to are aligned to; 0: it leads to none. A kernel goes by that. */
uint32_t gw_emit_alignment_of(const gw_func *f, const gw_param *p);
void gw_emit_assume_aligned(gw_emitter *e);
/* need.c: with --checked, whether a claim stands in front of the access; whether a kernel is told how many
 * records there are. */
bool gw_emit_is_claimed(const gw_func *f, gw_op op);
bool gw_emit_tests_records(const gw_func *f);
/* row.c: a kind of slots: its type in a kernel's parameters, what writes a row, what makes it on the host. */
typedef struct gw_emit_row_names {
    const char *type, *write, *of;
} gw_emit_row_names;
const gw_emit_row_names *gw_emit_row_names_of(const gw_func *f, gw_op op);
/* accumulator.c. A name for something of the array that an exact addition goes to, reserved; the type of its
 * numbers. */
gw_str gw_emit_exact_name_for(gw_emitter *e, const gw_func *f, gw_op add, const char *what);
const char *gw_emit_exact_number(gw_emitter *e, const gw_func *f, gw_op add);
/* "d_x", "d.poles", "d_l[].x": the array; what its accumulators are to the kernel; the caller frees both. */
char *gw_emit_exact_base(const gw_func *f, gw_op add);
char *gw_emit_exact_type(gw_emitter *e, const gw_func *f, gw_op add);
/* A function of the device takes accumulators as its last parameters: the types of these, "" for none. */
gw_str gw_emit_exact_types(gw_emitter *e, const gw_func *f);

/* ---- functions (function.c) ---- */
void gw_emit_headers(gw_func *f); /* header.c: makes those of reverse loops as the text has them */
void gw_emit_begin(gw_emitter *e, gw_session *s, gw_text *out);
void gw_emit_enter(gw_emitter *e, const gw_func *f); /* plan, names of parameters; the body's scope is open */
void gw_emit_leave(gw_emitter *e);
void gw_emit_body(gw_emitter *e);
void gw_emit_discard_unused(gw_emitter *e);
void gw_emit_comment(gw_emitter *e, const gw_func *f);
/* `pullback`: of the same request, which the gradient calls instead of saying all again; or NULL */
void gw_emit_plain_function(gw_emitter *e, const gw_func *f, const gw_func *pullback);
void gw_emit_prototype(gw_emitter *e, const gw_func *f);   /* of one */
void gw_emit_declaration(gw_emitter *e, const gw_func *f); /* all that callers of one may call */
#endif
