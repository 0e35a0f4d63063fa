/*
 * emit_private.h - state shared by the files of emission (emit*.c): how one function of the IR becomes C text.
 *
 *   emit/need.c        which ops and values the text needs at all
 *   emit/plan.c        which values are printed inside their user's expression, which get a name
 *   emit/variable.c    which named values share one C variable
 *   emit/name.c        names, unique in their scope
 *   emit/literal.c, emit/expression.c, emit/place.c    values as C expressions, cells as C lvalues
 *   emit/statement.c, emit/control.c, emit/copy.c      ops as C statements
 *   emit/held.c        which variables hold a value already
 *   emit/tape.c        slots of the tape
 *   emit/signature.c, emit/function.c, emit/kernel.c, emit/template.c   whole functions
 *   emit.c             the file
 */
#ifndef GW_EMIT_PRIVATE_H
#define GW_EMIT_PRIVATE_H
#include "analysis/ir/ir.h"
#include "analysis/ir/restructure.h"

/* ---- plan ---- */
typedef enum gw_emit_form {
    GW_EMIT_NAMED, /* a C variable of its own, or shared */
    GW_EMIT_INLINE /* printed where it is used */
} gw_emit_form;

typedef struct gw_emit_use {
    gw_op at;      /* statement that evaluates the value */
    uint32_t next; /* next use of the same value; 0 ends */
} gw_emit_use;

typedef struct gw_emit_value {
    uint8_t form;
    bool needed;
    bool shared;   /* of a representative: more than one value has this variable */
    bool heavy;    /* inline tree holds a load or a call of a function: not to be repeated */
    uint32_t uses; /* operands of needed ops */
    gw_op user;    /* the last of them */
    uint32_t user_index;
    uint32_t length;    /* estimated characters of the inline text */
    uint32_t first_use; /* of named values: list of places where the text reads them */
    gw_value variable;  /* union-find link: values of one C variable */
    gw_str name;        /* of a representative: the user's name of some member, 0 if none has one */
} gw_emit_value;

typedef struct gw_emit_op {
    bool needed;
    bool expression; /* an IF printed as c ? a : b */
    uint32_t position;
    gw_op at; /* inline: the statement that evaluates it */
} gw_emit_op;

typedef struct gw_emit_write {
    uint32_t position;
    gw_object object; /* 0: any that is not constant */
} gw_emit_write;

typedef struct gw_emit_plan {
    const gw_func *f;
    bool keep_minmax_operands; /* min and max print their operands twice */
    bool keep_shadow_loads;    /* checked build: a claim stands before each access of a shadow */
    gw_emit_value *values;
    gw_emit_op *ops;
    GW_VEC(gw_op) order;          /* needed ops; an op with regions follows what is in them */
    GW_VEC(gw_emit_write) writes; /* by position */
    GW_VEC(gw_emit_use) uses;     /* [0] unused */
} gw_emit_plan;

void gw_emit_plan_make(gw_emit_plan *p, const gw_func *f, bool keep_minmax_operands, bool keep_shadow_loads);
void gw_emit_plan_free(gw_emit_plan *p);
void gw_emit_need(gw_emit_plan *p); /* step 1 of making; the others follow */
/* Whether the text needs operand i of a needed op (yields and inits of results that nobody reads: no). */
bool gw_emit_operand_needed(const gw_emit_plan *p, gw_op op, uint32_t i);
void gw_emit_variables(gw_emit_plan *p); /* last step */
/* The value that stands for v's C variable. */
gw_value gw_emit_variable(const gw_emit_plan *p, gw_value v);
bool gw_emit_same_variable(const gw_emit_plan *p, gw_value a, gw_value b);
/* Whether the text of v reads the variable of root. */
bool gw_emit_reads(const gw_emit_plan *p, gw_value v, gw_value root);
static inline bool gw_emit_is_inline(const gw_emit_plan *p, gw_value v) {
    return p->values[v].form == GW_EMIT_INLINE;
}
/* The loop whose carried value v is (an argument or a result) and its number; 0 if it is none. */
gw_op gw_emit_carried_by(const gw_func *f, gw_value v, uint32_t *index);
uint32_t gw_emit_needed_result(const gw_emit_plan *p, gw_op op, uint32_t *count); /* index of the first */

/* ---- writing ---- */
typedef enum gw_emit_language { GW_EMIT_CUDA, GW_EMIT_CXX, GW_EMIT_C } gw_emit_language;

/* What a RET means in the text that is being written. */
typedef enum gw_emit_ret {
    GW_EMIT_RETURN,
    GW_EMIT_SLOTS, /* of a BOUND: the two counts as a gw_tape_slots, with more as a gw_slot_counts */
    GW_EMIT_MEASURE, /* of a MEASURE: both counts are told to gw_measure */
    GW_EMIT_NEEDS  /* of a CHECK: the text of the first assumption that does not hold, or null */
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
} gw_launch_shape;

/* A primary template that has been written. */
typedef struct gw_emit_primary_of {
    gw_str name;
    gw_form form;
    gw_loc loc;
    gw_launch_shape launch;
} gw_emit_primary_of;

typedef struct gw_emitter gw_emitter;
struct gw_emitter {
    gw_session *session;
    gw_emit_language language;
    const gw_func *f;
    gw_emit_plan plan;
    gw_text *out;
    uint32_t depth;          /* nesting of braces */
    bool in_parallel;        /* in the body of a loop with a policy */
    bool broken;             /* the line that was written last is several, since it was too long */
    gw_emit_span last_if;
    gw_op statement;         /* that is being written; 0: none */
    bool device;             /* runs on the device only */
    bool launch_is_argument; /* text about a launch: gridDim is `grid` */
    gw_emit_ret ret;
    gw_str grid, block;
    gw_emit_held_list held;
    GW_VEC(gw_emit_name) names;
    GW_VEC(gw_emit_primary_of) primaries;
    GW_VEC(uint32_t) reserved; /* by name: how many of them */
    gw_str *variable_name; /* by representative value; 0: not declared yet */
    gw_str *object_name;   /* by object */
    /* the last: atomics of block scope; with --checked, made when asked for */
    bool *object_declared, *object_is_table, *object_has_scope;
    gw_str tape;             /* the workspace's cursor; 0: local stacks */
    /* of a second half: the cursor of what it pushes itself, behind the first one's records; 0: nothing */
    bool tape_is_given;      /* it is a pointer, to the cursor of the caller */
    gw_str own_tape;
    gw_str program; /* the run of a program: the parameter */
    gw_str host_tape, host_top; /* a growing tape: the parameter, and the top of its stack */
    gw_str measuring;            /* of a MEASURE: the parameter that is told what was counted */
    gw_str *slots;               /* rows of groups (emit/slots.c), in the kernel or its launch */
    /* of a kernel that is a template: the parameter that says that all warps have 32 lanes */
    gw_str whole;
    /* variable that stands for threadIdx, where warps lie over tiles of the block */
    gw_str thread;
    /* of arrays (emit/copies.c), in the kernel or its launch: all of them, and the block's */
    gw_str *copies, *block_copies;
    /* accumulators of arrays (emit/exact.c), in the kernel or its launch; those of shared ones */
    gw_str *exact, *settled;
    GW_VEC(gw_object) together;  /* shared arrays that are one array of records (emit/together.c), */
    gw_str records;              /* which is called so */
    gw_str barriers;             /* variable that counts them, with --checked */
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

typedef struct gw_piece {
    gw_text text;
    gw_precedence precedence;
    bool is_not; /* text begins with the logical !, or negates all of it */
} gw_piece;

/* What surrounds a value: which conversions C does there by itself. */
typedef enum gw_context {
    GW_IN_EXACT,  /* none that may be relied on */
    GW_IN_ASSIGN, /* initialisation of a variable of the value's type */
    GW_IN_INDEX   /* inside [] */
} gw_context;

/* emit/name.c */
void gw_emit_scope_open(gw_emitter *e);
void gw_emit_scope_close(gw_emitter *e);
void gw_emit_reserve(gw_emitter *e, gw_str name);
void gw_emit_release(gw_emitter *e, uint32_t count); /* all names but the first so many */
void gw_emit_reserve_used(gw_emitter *e, const gw_func *f); /* what its text says of others by name */
bool gw_emit_name_taken(const gw_emitter *e, gw_str name);
gw_str gw_emit_unique(gw_emitter *e, const char *wish); /* reserved in the current scope */
gw_str gw_emit_name_value(gw_emitter *e, gw_value root);
void gw_emit_reserve_globals(gw_emitter *e);
/* emit/literal.c */
gw_piece gw_emit_literal(const gw_emitter *e, gw_value v, bool bare); /* bare: no suffix for integers */
/* emit/expression.c */
gw_piece gw_piece_new(char *text, gw_precedence precedence); /* takes the text */
char *gw_piece_text(gw_piece p, gw_precedence at_least);     /* parenthesised if needed; takes the piece */
/* Takes the leading minus off a floating product; true if there was one. */
bool gw_piece_strip_minus(gw_piece *p, gw_type type);
gw_piece gw_emit_expression(gw_emitter *e, gw_value v, gw_context context);
gw_piece gw_emit_operation(gw_emitter *e, gw_value v, gw_context context); /* v's op, whatever its form */
gw_piece gw_emit_negation(gw_emitter *e, gw_value v);                      /* of a bool */
char *gw_emit_text(gw_emitter *e, gw_value v, gw_context context, gw_precedence at_least); /* caller frees */
const char *gw_emit_type(const gw_emitter *e, gw_type t);
gw_op gw_emit_inline_op(const gw_emitter *e, gw_value v,
                        gw_opcode code); /* v's op if printed in place, else 0 */
/* emit/binary.c */
gw_piece gw_emit_binary(gw_emitter *e, gw_op op, gw_opcode code); /* `code` instead of the op's own */
/* emit/math.c */
char *gw_emit_math_name(const gw_emitter *e, gw_opcode code, gw_type type, bool fast); /* caller frees */
/* emit/place.c */
/* The value of a cell: the place, converted where it is one of half precision. */
gw_piece gw_emit_loaded(gw_emitter *e, gw_op op);
gw_piece gw_emit_place(gw_emitter *e, gw_op op);
char *gw_emit_address(gw_emitter *e, gw_op op);
/* With another text in place of that index operand. */
char *gw_emit_address_at(gw_emitter *e, gw_op op, uint32_t replaced, const char *instead);
gw_str gw_emit_object(gw_emitter *e, gw_object o);
void gw_emit_declare_object(gw_emitter *e, gw_object o);
/* Of the launch's dynamic shared memory: how many arrays and shadows share it; which of them the object is. */
typedef struct gw_emit_parts {
    uint32_t number, count;
} gw_emit_parts;
gw_emit_parts gw_emit_dynamic_parts(const gw_func *f, gw_object object);
void gw_emit_make_sized(gw_emitter *e, gw_op declare);
void gw_emit_free_sized(gw_emitter *e);
void gw_emit_declare_outer_objects(gw_emitter *e); /* those that no single DECLARE covers */
bool gw_emit_is_claimed(const gw_func *f, gw_op op);
/* emit/table.c: declares the local arrays that hold constants; their stores are not written */
void gw_emit_tables(gw_emitter *e);
/* emit/line.c */
enum { GW_EMIT_WIDTH = 110 }; /* of a line */
void gw_emit_line(gw_emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gw_emit_region(gw_emitter *e, gw_region r);
char *gw_emit_comment_of(
    const char *says); /* "// ...", which neither ends early nor swallows the next line; the caller frees it */
void gw_emit_remark(gw_emitter *e, char *comment); /* "// ...", on lines of its own, broken at blanks */
/* An atomic whose cell no other block comes to; shared memory is the block's anyway. */
bool gw_emit_is_of_block_scope(const gw_func *f, gw_op op);
/* with --checked, of an adjoint that threads share; "if (c) " */
void gw_emit_claim(gw_emitter *e, gw_op op, const char *when);
void gw_emit_headers(gw_func *f);             /* emit/header.c: those of reverse loops, for the text */
bool gw_emit_tests_records(const gw_func *f); /* its kernel is told how many there are */
/* emit/collect.c */
/* emit/vector.c: the addition and its neighbours that one instruction makes; whether it is one of those behind
 * the first. */
char *gw_emit_vector(gw_emitter *e, gw_op first);
bool gw_emit_is_in_vector(const gw_func *f, gw_op op);
/* emit/pack.c: behind a gradient with a pack, the kernel that unpacks, and the records' size; "HEAD TAIL" of
 * the latter. */
void gw_emit_unpack(gw_emitter *e, const gw_func *f);
void gw_emit_pack_bytes(gw_emitter *e, const gw_func *f, const char *tail);
void gw_emit_collect(gw_emitter *e, gw_op op);
/* The lanes that add, where a vote in front of the branch around has told them: at least those; 0: none has. */
gw_value gw_emit_known_lanes(const gw_func *f, gw_op collect);
/* "const float x": names the variable. */
char *gw_emit_declared(gw_emitter *e, gw_value root, bool is_constant);
bool gw_emit_assign_in_place(gw_emitter *e, gw_value root, gw_value v); /* "acc += x;"; else false */
void gw_emit_assign(gw_emitter *e, gw_value root, const char *text); /* declares it the first time */
bool gw_emit_is_declared(const gw_emitter *e, gw_value root);
void gw_emit_assign_value(gw_emitter *e, gw_value root, gw_value source);
/* emit/control.c */
void gw_emit_if(gw_emitter *e, gw_op op);
bool gw_emit_update(gw_emitter *e, gw_op op); /* of a choice that keeps its variable in one arm; else false */
void gw_emit_for(gw_emitter *e, gw_op op);
void gw_emit_while(gw_emitter *e, gw_op op);
gw_text gw_emit_loop_body(gw_emitter *e, gw_op op); /* the caller frees it */
/* emit/parallel.c: a loop with a policy, from what to what, and the name of its index */
void gw_emit_parallel(gw_emitter *e, gw_op op, const char *from, const char *to, const char *counter);
/* emit/copy.c: variables take values, all at once */
typedef struct gw_emit_copy {
    gw_value root, source;
    char *text; /* of a source that was put into a temporary */
} gw_emit_copy;
/* `stop`: a bool that is read after the copies (0: none); its text, evaluated before if it must be. */
char *gw_emit_copies(gw_emitter *e, gw_emit_copy *copies, uint32_t count, gw_value stop, bool *stop_is_late);
/* emit/tape.c */
void gw_emit_tape_begin(gw_emitter *e);
void gw_emit_tape_end(gw_emitter *e);
char *gw_emit_tape_to_hand(const gw_emitter *e); /* "&tape", what a callee gets that takes it */
void gw_emit_push(gw_emitter *e, gw_op op);
void gw_emit_pop(gw_emitter *e, gw_op op);
void gw_emit_reserve_room(gw_emitter *e, gw_op op);
void gw_emit_expect(gw_emitter *e, gw_op op);
void gw_emit_skip(gw_emitter *e, gw_op op);
/* emit/held.c */
void gw_emit_hold(gw_emitter *e, gw_value root, gw_value source);
bool gw_emit_holds(const gw_emitter *e, gw_value root, gw_value source);
/* The variable is assigned to. */
void gw_emit_forget(gw_emitter *e, gw_value root);
gw_emit_held_list gw_emit_held_now(const gw_emitter *e); /* the caller frees it */
void gw_emit_held_set(gw_emitter *e, gw_emit_held_list *list);
/* What is held at the end of both arms. */
void gw_emit_held_both(gw_emitter *e, const gw_emit_held_list *other);
/* emit/signature.c */
typedef struct gw_emit_params {
    GW_VEC(char *) texts; /* "const float *x" */
    GW_VEC(gw_str) names;
} gw_emit_params;
/* Of the definition: adjoints are __restrict__. */
void gw_emit_params_of(gw_emitter *e, const gw_func *f, bool is_definition, gw_emit_params *list);
void gw_emit_params_add(gw_emit_params *list, gw_session *s, const char *text, const char *name);
void gw_emit_params_free(gw_emit_params *list);
typedef GW_VEC(char *) gw_emit_items; /* of a call */
void gw_emit_items_free(gw_emit_items *items);
/* "head(a, b)tail", broken into lines where it is long. */
void gw_emit_call_text(gw_emitter *e, const char *head, char *const *items, uint32_t count, const char *tail);
/* emit/together.c: which shared arrays of e->f are one array of records; whether this is one; the declaration
 * of that. */
void gw_emit_find_together(gw_emitter *e);
bool gw_emit_is_together(const gw_emitter *e, gw_object o);
void gw_emit_declare_together(gw_emitter *e);
/* emit/row.c: a kind of slots: its type in a kernel's parameters, what writes a row, what makes it on the host */
typedef struct gw_emit_row_names {
    const char *type, *write, *of;
} gw_emit_row_names;
const gw_emit_row_names *gw_emit_row_names_of(const gw_func *f, gw_op op);
/* Writes a row; `active`: text of whether this lane has anything, for a warp's. */
void gw_emit_row(gw_emitter *e, gw_op op, const char *active);
/* emit/copies.c */
/* emit/exact.c */
/* A name for something of the array that it adds to, reserved; the type of its numbers. */
gw_str gw_emit_exact_name_for(gw_emitter *e, const gw_func *f, gw_op add, const char *what);
const char *gw_emit_exact_number(gw_emitter *e, const gw_func *f, gw_op add);
/* "d_x", "d.poles", "d_l[].x": the array; what its accumulators are to the kernel; the caller frees both. */
char *gw_emit_exact_base(const gw_func *f, gw_op add);
char *gw_emit_exact_type(gw_emitter *e, const gw_func *f, gw_op add);
/* A function of the device takes accumulators as its last parameters; the types of these, "" for none. */
void gw_emit_exact_given(gw_emitter *e, const gw_func *f, gw_emit_params *list);
gw_str gw_emit_exact_types(gw_emitter *e, const gw_func *f);
/* emit/settle.c: the accumulators that it goes to, as arguments (the caller frees them); where it is rounded */
char *gw_emit_exact_into(gw_emitter *e, gw_op add);
void gw_emit_settle(gw_emitter *e, gw_op op);
void gw_emit_settle_all(gw_emitter *e, gw_op op);
/* emit/function.c */
void gw_emit_begin(gw_emitter *e, gw_session *s, gw_text *out);
void gw_emit_enter(gw_emitter *e, const gw_func *f); /* plan, names of parameters; the body's scope is open */
void gw_emit_leave(gw_emitter *e);
void gw_emit_body(gw_emitter *e);
void gw_emit_return(gw_emitter *e, gw_op op);
char *gw_emit_quoted(const char *text); /* a C string literal; caller frees */
bool gw_emit_uses_param(const gw_emitter *e, const gw_param *p);
void gw_emit_discard_unused(gw_emitter *e);
/* Blocks of tangents in several directions (emit/matrix/directions.c): a kernel goes by the alignment of the
 * caller's; "__align__(16) ", or "", before the declaration of its own. */
void gw_emit_assume_aligned(gw_emitter *e);
/* Bytes that the blocks which a parameter of the text leads to are aligned to; 0: it leads to none. */
uint32_t gw_emit_alignment_of(const gw_func *f, const gw_param *p);
const char *gw_emit_alignment(const gw_emitter *e, gw_object object);
void gw_emit_comment(gw_emitter *e, const gw_func *f);
const char *gw_emit_file_name(const gw_session *s, gw_str path); /* without folders */
/* `pullback`: of the same request, which the gradient calls instead of saying all again; or NULL */
void gw_emit_plain_function(gw_emitter *e, const gw_func *f, const gw_func *pullback);
void gw_emit_prototype(gw_emitter *e, const gw_func *f); /* of one */
void gw_emit_declaration(gw_emitter *e, const gw_func *f); /* all that callers of one may call */
bool gw_emit_takes_tape(const gw_func *f);                         /* a gw_host_tape is one of its parameters */
gw_object gw_emit_returned_struct(const gw_func *f); /* of a forward derivative; 0: it returns none */
const char *gw_emit_result(const gw_emitter *e, const gw_func *f); /* the type that it returns */
void gw_emit_no_memory(gw_emitter *e);                             /* leaves the function */
/* "inline" or what stands in its place; `is_public`: a caller spells the name, as f<3> of a template. */
const char *gw_emit_linkage(const gw_func *f, bool is_public);
/* "template <> __device__ inline ", "__device__ inline ", "static inline "; caller frees */
char *gw_emit_qualifiers(const gw_emitter *e, const gw_func *f);
char *gw_emit_at(const gw_func *f, gw_str name); /* "f_grad", "f_grad<3>"; caller frees */
/* The same, or `text`, where it is called, from where f stands: "(f_grad)" if another f stands in another
 * namespace. C++ looks for the names of calls in the namespaces of their arguments, too, but not of these. */
char *gw_emit_called(const gw_func *f, gw_str name);
char *gw_emit_called_text(const gw_func *f, const char *text);
const char *gw_emit_target(const gw_emitter *e, const gw_func *f); /* "__device__ " */
/* emit/matrix/matrix.c: f_hessian or f_jacobian, which calls functions that stand above it; its prototype */
void gw_emit_matrix(gw_emitter *e, uint32_t request, bool is_definition);
/* emit/matrix/rounding.c: what stands above the terms of a rounding error, their rows; "f_error_table" (the
 * caller frees it); and below them f_error, the sum, or its prototype */
void gw_emit_rounding_table(gw_emitter *e, uint32_t request, bool is_definition);
char *gw_emit_rounding_table_name(const gw_session *s, uint32_t part);
void gw_emit_rounding(gw_emitter *e, uint32_t request, bool is_definition);
/* emit/template.c: the templates that the derivatives of f's template specialise, unless they are there */
void gw_emit_primary(gw_emitter *e, const gw_func *f);
/* emit/emit.c */
gw_str gw_emit_namespace(gw_session *s, const gw_func *f); /* "a::b" of f, or of what it was made from */
/* emit/standalone.c */
bool gw_emit_is_exported(const gw_func *f); /* of a standalone text: other files may call it */
void gw_emit_include(gw_emitter *e, const char *path, const char *from); /* as seen from the folder of `from` */
void gw_emit_declarations_head(gw_emitter *e);
/* emit/exports.c: a table of what a program that loads the text calls (gradwright/exported.h) */
typedef struct gw_emit_part {
    const char *role; /* "primal", "adjoint", "grid", ... */
    gw_str name;
    const char *type;
    const gw_param *param; /* NULL: of the launch */
} gw_emit_part;
typedef struct gw_emit_export {
    const gw_func *f;
    const char *form, *function, *result, *code; /* code: of the result's type */
    char *name, *call;                           /* "a::f_grad<3>"; what the text calls */
    bool is_part;                                /* made for a matrix or a bound, beside what is asked for */
    GW_VEC(gw_emit_part) parts;
} gw_emit_export;
typedef struct gw_emit_table {
    gw_emitter *e;
    uint32_t count;
    gw_text rows;
} gw_emit_table;
void gw_emit_export_row(gw_emit_table *t, gw_emit_export *x); /* frees what is in it */
void gw_emit_export_kernel(gw_emit_table *t, const gw_func *grad, const gw_func *bound); /* emit/kernel.c */
char *gw_emit_export_name(const gw_func *f); /* "a::f_grad<3>"; the caller frees it */
/* "f4", "i8", "u1", "b1", "h2", "bh2"; of a struct "V12". */
void gw_emit_export_code(const gw_session *s, gw_type t, gw_text *out);
/* "gradient", "hvp", ...; NULL: none that is shown */
const char *gw_emit_export_form(const gw_func *f);
const char *gw_emit_export_role(const gw_func *f, const gw_param *p);
char *gw_emit_outside(const gw_func *f, const char *name); /* with its namespace; takes nothing, caller frees */
void gw_emit_exports(gw_emitter *e);
/* emit/kernel.c */
void gw_emit_kernel_declaration(gw_emitter *e, const gw_func *grad, const gw_func *bound);
/* Name of what says how much dynamic shared memory the derivative of a kernel takes; 0 if it has none. */
gw_str gw_emit_shared_bytes_name(const gw_func *f);
void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check);
/* emit/program.c: a DEVICE; the gradient kernel of launches, NULL: there is none; how they are told */
const char *gw_emit_program_cell(const gw_emitter *e, gw_op op); /* of a copy or fill, its last operand */
void gw_emit_program_host(gw_emitter *e, gw_op op); /* emit/program_host.c */
bool gw_emit_program_call(gw_emitter *e, gw_op op); /* emit/program_calls.c; false: it is another */
void gw_emit_device(gw_emitter *e, gw_op op);
/* What figures and errors of a run call it (emit/site.c). */
void gw_emit_site(gw_emitter *e, gw_op op);
void gw_emit_buffer_name(gw_emitter *e, gw_value address, const char *text);
const gw_func *gw_emit_launched(const gw_session *s, gw_str kernel);
void gw_emit_tellers(gw_emitter *e, const gw_func *kernel, const gw_func *grad);
/* emit/ruled.c: a call that has a pullback, in a program; how such calls are told. By bit: the parameter is a
 * pointer to a variable of the host's. */
void gw_emit_rule(gw_emitter *e, gw_op op);
uint64_t gw_emit_rule_variables(const gw_func *f, gw_op op);
void gw_emit_rule_tellers(gw_emitter *e, const gw_rule *rule, uint64_t variables);
#endif
