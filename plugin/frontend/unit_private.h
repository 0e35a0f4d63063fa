/*
 * frontend/unit.h - the parsed translation unit, and the shapes of its types (private to the front end).
 *
 * Ownership: a gw_unit lives for one run of gw_pass_front; cursors and CXTypes are valid as long as it.
 * Names are interned in the session, so that they outlive it.
 */
#ifndef GRADWRIGHT_FRONTEND_UNIT_PRIVATE_H
#define GRADWRIGHT_FRONTEND_UNIT_PRIVATE_H

#include "analysis/ir/run.h"
#include "plugin/request/request.h"
#include "plugin/source/source.h"

#include <clang-c/Index.h>
#include <stdlib.h>

/* A shape is what the front end knows of a C++ type; scalars have the number of their gw_type. */
typedef uint32_t gw_shape;
typedef enum gw_shape_kind {
    GW_SHAPE_SCALAR,
    GW_SHAPE_POINTER,
    GW_SHAPE_STRUCT,
    GW_SHAPE_ARRAY,
    GW_SHAPE_OPAQUE /* cannot be differentiated through; `refusal` names it */
} gw_shape_kind;

typedef struct gw_shape_field {
    gw_str name;
    gw_shape shape;
    uint32_t leaf; /* number of its first leaf in the struct */
    bool is_base;  /* a base class or anonymous member: its members are the struct's own */
    bool is_anonymous;
    uint32_t bits; /* width of a bit-field, else 0 */
    bool detached; /* GW_NONDIFFERENTIABLE */
    gw_str enumeration; /* as in gw_field */
    CXCursor decl;
} gw_shape_field;

/* Types of the standard library that have rows in frontend/call/library.def. */
typedef enum gw_library_type {
    GW_LIBRARY_NONE,
    GW_LIBRARY_ARRAY,   /* an array */
    GW_LIBRARY_TUPLE,   /* pair and tuple: a struct of the elements */
    GW_LIBRARY_COMPLEX, /* a struct of the two parts */
    GW_LIBRARY_ITERATOR, /* of a vector: a pointer */
    /* a struct of a pointer and a size, never in memory; std::initializer_list too (is_list) */
    GW_LIBRARY_VECTOR,
    GW_LIBRARY_UNIQUE /* std::unique_ptr: a struct of the pointer */
} gw_library_type;

/* A type that is not differentiated through; NULL where nothing speaks against it. */
typedef struct gw_refusal {
    const char *what, *way_out;
} gw_refusal;
enum {
#define GW_REFUSAL(NAME, what, way_out) GW_REFUSED_##NAME,
#include "plugin/frontend/unit/refusals.def"
#undef GW_REFUSAL
    GW_REFUSED_COUNT
};
extern const gw_refusal gw_refusals[GW_REFUSED_COUNT];
#define GW_REFUSED(NAME) (&gw_refusals[GW_REFUSED_##NAME])

typedef struct gw_shape_data {
    gw_shape_kind kind;
    gw_type type;          /* in the IR; GW_T_VOID where it has none (pointers inside, opaque) */
    uint32_t first, count; /* struct: fields; array: count elements */
    gw_shape element;      /* array */
    uint32_t leaves;       /* scalars and pointers of a value without arrays; 0 with arrays */
    bool has_pointer, has_array;
    bool destructs; /* its destructor, or one of what it holds, does something */
    bool is_union;   /* a struct of which the field `holder` has the cells and the others name them too */
    uint32_t holder;
    gw_library_type library;
    bool is_list; /* std::initializer_list */
    bool split; /* struct: no aggregate that text could declare: a LOCAL of it becomes one for each member */
    uint8_t copying[4]; /* what frontend/type/copy.c knows of it, for each way of copying */
    const gw_refusal *refusal;
    CXType clang; /* canonical; of a pointer: its pointee */
} gw_shape_data;

/* A function with a request, or one that is called as a function of its own. */
typedef struct gw_unit_callee {
    CXCursor decl;
    gw_func *func; /* NULL: it must be inlined */
} gw_unit_callee;

/* What calls name a function by. */
typedef struct gw_unit_symbol {
    CXCursor decl; /* canonical */
    gw_str symbol, base;
} gw_unit_symbol;

typedef struct gw_unit_recursion {
    CXCursor decl;
    bool recursive;
} gw_unit_recursion;

typedef struct gw_cursors {
    CXCursor *at;
    uint32_t count, room;
} gw_cursors;

/* An instantiation of a function template, or a member of an instantiated class. */
typedef struct gw_instance {
    CXCursor decl, pattern; /* canonical */
} gw_instance;

/* A function with derivatives of the user's, or with none by his word. */
typedef struct gw_unit_rule {
    CXCursor function; /* canonical */
    uint32_t rule;     /* of session->rules */
    bool is_lowered;
    bool is_dropped; /* returns nothing and writes nowhere: calls are left out */
    bool is_inlined; /* no call of it can be written: inlined, without derivatives */
} gw_unit_rule;

/* A lambda for which a struct of session->captures stands. */
typedef struct gw_captures {
    CXType lambda;
    gw_str spelled, name; /* "(lambda at k.cu:9:25)", "body_captures" */
} gw_captures;

typedef struct gw_unit {
    gw_run *run;
    gw_session *session;
    CXIndex index;
    CXTranslationUnit clang;
    gw_respelled_files respelled;
    CXFile last_file;
    gw_str last_name;
    GW_VEC(CXFile) gradients; /* stand-ins of gradients in this parse */
    GW_VEC(gw_shape_data) shapes;
    GW_VEC(gw_shape_field) fields;
    GW_VEC(gw_refusal *) refusals;  /* made, beside the table's */
    GW_VEC(gw_shape) shape_by_name; /* indexed by gw_str */
    GW_VEC(gw_str) making;          /* types whose shapes are being made */
    GW_VEC(gw_unit_callee) callees;
    GW_VEC(gw_unit_symbol) symbols;
    GW_VEC(gw_unit_recursion) recursions; /* what is known of definitions */
    gw_cursors functions; /* whose addresses are taken */
    GW_VEC(gw_unit_rule) rules;
    GW_VEC(gw_instance) instances;
    bool instances_found;
    bool stands_in; /* headers of ours were read in the place of Thrust's */
    gw_str other_thrust; /* why not, by Clang; 0: they were, or nobody asks for them */
    gw_loc other_thrust_at;
    GW_VEC(gw_captures) captures;
    const gw_cursors *definitions; /* of the requests' functions */
    GW_VEC(gw_func *) launched;    /* kernels */
    GW_VEC(gw_str) written_symbols; /* frontend/device/symbol.c */
    bool symbols_known;
    bool growth_known, vectors_grow; /* frontend/type/growth.c */
} gw_unit;

/* ---- frontend/device ---- */
typedef struct gw_device_call {
    const char *spelling;
    uint32_t what; /* a gw_device */
    const char *arguments;
} gw_device_call;
bool gw_front_is_launch_call(gw_unit *u, CXCursor callee); /* cudaLaunchKernel and its like */
const gw_device_call *gw_front_device_call_row(gw_unit *u, CXCursor callee); /* NULL: it is none */
bool gw_front_is_program(gw_unit *u, CXCursor definition);
/* frontend/device/symbol.c: finds the variables of the device that programs write; false after a diagnostic */
bool gw_front_symbols(gw_unit *u);
/* frontend/unit/global.c: a parameter for a variable that the kernel touches, if it does */
bool gw_front_bind_symbol(gw_unit *u, gw_func *f, gw_str name);
/* What keeps a pullback's marks from being read, and what to write instead. */
typedef struct gw_rule_fault {
    const char *why, *way_out;
} gw_rule_fault;
/* frontend/device/rule.c: whether f names a stream, so that its pointers lead to memory of the device; what its
 * parameters are, or false with why it can have no pullback. The number that leads to in what `type` is the
 * parameter of a pullback; invalid: none. */
bool gw_front_names_stream(gw_unit *u, CXCursor f);
bool gw_front_device_rule(gw_unit *u, CXCursor f, gw_rule *out, const char **why);
/* NULL: the rule has what the pullback takes. */
const gw_rule_fault *gw_front_device_pullback(gw_unit *u, CXCursor pullback, gw_rule *rule);
CXType gw_front_device_number(gw_unit *u, CXType type);
/* Whether a derivative was written for it, or that it has none. */
bool gw_front_has_rule(const gw_unit *u, CXCursor function);
/* The rule of a function that works on memory of the device; NULL: it is none. */
const gw_rule *gw_front_device_rule_of(gw_unit *u, CXCursor function);
/* frontend/unit/rule.c: number of its entry in u->rules, UINT32_MAX: it has none. */
uint32_t gw_front_rule_of(const gw_unit *u, CXCursor function);
/* frontend/call/rule.c: what to do about a function without a body: its derivative, if it can have one. */
char *gw_front_way_to_rule(gw_unit *u, CXCursor f);
/* Why a function that names no stream can have no rule, to be freed; NULL: it can. */
char *gw_front_why_no_rule(gw_unit *u, CXCursor f, bool differentiable);
gw_func *gw_front_kernel(gw_unit *u, CXCursor definition); /* lowered once; NULL after a diagnostic */
void gw_front_request_launched(gw_unit *u);                /* the gradients of kernels that are launched */
/* ---- frontend/unit/mark.c ---- */
/* all that were asked for from outside have a loop, else there are errors */
bool gw_front_check_checkpoints(gw_session *s);
/* ---- frontend/unit/cursor.c ---- */
gw_str gw_front_intern(gw_unit *u, CXString text); /* disposes of it */
gw_loc gw_front_loc(gw_unit *u, CXSourceLocation location);
void gw_front_children(CXCursor cursor, gw_cursors *out);
void gw_front_expressions(CXCursor cursor, gw_cursors *out); /* children that are expressions */
CXCursor gw_front_expression(CXCursor cursor);               /* its last expression child, or null */
bool gw_front_has_attribute(CXCursor decl, enum CXCursorKind kind);
static inline bool gw_front_is_method(CXCursor decl) { /* a conversion is one */
    return clang_getCursorKind(decl) == CXCursor_CXXMethod ||
           clang_getCursorKind(decl) == CXCursor_ConversionFunction;
}
CXCursor gw_front_body(CXCursor function); /* its CompoundStmt, or null */
CXType gw_front_bare(CXType type);         /* canonical, without a reference or qualifiers of its own */
bool gw_front_is_default_argument(CXCursor argument);
unsigned gw_front_offset(CXSourceLocation location); /* in its file, of the place where a macro is used */
/* ---- frontend/unit/name.c ---- */
/* The name behind __builtin_; NULL if it does not begin so. */
const char *gw_front_builtin_name(const char *name);
/* Whether the function is none of the user's main file, and known by name: at file scope or in std. */
bool gw_front_is_library(gw_unit *u, CXCursor callee);
gw_str gw_front_qualified(gw_unit *u, CXCursor decl); /* "ns::S::f" */
/* Tells types apart: those of functions, whose spellings other functions' types may share, by more than
 * that. */
gw_str gw_front_type_key(gw_unit *u, CXType type);
bool gw_front_is_of_function(CXCursor decl); /* declared in a function's body: no other text can name it */
gw_str gw_front_space(gw_unit *u, CXCursor decl);     /* its namespace: "ns" */
/* "ns::f", of a second function of that name "ns::f'2" */
gw_str gw_front_symbol(gw_unit *u, CXCursor function);
gw_str gw_front_stem(gw_unit *u, CXCursor decl);      /* what names of derivatives begin with: "f", "S_f" */
gw_str gw_front_display(gw_unit *u, CXCursor decl);   /* for people: "ns::f<3>", "S<float>::f" */
gw_str gw_front_type_text(gw_unit *u, CXType type);   /* without names of types that are not its own */
/* In C++, the enumerated type that the type is, or that its elements are or it leads to; else 0. */
gw_str gw_front_enumeration(gw_unit *u, CXType type);
/* Why no text outside of functions can name the type, what it leads to or an argument of its template; NULL: it
 * can. */
const char *gw_front_nameless(gw_unit *u, CXType type);
/* has a name that text can use, as have the arguments of its template */
bool gw_front_is_spelled(gw_unit *u, gw_str type);
gw_str gw_front_spelled_type(gw_unit *u, CXType type); /* as the source has it */
bool gw_front_is_of_variable_template(CXCursor variable); /* pi<double> */
bool gw_front_evaluate(CXCursor expression, int64_t *integer, double *real, bool *is_real);
bool gw_front_in_namespace(CXCursor decl, const char *name); /* "" = the global one */
gw_func_kind gw_front_function_kind(const gw_unit *u, CXCursor function);

/* ---- frontend/type/shape.c ---- */
void gw_front_shapes_start(gw_unit *u);
void gw_front_shapes_end(gw_unit *u);
/* frontend/type/half.c: half precision in the headers' classes; GW_T_VOID: the type is another. */
gw_type gw_front_half_type(gw_unit *u, CXType type);
bool gw_front_is_half_pair(gw_unit *u, CXType type);
bool gw_front_holds_half(gw_unit *u, gw_shape s);
gw_shape gw_front_shape(gw_unit *u, CXType type); /* references are looked through */
/* In the IR; of a pointer, what paths through memory see of it: a pointer to void where it cannot be
 * followed. */
gw_type gw_front_ir_type(gw_unit *u, gw_shape s);
gw_shape gw_front_pointee(gw_unit *u, gw_shape pointer);
gw_shape gw_front_pointer_shape(gw_unit *u, CXType pointee);
/* frontend/type/row.c: arrays of run-time size */
bool gw_front_is_row(CXType type);           /* a variable-length array */
CXType gw_front_row_element(CXType type);    /* of a variable-length array; any other type is its own */
bool gw_front_decays(CXType parameter);      /* written as an array, or leads to a variable-length one */
CXType gw_front_parameter_cell(CXType type); /* what such a parameter leads to */
char *gw_front_decayed_text(gw_unit *u, CXType parameter); /* the pointer that such a parameter is */
gw_shape gw_front_parameter_shape(gw_unit *u, CXType type);
gw_shape gw_front_array_of(gw_unit *u, gw_shape element, uint32_t count);
static inline gw_shape_data *gw_front_shape_at(const gw_unit *u, gw_shape s) { return &u->shapes.at[s]; }
static inline gw_shape_kind gw_front_shape_kind(const gw_unit *u, gw_shape s) { return u->shapes.at[s].kind; }
/* Whether field i has cells of its own. */
static inline bool gw_front_holds(const gw_shape_data *d, uint32_t i) { return !d->is_union || i == d->holder; }
/* ---- frontend/type/union.c: which of the fields that is; NULL, or why the union is refused ---- */
const gw_refusal *gw_front_union_holder(gw_unit *u, const gw_shape_field *fields, uint32_t count, CXType type,
                                        uint32_t *holder);
/* Number of the field that `decl` declares; UINT32_MAX if there is none. */
uint32_t gw_front_field(const gw_unit *u, gw_shape s, CXCursor decl);
bool gw_front_is_reference(CXType type);
bool gw_front_is_texture(gw_unit *u, CXType type); /* cudaTextureObject_t */
/* frontend/unit/refusal.c: what to write instead of a type that is refused by that name */
const gw_refusal *gw_front_refused_class(gw_unit *u,
                                         const char *name); /* of the standard library, without its namespace */

/* frontend/type/lambda.c: the variables that a lambda holds copies of; refusal: why not, or NULL */
bool gw_front_is_lambda(gw_unit *u, CXType type); /* frontend/unit/name.c */
CXCursor gw_front_call_operator(CXCursor lambda); /* or the template of it */
void gw_front_captures(gw_unit *u, CXType lambda, gw_cursors *copies, const gw_refusal **refusal);
/* What may be written in a lambda's place: "struct body { float *y; ... }; and pass body{y}"; NULL: it is none,
 * takes arguments of any type, or holds nothing, an array or another lambda. */
char *gw_front_functor(gw_unit *u, CXType type, bool on_device);
/* ---- frontend/type/captures.c ---- */
const gw_captures *gw_front_captures_of(const gw_unit *u, CXType type); /* NULL: none stands for it */
void gw_front_make_captures(gw_unit *u, CXCursor pattern); /* for the lambdas that the template is used with */
/* The same of a kernel that a program launches, whatever name is free; whether its arguments hold a lambda, so
 * that no text can name it. */
bool gw_front_make_launched_captures(gw_unit *u, CXCursor kernel);
/* frontend/device/program.c: of all that a program launches. Before a type is looked at that has a lambda. */
void gw_front_make_program_captures(gw_unit *u, CXCursor definition);
/* How a lambda whose struct's name is taken gets one, the beginning of a way out; "": that is not why. */
char *gw_front_captures_taken(gw_unit *u, CXType type, CXCursor instance);
void gw_front_forget_captures(gw_unit *u);
/* frontend/type/class.c */
void gw_front_bases(CXType type, gw_cursors *out);   /* base specifiers */
/* Why text cannot have such an object as a parameter or result, or NULL. */
const gw_refusal *gw_front_refusal(const gw_shape_data *d);
CXCursor gw_front_deleter(CXType unique);    /* of a std::unique_ptr: its call operator, or null */
bool gw_front_deletes(CXType unique);        /* its deleter is the library's */
CXCursor gw_front_destructor(CXType type); /* its own, if that does something; else null */
void gw_front_methods(CXType type, gw_cursors *out); /* methods, constructors, destructors */
/* ---- frontend/type/copy.c ---- */
typedef enum gw_copying { GW_COPIED, GW_MOVED, GW_ASSIGNED, GW_ASSIGNED_MOVED } gw_copying;
/* Whether code of the user's does it, of the class or of what it holds, that does more than to copy. */
bool gw_front_copies_by_code(gw_unit *u, gw_shape shape, gw_copying how);
bool gw_front_has_constructor(CXType type);          /* one with a body */
/* frontend/type/default.c: what a member's declaration gives it */
typedef struct gw_default {
    bool is_given;
    CXCursor expression; /* null: of a bit-field */
    bool is_known;       /* of a bit-field: `value` is what it says */
    int64_t value;
} gw_default;
gw_default gw_front_default(gw_unit *u, CXCursor field);
CXCursor gw_front_default_constructor(CXType type);  /* one with a body, or null */
bool gw_front_is_settable(gw_unit *u, gw_shape shape);
bool gw_front_is_const_reference(CXType type);
const char *gw_front_unspeakable(gw_unit *u, gw_shape s, uint32_t depth);

/* ---- frontend/unit/recursion.c ---- */
bool gw_front_is_recursive(gw_unit *u, CXCursor definition);
/* Whether what is sought stands in the definition, or in that of a function which it calls, through others
 * too. */
typedef bool gw_front_sought(gw_unit *u, CXCursor c, const void *what);
bool gw_front_reaches(gw_unit *u, CXCursor definition, gw_front_sought *sought, const void *what);
/* frontend/call/call.c: whether it passes nothing but scalars, so that it can be called instead of inlined */
bool gw_front_passes_scalars(gw_unit *u, CXCursor definition);

/* ---- frontend/parse/parse.c ---- */
/* Parses run->source into u->clang and records what Clang says; false after an error. */
bool gw_front_parse(gw_unit *u);

/* ---- frontend/unit/find.c ---- */
typedef struct gw_annotation {
    uint32_t kind; /* a gw_request_kind */
    CXCursor decl; /* canonical */
    gw_str text;
    gw_loc loc;
} gw_annotation;
typedef struct gw_annotations {
    gw_annotation *at;
    uint32_t count, room;
} gw_annotations;
void gw_front_find_annotated(gw_unit *u, gw_annotations *out);
/* GW_DERIVATIVE_OF(text) and GW_NONDIFFERENTIABLE */
typedef struct gw_mark {
    CXCursor decl; /* canonical */
    gw_str text;   /* "pullback of f" */
    gw_loc loc;
    bool is_rule; /* else: not differentiable */
} gw_mark;
typedef struct gw_marks {
    gw_mark *at;
    uint32_t count, room;
} gw_marks;
void gw_front_find_marks(gw_unit *u, gw_marks *out);
bool gw_front_is_nondifferentiable(gw_unit *u, CXCursor variable); /* or a parameter, or a member: said so */
/* frontend/unit/promise.c: gives f the promises that the source and the outside make of it; false with a
 * diagnostic if one speaks of nothing. */
bool gw_front_promises(gw_unit *u, CXCursor definition, gw_func *f);
/* frontend/unit/launch.c: gives f what the source and the outside state of its launch; false with a
 * diagnostic. */
bool gw_front_launch(gw_unit *u, CXCursor definition, gw_func *f);
/* False with a diagnostic where a gradient cannot have a second form, which a fact asks for. */
bool gw_front_other_forms(gw_unit *u);
/* False with a diagnostic if something from outside is about a function that is not lowered. */
bool gw_launches_all_used(gw_session *s);
/* frontend/unit/asked.c: gives f what GW_ACCUMULATE asks for at its definition or declaration; false with a
 * diagnostic */
bool gw_front_asked(gw_unit *u, CXCursor definition, gw_func *f);
/* False with a diagnostic if one from outside is about a function that is not lowered. */
bool gw_promises_all_used(gw_session *s);
/* frontend/request/coarsen.c: gives the requests what GW_COARSEN and --coarsen say; false with a diagnostic. */
bool gw_front_coarsen(gw_unit *u, const gw_cursors *definitions);
/* frontend/request/annotation.c: false with a diagnostic for each that stands where nobody reads it. */
bool gw_front_check_annotations(gw_unit *u, const gw_cursors *definitions);
/* Functions, and templates that may have instantiations, that the target can mean. */
void gw_front_find_named(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* Of those, the ones that are meant: whole names before others, no template without the instantiation. Whether
 * there were any. */
bool gw_front_find_meant(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* Whether "ns::f<3>(int)" of a promise, or of another statement from outside, means the function. */
bool gw_front_is_meant(gw_unit *u, gw_str text, CXCursor function);
/* The same as find_named, in the library's headers too; those whose whole name it is, if there are such. */
void gw_front_find_everywhere(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* There is none; with the nearest name that there is. */
void gw_front_say_no_function(gw_unit *u, gw_str function, const gw_request_target *target, gw_loc loc);
/* Instantiations of a template that the target means; NULL: all. */
void gw_front_find_instances(gw_unit *u, const gw_request_target *target, CXCursor pattern, gw_cursors *out);
bool gw_front_is_pattern(CXCursor function); /* a template, or a member of one */
gw_str gw_front_signature(gw_unit *u, CXCursor function);
gw_str gw_front_signatures(gw_unit *u, const gw_cursors *functions); /* "'f(int)', 'f(float)'" */

/* ---- frontend/unit/instance.c ---- */
void gw_front_instances(gw_unit *u, CXCursor pattern, gw_cursors *out); /* that the unit uses */
CXCursor gw_front_pattern(CXCursor function);                           /* what it instantiates, or null */
/* "float, 3"; 0: some cannot be spelled */
gw_str gw_front_template_arguments(gw_unit *u, CXCursor instance);
gw_str gw_front_template_head(gw_unit *u, CXCursor pattern);            /* "class T, int N = 3" */
/* of a parameter; is_copy: passed by value */
gw_str gw_front_pattern_type(gw_unit *u, CXCursor instance, uint32_t index, bool is_copy);
gw_str gw_front_pattern_result(gw_unit *u, CXCursor pattern);

/* ---- frontend/parse/use.c ---- */
/* Lines that, behind the source `text`, use the instantiations that requests name, and explicit ones; some are
 * empty. */
typedef struct gw_uses {
    char **at;
    uint32_t count, room;
} gw_uses;
bool gw_front_uses(gw_unit *u, const char *text, gw_uses *out); /* whether there are any */

/* ---- frontend/request/request.c: what a matrix or a bound is made of, f_jacobian_rows of f_jacobian ---- */
typedef struct gw_part_row {
    uint32_t of, kind; /* each a gw_request_kind */
    const char *suffix;
    bool is_pattern;
} gw_part_row;
enum { GW_FRONT_PARTS = 5 };
extern const gw_part_row gw_front_parts[GW_FRONT_PARTS];

/* ---- frontend/parse/stub.c: declarations of gradients that are not there yet ---- */
typedef struct gw_stub {
    gw_str name;     /* what names of its derivatives begin with: "f", "S_f" */
    gw_str function; /* "f" */
    gw_str space;    /* namespace, "" for the global one */
    gw_str head;     /* of a function template: "class T, int N"; else 0 */
    gw_str request;  /* the request's own name, or 0 */
    gw_str result;   /* what its forward derivative returns, where that is a struct; else 0 */
    gw_func_kind kind;
    uint32_t asks; /* a gw_request_kind */
    bool is_guess; /* of a function that the source's text does not declare: the parser knows better */
} gw_stub;
typedef struct gw_stubs {
    gw_stub *at;
    uint32_t count, room;
} gw_stubs;
/* Functions that `text` (the main source) annotates with GW_GRADIENT, found without a parser. */
void gw_front_stub_scan(gw_unit *u, const char *text, gw_stubs *out);
/* What stands between "template" and ";" in the namespace. */
typedef struct gw_explicit {
    gw_str space, text;
} gw_explicit;
typedef struct gw_explicits {
    gw_explicit *at;
    uint32_t count, room;
} gw_explicits;
void gw_front_explicit_scan(gw_unit *u, const char *text, gw_explicits *out);
/* Source text that declares their gradients; the caller frees it. */
char *gw_front_stub_text(const gw_unit *u, const gw_stubs *stubs, bool plain_c);
bool gw_front_stub_known(gw_unit *u,
                         gw_stubs *out); /* of the parsed unit; whether it says more than `out` did */
void gw_front_stub_add(gw_stubs *stubs, gw_stub stub);   /* once */
/* Where the text first names what a gradient of its functions declares, and the name; 0: nowhere. */
gw_str gw_front_stub_use(gw_unit *u, const char *text, gw_loc *at);
/* File names of `#include "*.grad.*"` lines. */
typedef struct gw_includes {
    char **at;
    uint32_t count, room;
} gw_includes;
void gw_front_stub_includes(const char *source, const char *text, gw_includes *out);

/* ---- frontend/parse/flags.c: the Clang arguments of a run ---- */
typedef struct gw_arguments {
    char **at;
    uint32_t count, room;
} gw_arguments;
/* Headers that are read in the place of others: include/gradwright/groups in that of a toolkit's cooperative
 * groups, and include/gradwright/algorithms in that of Thrust's. */
typedef enum gw_stand_ins { GW_STAND_INS_NONE, GW_STAND_INS_GROUPS, GW_STAND_INS_ALL } gw_stand_ins;
void gw_front_arguments(const gw_run *run, gw_stand_ins with, gw_arguments *out);
/* A library's name of the header for which that of this path stands in; NULL: for none. */
const char *gw_front_stand_in(const char *path);
bool gw_front_is_stand_in(const gw_unit *u, CXSourceLocation at);  /* of Thrust's */
bool gw_front_is_primitive(const gw_unit *u, CXSourceLocation at); /* which those call */
void gw_front_arguments_free(gw_arguments *a);
bool gw_front_has_openmp(const gw_run *run);

/* ---- frontend/request/request.c ---- */
/* Binds every request to a function definition; definitions[i] belongs to session->requests.at[i]. */
bool gw_front_request_bind(gw_unit *u, gw_cursors *definitions);
/* Checks names and types of a request against the lowered function. */
bool gw_front_request_check(gw_unit *u, gw_request *request, CXCursor definition);
/* frontend/request/matrix.c: what a Hessian or Jacobian is made of; says what is wrong with it. */
bool gw_front_check_matrix(gw_unit *u, const gw_request *r);
/* frontend/request/rounding.c: what rounding errors are bounded of, and the model; the same. */
bool gw_front_check_rounding(gw_unit *u, const gw_request *r);
bool gw_front_request_check_written(gw_unit *u, gw_request *request);

/* ---- frontend/request/suggest.c: errors about names in requests that name nothing; `before`: where in the
 * name the member begins ---- */
void gw_front_say_no_parameter(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name);
void gw_front_say_no_member(gw_unit *u, const gw_request *r, gw_str name, size_t before, gw_shape shape);

/* ---- frontend/unit/global.c ---- */
/* A parameter of the text, or a variable that is one already; NULL: none. */
const gw_param *gw_front_param_named(const gw_func *f, gw_str base);
/* The function's variable whose name ends so; returns the number of them. */
uint32_t gw_front_find_global(const gw_func *f, const char *base, gw_object *found);
/* What a request cannot name because of a function that is called, or NULL. */
const char *gw_front_called_with(gw_unit *u, const gw_func *f, const char *variable, bool is_whole);
/* Why a request cannot name the variable, or NULL; `count`: how many variables of the function it may mean. */
const char *gw_front_global_obstacle(gw_unit *u, const gw_object_data *d, uint32_t count);
void gw_front_add_global(gw_func *f, gw_object object, gw_str base); /* as a parameter of that name */
/* ---- frontend/request/global.c ---- */
/* Variables at file scope that the request names become parameters of its function. */
bool gw_front_request_globals(gw_unit *u, const gw_request *request, CXCursor definition);
/* Of a function whose callees are lowered: whether they see file scope as its gradient has it; false with a
 * diagnostic. */
bool gw_front_check_globals(gw_unit *u, const gw_func *f);

/* of one with derivatives of the user's, else null */
CXCursor gw_front_rule_body(const gw_unit *u, gw_str function);
/* Reads and checks the derivatives that the user wrote. */
bool gw_front_rules(gw_unit *u);

/* ---- frontend/request/access.c ---- */
/* Whether the request's derivatives may access what its function, which is lowered, does. */
bool gw_front_check_access(gw_unit *u, uint32_t request);

/* ---- frontend/statement/function.c ---- */
/* Lowers a definition into a new function of the session; NULL after a diagnostic. */
gw_func *gw_front_function(gw_unit *u, CXCursor definition);
/* Whether another function has its name, by which calls know functions. */
/* of the parameter that is a member's object; 0: none */
gw_str gw_front_self_name(gw_unit *u, CXCursor function);
#endif
