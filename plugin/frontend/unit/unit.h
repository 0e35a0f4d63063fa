/*
 * frontend/unit/unit.h - the parsed translation unit: cursors, names, functions that are meant, what the source
 * states of them.
 *
 * Ownership: a gw_unit lives for one run of gw_pass_front, which owns it and all of its lists; cursors and
 * CXTypes are valid as long as it. Names are interned in the session, so that they outlive it. A gw_cursors or
 * a text that is returned to be freed is the caller's.
 */
#ifndef GRADWRIGHT_FRONTEND_UNIT_H
#define GRADWRIGHT_FRONTEND_UNIT_H

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
    bool is_apart; /* of numbers in arrays, in a struct with pointers: its leaf leads to an object of its own */
    bool is_base;  /* a base class or anonymous member: its members are the struct's own */
    bool is_anonymous;
    bool is_text;       /* of a class of passed_classes.def: it has no cells */
    uint32_t bits;      /* width of a bit-field, else 0 */
    bool detached;      /* GW_NONDIFFERENTIABLE */
    gw_str enumeration; /* as in gw_field */
    CXCursor decl;
} gw_shape_field;

/* Types of the standard library that have rows in frontend/call/library.def. */
typedef enum gw_library_type {
    GW_LIBRARY_NONE,
    GW_LIBRARY_ARRAY,    /* an array */
    GW_LIBRARY_TUPLE,    /* pair and tuple: a struct of the elements */
    GW_LIBRARY_COMPLEX,  /* a struct of the two parts */
    GW_LIBRARY_ITERATOR, /* of a vector: a pointer */
    /* a struct of a pointer and a size, never in memory; std::initializer_list too (is_list) */
    GW_LIBRARY_VECTOR,
    GW_LIBRARY_OPTIONAL, /* a struct of a truth and a value, never in memory */
    GW_LIBRARY_SPAN,     /* a struct of a pointer and a size, never in memory */
    GW_LIBRARY_UNIQUE    /* std::unique_ptr, and std::shared_ptr (is_shared): a struct of the pointer */
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

#define GW_REFUSED(NAME) (&gw_refusals[GW_REFUSED_##NAME])

typedef struct gw_shape_data {
    gw_shape_kind kind;
    gw_type type;          /* in the IR; GW_T_VOID where it has none (pointers inside, opaque) */
    uint32_t first, count; /* struct: fields; array: count elements */
    gw_shape element;      /* array */
    /* scalars and pointers of a value, one for an array of numbers beside pointers; 0: arrays alone */
    uint32_t leaves;
    bool has_pointer, has_array;
    bool destructs; /* its destructor, or one of what it holds, does something */
    bool is_union;  /* a struct of which the field `holder` has the cells and the others name them too */
    uint32_t holder;
    gw_library_type library;
    bool is_list;      /* std::initializer_list */
    /* it is or holds a std::optional or span: a variable's leaves, never memory */
    bool no_cells, holds_span;
    bool is_shared;    /* std::shared_ptr */
    bool has_rows;     /* a vector of vectors, of which local ones know how long a row is (object/rows.c) */
    bool is_deque;     /* std::deque: it may begin behind its first cell */
    bool is_reference; /* pointer: a member that is one, which names what it leads to */
    bool split; /* struct: no aggregate that text could declare: a LOCAL of it becomes one for each member */
    uint8_t copying[4]; /* what frontend/object/copy.c knows of it, for each way of copying */
    const gw_refusal *refusal;
    CXType clang; /* canonical; of a pointer: its pointee */
} gw_shape_data;

/* A function with a request, or one that is called as a function of its own. */
typedef struct gw_unit_callee {
    CXCursor decl;
    gw_func *func; /* NULL: it must be inlined */
} gw_unit_callee;

typedef struct gw_unit_named {
    gw_str name;
    CXCursor decl;
} gw_unit_named;

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

/* A random state of cuRAND's that a function starts. */
typedef struct gw_unit_start {
    gw_str function; /* its symbol */
    gw_loc loc;
} gw_unit_start;

/* A file that is not there, or not to be read as it is. */
typedef struct gw_stand_in_file {
    char *path, *text;
} gw_stand_in_file;
typedef GW_VEC(gw_stand_in_file) gw_stand_in_files;

typedef struct gw_unit {
    gw_run *run;
    gw_session *session;
    CXIndex index;
    CXTranslationUnit clang;
    char *parse_key;   /* what it is made of (parse/parse.c) */
    char *precompiled; /* lines of the files in the precompiled header that it was read behind, or NULL */
    gw_respelled_files respelled;
    CXFile last_file;
    gw_str last_name;
    GW_VEC(CXFile) gradients;         /* stand-ins of gradients in this parse */
    gw_stand_in_files stand_in_files; /* their texts */
    gw_stand_in_files joined;         /* the same of sources that are read behind this one */
    const char *joined_text;  /* the source with these behind it, while it is parsed; NULL: there are none */
    GW_VEC(gw_str) own_files; /* of which the source alone is made, where others are read behind it */
    GW_VEC(gw_shape_data) shapes;
    GW_VEC(gw_shape_field) fields;
    GW_VEC(gw_refusal *) refusals;  /* made, beside the table's */
    GW_VEC(gw_shape) shape_by_name; /* indexed by gw_str */
    GW_VEC(gw_str) making;          /* types whose shapes are being made */
    GW_VEC(gw_unit_callee) callees;
    GW_VEC(gw_unit_named) named; /* all functions, the system's too, listed when they are asked for (find.c) */
    GW_VEC(gw_unit_symbol) symbols;
    GW_VEC(gw_unit_recursion) recursions; /* what is known of definitions */
    gw_cursors functions;                 /* to which pointers lead */
    bool running_known;                   /* unit/running.c: */
    gw_cursors taken;                     /* functions whose addresses the file takes, */
    gw_cursors classes;                   /* and the classes that it defines */
    GW_VEC(gw_unit_rule) rules;
    GW_VEC(gw_str) passed_over; /* functions without a body that the user was told of */
    GW_VEC(gw_instance) instances;
    bool instances_found;
    bool stands_in;      /* headers of ours were read in the place of Thrust's */
    gw_str other_thrust; /* why not, by Clang; 0: they were, or nobody asks for them */
    gw_loc other_thrust_at;
    bool asks_groups; /* the source includes groups, itself or by a header that is no system's */
    GW_VEC(gw_captures) captures;
    const gw_cursors *definitions;  /* of the requests' functions */
    GW_VEC(gw_unit_start) starting; /* where no text can be made of it */
    GW_VEC(gw_str) drawing;         /* symbols of functions that draw numbers (frontend/kernel/random.c) */
    GW_VEC(gw_str) written_symbols; /* frontend/device/symbol.c */
    gw_cursors managed;             /* those among them that are the host's too */
    bool symbols_known;
    bool growth_known, vectors_grow; /* frontend/place/growth.c */
} gw_unit;

/* ---- asked.c ---- */
/* Gives f what GW_ACCUMULATE asks for at its definition or declaration; false with a diagnostic. */
bool gw_front_asked(gw_unit *u, CXCursor definition, gw_func *f);

/* ---- cursor.c ---- */
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
bool gw_front_is_reference(CXType type);
bool gw_front_is_const_reference(CXType type);
bool gw_front_is_default_argument(CXCursor argument);
CXCursor gw_front_called_expression(CXCursor call); /* f in f(x), without what stands around it */
/* The function that a call names; null: it calls what another call returns, pick(k)(x), of which libclang names
 * pick. */
CXCursor gw_front_named_function(CXCursor call);
bool gw_front_in_macro(CXCursor statement); /* it begins in the text of one, or in an argument */
/* Whether a semicolon stands in a header before `part`: libclang does not show every init statement. */
bool gw_front_semicolon_before(gw_unit *u, CXCursor statement, CXCursor part);
unsigned gw_front_offset(CXSourceLocation location);      /* in its file, of the place where a macro is used */
bool gw_front_is_of_variable_template(CXCursor variable); /* pi<double> */
char *gw_front_variable_usr(CXCursor variable); /* the arguments of such a one, as libclang has them */
bool gw_front_evaluate(CXCursor expression, int64_t *integer, double *real, bool *is_real);
bool gw_front_in_namespace(CXCursor decl, const char *name); /* "" = the global one */
bool gw_front_is_in_std(CXCursor decl);                      /* in std, its classes and namespaces */
bool gw_front_is_file(gw_unit *u, CXType type);              /* a FILE, or a pointer to one */
gw_func_kind gw_front_function_kind(const gw_unit *u, CXCursor function);
static inline gw_shape_data *gw_front_shape_at(const gw_unit *u, gw_shape s) { return &u->shapes.at[s]; }
/* As Clang says; negative: it does not know. */
static inline int64_t gw_front_shape_bytes(const gw_unit *u, gw_shape s) {
    return s < GW_T_SCALARS ? (int64_t)gw_type_bytes(s) : clang_Type_getSizeOf(gw_front_shape_at(u, s)->clang);
}
/* A vector or a span: a beginning, and how many. */
static inline bool gw_front_is_sequence(const gw_unit *u, gw_shape s) {
    const gw_library_type type = gw_front_shape_at(u, s)->library;
    return type == GW_LIBRARY_VECTOR || type == GW_LIBRARY_SPAN;
}
static inline gw_shape_kind gw_front_shape_kind(const gw_unit *u, gw_shape s) { return u->shapes.at[s].kind; }

/* Whether field i has cells of its own. */
static inline bool gw_front_holds(const gw_shape_data *d, uint32_t i) { return !d->is_union || i == d->holder; }

/* ---- joined.c ---- */
void gw_front_forget_stand_ins(gw_stand_in_files *files);
/* Whether it stands in a source that is read behind this one, or in a header that this one does not have. */
bool gw_front_is_joined(gw_unit *u, CXSourceLocation at);
/* Names of a joined source that another one has too begin with this and a number, as long as it is read. */
#define GW_RENAMED "gw_of_source_"
gw_str gw_front_own_name(gw_unit *u, gw_str name); /* as that source has it */
/* Whether this source by itself does not declare it. */
bool gw_front_is_of_joined(gw_unit *u, CXCursor decl);

/* ---- find.c ---- */
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

/* GW_DERIVATIVE_OF(text), GW_NUMERIC(text), GW_ORDERED and GW_NONDIFFERENTIABLE. */
typedef struct gw_mark {
    CXCursor decl, spelled; /* canonical; the declaration that it stands before */
    gw_str text;            /* "pullback of f", "f wrt x" */
    gw_loc loc;
    bool is_rule, is_numeric, is_ordered; /* else: not differentiable */
} gw_mark;

typedef struct gw_marks {
    gw_mark *at;
    uint32_t count, room;
} gw_marks;

void gw_front_find_marks(gw_unit *u, gw_marks *out);
bool gw_front_is_managed(gw_unit *u, CXCursor variable); /* __managed__ */
bool gw_front_draws(gw_unit *u, CXCursor function);      /* it is marked so: calls give other numbers */
bool gw_front_is_annotated(gw_unit *u, CXCursor decl, const char *text); /* it has just this one */
bool gw_front_is_ordered(gw_unit *u, CXCursor function); /* it is marked so: calls have effects (GW_ORDERED) */
bool gw_front_is_nondifferentiable(gw_unit *u, CXCursor variable); /* or a parameter, or a member: said so */
/* Functions, and templates that may have instantiations, that the target can mean. */
void gw_front_find_named(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* Those that are meant: whole names before others, no template without the instantiation. Whether there were
 * any. */
bool gw_front_find_meant(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* Whether "ns::f<3>(int)" of a promise, or of another statement from outside, means the function. */
bool gw_front_is_meant(gw_unit *u, gw_str text, CXCursor function);
/* The same as find_named, in the library's headers too; those whose whole name it is, if there are such. */
void gw_front_find_everywhere(gw_unit *u, const gw_request_target *target, gw_cursors *out);
/* Says that there is no such function, with the nearest name that there is. */
void gw_front_say_no_function(gw_unit *u, gw_str function, const gw_request_target *target, gw_loc loc);
/* Instantiations of a template that the target means; NULL: all. */
void gw_front_find_instances(gw_unit *u, const gw_request_target *target, CXCursor pattern, gw_cursors *out);
bool gw_front_is_pattern(CXCursor function); /* a template, or a member of one */
gw_str gw_front_signature(gw_unit *u, CXCursor function);
gw_str gw_front_signatures(gw_unit *u, const gw_cursors *functions); /* "'f(int)', 'f(float)'" */

/* ---- global.c ---- */
/* Makes a variable that a program writes a parameter of the kernel, if it touches the variable. */
bool gw_front_bind_symbol(gw_unit *u, gw_func *f, gw_str name);
/* A parameter of the text, or a variable that is one already; NULL: none. */
const gw_param *gw_front_param_named(const gw_func *f, gw_str base);
/* The function's variable whose name ends so; returns the number of them. */
uint32_t gw_front_find_global(const gw_func *f, const char *base, gw_object *found);
/* What a request cannot name because of a function that is called, or NULL. */
const char *gw_front_called_with(gw_unit *u, const gw_func *f, const char *variable, bool is_whole);
/* Why a request cannot name the variable, or NULL; `count`: how many variables of the function it may mean. */
const char *gw_front_global_obstacle(gw_unit *u, const gw_object_data *d, uint32_t count);
void gw_front_add_global(gw_func *f, gw_object object, gw_str base); /* as a parameter of that name */
bool gw_front_is_global_variable(CXCursor c); /* one at file scope, or static; or of a variable template */
gw_str gw_front_variable_base(gw_session *s, gw_str name); /* its name without a scope, as an identifier */

/* ---- instance.c ---- */
void gw_front_instances(gw_unit *u, CXCursor pattern, gw_cursors *out); /* that the unit uses */
CXCursor gw_front_pattern(CXCursor function);                           /* what it instantiates, or null */
/* "float, 3"; 0: some cannot be spelled */
gw_str gw_front_template_arguments(gw_unit *u, CXCursor instance);
gw_str gw_front_template_head(gw_unit *u, CXCursor pattern); /* "class T, int N = 3" */
/* The type of a parameter as the pattern has it; is_copy: it is passed by value. */
gw_str gw_front_pattern_type(gw_unit *u, CXCursor instance, uint32_t index, bool is_copy);
gw_str gw_front_pattern_result(gw_unit *u, CXCursor pattern);

/* ---- launch.c ---- */
/* Gives f what the source and the outside state of its launch; false with a diagnostic. */
bool gw_front_launch(gw_unit *u, CXCursor definition, gw_func *f);
/* False with a diagnostic where a gradient cannot have a second form, which a fact asks for. */
bool gw_front_other_forms(gw_unit *u);
/* False with a diagnostic if something from outside is about a function that is not lowered. */
bool gw_launches_all_used(gw_session *s);
bool gw_packs_all_used(gw_session *s); /* the same of --pack */

/* ---- name.c ---- */
/* The name behind __builtin_; NULL if it does not begin so. */
const char *gw_front_builtin_name(const char *name);
/* Whether the name tells what the function does: at file scope or in std, and nobody's but a library's. */
bool gw_front_is_known(gw_unit *u, CXCursor callee);
/* The same, and not declared in the main file; headers of the user's may declare it, but not define it. */
bool gw_front_is_library(gw_unit *u, CXCursor callee);
gw_str gw_front_qualified(gw_unit *u, CXCursor decl); /* "ns::S::f" */
/* Tells types apart: those of functions, whose spellings other functions' types may share, by more than
 * that. */
gw_str gw_front_type_key(gw_unit *u, CXType type);
bool gw_front_is_of_function(CXCursor decl);      /* declared in a function's body: no other text can name it */
gw_str gw_front_space(gw_unit *u, CXCursor decl); /* its namespace: "ns" */
/* "ns::f", of a second function of that name "ns::f'2" */
gw_str gw_front_symbol(gw_unit *u, CXCursor function);
gw_str gw_front_stem(gw_unit *u, CXCursor decl);    /* what names of derivatives begin with: "f", "S_f" */
gw_str gw_front_display(gw_unit *u, CXCursor decl); /* for people: "ns::f<3>", "S<float>::f" */
/* A typedef of a header that is read in the place of another one, where its type is another. */
bool gw_front_keeps_name(gw_unit *u, CXType type);
CXType gw_front_named_type(gw_unit *u, CXType type); /* canonical, but for what keeps its name */
gw_str gw_front_type_text(gw_unit *u, CXType type);  /* without names of types that are not its own */
/* In C++, the enumerated type that the type is, or that its elements are or it leads to; else 0. */
gw_str gw_front_enumeration(gw_unit *u, CXType type);
/* Why no text outside of functions can name the type, what it leads to or an argument of its template; NULL: it
 * can. */
bool gw_front_is_closed(CXCursor decl);    /* private or protected */
bool gw_front_is_closed_type(CXType type); /* that, or declared in such a class */
const char *gw_front_nameless(gw_unit *u, CXType type);
/* Whether the type has a name that text can use, as have the arguments of its template. */
bool gw_front_is_spelled(gw_unit *u, gw_str type);
gw_str gw_front_spelled_type(gw_unit *u, CXType type); /* as the source has it */
bool gw_front_is_lambda(gw_unit *u, CXType type);
/* What stands for the lambda; NULL: nothing. */
const gw_captures *gw_front_captures_of(const gw_unit *u, CXType type);

/* ---- promise.c ---- */
/* Gives f the promises that the source and the outside make of it; false with a diagnostic if one speaks of
 * nothing. */
bool gw_front_promises(gw_unit *u, CXCursor definition, gw_func *f);
/* False with a diagnostic if one from outside is about a function that is not lowered. */
bool gw_promises_all_used(gw_session *s);

/* ---- recursion.c ---- */
bool gw_front_is_recursive(gw_unit *u, CXCursor definition);
/* Whether what is sought stands in the definition, or in that of a function which it calls, through others
 * too. */
typedef bool gw_front_sought(gw_unit *u, CXCursor c, const void *what);
bool gw_front_reaches(gw_unit *u, CXCursor definition, gw_front_sought *sought, const void *what);

/* ---- refusal.c ---- */
extern const gw_refusal gw_refusals[GW_REFUSED_COUNT];
/* What to write instead of a class of the standard library that is refused by that name, without its
 * namespace. */
const gw_refusal *gw_front_refused_class(gw_unit *u, const char *name);

/* ---- running.c: what calls that are found when running may reach ---- */
/* Functions of that type whose addresses the file takes. */
void gw_front_taken_functions(gw_unit *u, CXType type, gw_cursors *out);
/* Classes that are not abstract and derive from it, or are it. */
void gw_front_deriving_classes(gw_unit *u, CXCursor base, gw_cursors *out);
bool gw_front_same_call(CXType a, CXType b); /* types of functions that are called alike */

/* ---- rule.c ---- */
/* Whether a derivative was written for it, or that it has none. */
bool gw_front_has_rule(const gw_unit *u, CXCursor function);
/* The rule of a function that works on memory of the device; NULL: it is none. */
const gw_rule *gw_front_device_rule_of(gw_unit *u, CXCursor function);
/* Number of its entry in u->rules, UINT32_MAX: it has none. */
uint32_t gw_front_rule_of(const gw_unit *u, CXCursor function);
/* The definition of a function with derivatives of the user's, else null. */
CXCursor gw_front_rule_body(const gw_unit *u, gw_str function);

#endif
