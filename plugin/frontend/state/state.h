/*
 * frontend/state/state.h - the state of the lowering of one function to structured SSA.
 *
 * The scheme. Every local scalar and pointer is a slot; a slot holds its current SSA value (or pointer). A
 * branch is lowered into a region of its own while a journal records which slots it sets; the branches are then
 * merged: a slot that differs becomes a result of the IF. A loop's body is lowered once on trial, all slots
 * unknown, to learn what it sets, stores and does to its counter; the trial is then undone and the loop lowered
 * for good. Break, continue and return set a slot of their own ("exit"), and what follows is lowered into the
 * branch that did not exit, or guarded by that slot.
 *
 * Why that is sound: nothing is decided by looking at the source text; what a body does is what its lowering
 * did, through references, pointers, members and inlined calls alike.
 *
 * Ownership: gw_front_function owns the gw_lowering and its lists; the function that is made, L->f, is the
 * session's. A gw_place is a value: it names slots, pointers and candidates of its lowering by number.
 */
#ifndef GRADWRIGHT_FRONTEND_STATE_H
#define GRADWRIGHT_FRONTEND_STATE_H

#include "plugin/frontend/unit/unit.h"

/* How an object gets the value of another. */
typedef enum gw_copying { GW_COPIED, GW_MOVED, GW_ASSIGNED, GW_ASSIGNED_MOVED } gw_copying;
enum { GW_PLACE_INDICES = 8 };

/* The kind of place that a value lives in. A pointer's value is the place that it points to: its last index is
 * the offset. */
typedef enum gw_place_kind {
    GW_PLACE_NONE,    /* not set (uninitialised pointer) */
    GW_PLACE_SLOTS,   /* local variable: `slot` is the first of its leaves */
    GW_PLACE_MEMORY,  /* cell of an object */
    GW_PLACE_SPECIAL, /* threadIdx and its like: `slot` is its attr; count 1: one of its members */
    GW_PLACE_FUNCTION, /* function pointer: `slot` is its number in the unit's list of functions */
    GW_PLACE_NULL,    /* the null pointer, said so */
    GW_PLACE_CHOICE,  /* one of `count` candidates from number `slot` on; index[0], an i32, tells which */
    GW_PLACE_TORN     /* pointer that may lead to two objects */
} gw_place_kind;

typedef struct gw_place {
    gw_place_kind kind;
    bool read_only; /* a copy: a store would be lost */
    bool stale;     /* a copy of one of several lvalues: must not be kept as a reference */
    bool upper;     /* of a double of which a half is seen (frontend/place/bits.c): the upper one */
    bool detached;  /* what is read from it carries no derivative */
    uint32_t lvalues; /* stale: number of the pointer to them, or 0 */
    uint32_t walk;    /* of an iterator into this table (call/walk.c): its slot plus 1, else 0 */
    gw_shape shape;
    /* shape of what it is a view of, from number view_from on (frontend/place/view.c); 0: no view */
    gw_shape view;
    uint32_t view_from;
    uint32_t bits; /* a bit-field's width, else 0 */
    /* of the memory, where bits of it are seen as `shape`; 0: it is that (frontend/place/bits.c) */
    gw_shape cell;
    /* of the memory, where its cells are structs and the last index counts their numbers; 0: it counts cells */
    gw_shape numbers_of;
    /* of a member of a struct in memory: the struct, of numbers, and which of them it is; 0: of none */
    gw_shape inside;
    uint32_t number;
    /* a pointer into a row of constant number: number of its offset's index (frontend/state/row.c), else 0 */
    uint32_t walked;
    /* of SLOTS that a pointer may move among: the first, how many, 0: it may not move, and how many leaves each
     * has, 0: one */
    uint32_t table, table_count, table_each;
    gw_shape most; /* of a base class: the shape of the whole object, where it is known; else 0 */
    gw_shape root; /* of an object seen as a class that it may be: its memory's (place/dynamic.c); else 0 */
    bool is_exact; /* it is of that class, and of none that derives from it */
    bool is_held;  /* SLOTS: a std::function's pointer to what it holds (call/function.c) */
    uint32_t slot;
    gw_object object;
    gw_str path;
    uint32_t count;
    gw_value index[GW_PLACE_INDICES];
} gw_place;

typedef enum gw_slot_kind { GW_SLOT_SCALAR, GW_SLOT_POINTER, GW_SLOT_EXIT } gw_slot_kind;

typedef struct gw_slot_data {
    gw_slot_kind kind;
    gw_type type; /* scalar */
    gw_str name;
    uint32_t value; /* gw_value, or number of a pointer; 0 = not set */
    uint32_t first, leaves; /* the slots of the variable that it is a leaf of; leaves 0: it is all of it */
} gw_slot_data;

typedef struct gw_slot_change {
    uint32_t slot, value;
} gw_slot_change;

typedef struct gw_slot_changes {
    gw_slot_change *at;
    uint32_t count, room;
} gw_slot_changes;

typedef struct gw_binding {
    CXCursor decl;
    gw_place place;
} gw_binding;

typedef struct gw_branch {
    gw_region region, outer;
    gw_slot_changes changes;
    uint32_t mark, limit, stores;
    bool dead, outer_dead, stopped, outer_stopped;
    bool rest; /* what the kernel's threads do that did not return on the other side */
} gw_branch;

/* One exit that is open: of a function body, a loop or its body, a switch, a try block. */
typedef struct gw_exit {
    enum gw_exit_kind {
        GW_EXIT_RETURN,
        GW_EXIT_BREAK,
        GW_EXIT_CONTINUE,
        GW_EXIT_CATCH,
        GW_EXIT_JUMP,
        GW_EXIT_DONE /* out of a loop that goes back to a label: no break leads there */
    } kind;
    uint32_t slot;
    uint32_t depth; /* lists that were open when it was opened */
    CXSourceLocation label; /* of JUMP */
} gw_exit;

/* A switch that may jump into a statement of its body (statement/switch.c). */
typedef struct gw_entry {
    gw_value value;
    uint32_t slot;   /* whether it jumps to a label that has not been come to */
    uint32_t frames; /* the function's that it is in */
    CXCursor last;   /* its last label there */
} gw_entry;

/* A function that is being inlined. */
typedef struct gw_frame {
    CXCursor decl;
    CXCursor call; /* the expression that calls it; null for the requested function */
    gw_place self;   /* *this */
    gw_place result; /* slots of the returned value; NONE for void */
    bool by_place;   /* returns a reference: result is a pointer slot */
    gw_place copy;   /* the value of a reference, in case that it leads to several places */
    uint32_t exit;
} gw_frame;

/* The targets that a pointer may lead to: objects and paths, each once. Its values are those of one list: the
 * selector if there are several targets, then the offsets of each, i64. */
typedef struct gw_targets {
    gw_place *at;
    uint32_t count, room;
    bool torn; /* too many, or some that cannot be one of several */
} gw_targets;

/* The dimensions of a variable-length array, or of what a pointer to one points to; outermost first. */
enum { GW_EXTENTS = 4 };

typedef struct gw_extents {
    CXCursor decl;
    uint32_t count;
    gw_value extent[GW_EXTENTS];
} gw_extents;

typedef struct gw_global {
    CXCursor decl;
    gw_object object;
} gw_global;

/* Stands for all memory of cells of this shape that the pointers of a program lead to. */
typedef struct gw_device_memory {
    gw_shape shape;
    gw_object object;
} gw_device_memory;

typedef GW_VEC(gw_exit) gw_exits;

/* A try block that is being lowered. What is thrown to a handler takes the exit, whose slot says that
 * something was caught; another slot says by which handler. */
typedef struct gw_handler {
    CXCursor statement;
    CXCursor variable; /* null: nobody asks for what was thrown */
    CXType type;       /* that it catches, without a reference; invalid: all */
    gw_place value;    /* of the variable */
    bool is_reached;
} gw_handler;

typedef struct gw_try {
    uint32_t frames; /* that were open when it began */
    uint32_t exit, chosen; /* slots */
    gw_handler *handlers;
    uint32_t count;
} gw_try;

/* The rest of a list of statements, from within an expression on, where nothing was thrown so far. */
typedef struct gw_unthrown {
    gw_branch rest;
    gw_value thrown;
    uint32_t owned;
} gw_unthrown;

/* An object whose destructor does something. */
typedef struct gw_owned {
    CXCursor decl; /* null: it has no name, and ends with its expression */
    gw_place place;
    gw_region region; /* where it was made */
    bool returned;    /* it is made in the place of the result */
} gw_owned;

/* A loop that a pragma of OpenMP shares out. */
typedef struct gw_openmp_threads {
    CXCursor loop;
    uint16_t policy;       /* gw_policy; 0: it runs in order */
    unsigned first, last;  /* its places in the file of the function's body */
    CXSourceLocation where; /* the pragma's */
} gw_openmp_threads;

/* A vector of Thrust's that a program is given: which parameter, and what stands for it (device/vectors.c). */
typedef struct gw_given_vector {
    uint32_t param;
    gw_place place;
} gw_given_vector;

/* The place where an array of a program's own is made, and what stands for it (place/stage.c). */
typedef struct gw_site {
    gw_object object;
    uint32_t slot;  /* 1 + that of a number, which has no object */
    gw_shape shape; /* of an element, or of the variable */
    CXCursor at;
    bool is_variable; /* a declaration, of which there is one at a time */
    gw_str grows;     /* what a vector's elements are called, where any vector of the source may grow; else 0 */
    bool is_handle;   /* a stream or its like at file scope (place/handle.c) */
} gw_site;
typedef GW_VEC(gw_site) gw_sites;

/* A pointer in what a parameter leads to, which the function sets (place/held.c). */
typedef struct gw_held_pointer {
    gw_object object;
    gw_str path;
    gw_shape shape;
    gw_loc loc; /* of what sets it */
    bool is_known; /* from the beginning of this lowering on */
    uint32_t slot;
    gw_place given; /* where it leads when the function begins */
} gw_held_pointer;
typedef GW_VEC(gw_held_pointer) gw_held_pointers;

/* A struct with pointers that a call makes (place/made.c). */
typedef struct gw_made {
    gw_str site, name;
    gw_shape shape;
    uint32_t slot; /* its first, in this lowering */
} gw_made;
typedef GW_VEC(gw_made) gw_made_structs;

typedef struct gw_staged_variable {
    CXCursor decl;
    gw_value address;
} gw_staged_variable;

/* The index of a counted loop that is being lowered stays in low .. high - 1. */
typedef struct gw_counted {
    gw_value index;
    int64_t low, high;
} gw_counted;

typedef struct gw_discovery gw_discovery; /* frontend/statement/statement.h */

typedef struct gw_lowering {
    gw_unit *u;
    gw_session *session;
    gw_func *f;
    gw_builder b;
    bool failed, dead; /* dead: the current path has left for one of the exits, */
    bool stopped;      /* or does not come back at all */
    uint32_t refused;  /* statements that were, behind each of which the next ones are looked at (refused.c) */
    GW_VEC(CXCursor) lost; /* variables that these would have set */
    GW_VEC(gw_slot_data) slots;
    GW_VEC(gw_slot_change) journal; /* old values */
    GW_VEC(gw_place) pointers;      /* [0] unused */
    GW_VEC(gw_place) candidates;    /* of choices */
    GW_VEC(gw_binding) bindings;
    GW_VEC(gw_counted) counted;
    gw_exits exits;
    GW_VEC(gw_owned) owned; /* objects whose destructors are still to run (object/destroy.c) */
    GW_VEC(gw_try) tries;           /* outermost first */
    GW_VEC(gw_unthrown) unthrown;
    bool listed; /* the declaration stands in a list of statements */
    gw_entry *entry; /* or NULL */
    GW_VEC(bool) lists; /* open statement lists: whether statements are left */
    GW_VEC(gw_frame) frames;
    GW_VEC(gw_object) stores; /* log of objects stored to */
    GW_VEC(gw_object) rows;   /* arrays of the rows of vectors of vectors */
    GW_VEC(gw_global) globals;
    GW_VEC(gw_extents) extents;
    bool is_program; /* pointers are addresses (place/address.c) */
    bool numbers_addresses; /* and some are integers, */
    bool asks, changes_text; /* questions to text, changes of text that is not the function's own, and where */
    gw_loc text_changed;
    CXCursor given_number;  /* which a function without a body may be given here; null: none is */
    GW_VEC(gw_device_memory) devices;
    GW_VEC(gw_value) symbols; /* addresses of u->written_symbols */
    GW_VEC(gw_given_vector) given_vectors; /* that the program may write to */
    gw_sites sites;   /* all that were come to, */
    gw_sites *staged; /* and those that must lie in memory that copies reach: found by earlier lowerings */
    GW_VEC(gw_staged_variable) staged_variables;
    GW_VEC(gw_binding) handles; /* at file scope; those that are not read_only are the function's own */
    bool must_stage; /* one more was found: lower again */
    gw_held_pointers *held; /* found by earlier lowerings, too */
    gw_made_structs *made;  /* likewise */
    bool must_hold; /* one more of either was found: lower again */
    /* GW_CHECKPOINT stands before the loop that comes next, or _BINOMIAL, negative; 0: none does */
    int64_t checkpoint;
    uint16_t policy; /* likewise, of an algorithm's loop */
    GW_VEC(gw_openmp_threads) openmp; /* loops that a pragma shares out (call/openmp_loop.c), */
    uint32_t openmp_meetings; /* and how many pragmas, or calls, let iterations meet */
    bool discards; /* nobody uses what the next call gives */
    uint32_t passing; /* expressions that are being passed over, one in the other (call/passed.c) */
    gw_str naming; /* variable that is being declared: the name of what it is given */
    CXType raw;    /* what a call's `void *` is cast to, while it is lowered: so is what it allocates */
    GW_VEC(gw_discovery *) loops; /* in order of lowering, the same in trial and for good */
    uint32_t loop_next;
    gw_value trial_values; /* first value of the outermost trial that is under way; 0: none is */
    gw_object stored_param; /* a by-value struct parameter that is stored to: lower again with a copy */
    /* frontend/place/shared.c: dynamic shared memory is an object for each type of cells; lower again so */
    bool carves, must_carve;
    gw_str shared_name; /* of the first extern __shared__ array */
} gw_lowering;

#define GW_FRONT_TEXT(L, s) gw_cstr((L)->session, (s))

typedef struct gw_call_result {
    gw_value value; /* scalar */
    gw_place place; /* struct, pointer target or reference */
} gw_call_result;

/* ---- branch.c ---- */
gw_branch gw_front_branch_begin(gw_lowering *L);
void gw_front_branch_end(gw_lowering *L, gw_branch *branch);
void gw_front_branch_resume(gw_lowering *L, gw_branch *branch);
/* IF over two ended branches (frees them); sets the merged slots. */
void gw_front_branch_join(gw_lowering *L, gw_value condition, gw_branch *yes, gw_branch *no);
/* IF over what `lower` does for each of two arms. */
void gw_front_branch_either(gw_lowering *L, gw_value condition, const CXCursor arms[2],
                            void (*lower)(gw_lowering *L, CXCursor arm));
/* Whether the branch only made pure values that are cheap to make always; then splice() moves them out. */
bool gw_front_branch_cheap(gw_lowering *L, const gw_branch *branch);
bool gw_front_branch_constant(gw_lowering *L, const gw_branch *branch);
void gw_front_branch_splice(gw_lowering *L, gw_branch *branch);
void gw_front_attach(gw_lowering *L, gw_op op, gw_region region);

/* ---- exit.c ---- */
uint32_t gw_front_exit_open(gw_lowering *L, enum gw_exit_kind kind);
void gw_front_exit_close(gw_lowering *L);
void gw_front_exit_take(gw_lowering *L, enum gw_exit_kind kind);
bool gw_front_exit_jump(gw_lowering *L, CXSourceLocation label); /* false: none that is open leads there */
bool gw_front_exit_leads(const gw_lowering *L, CXSourceLocation label);
void gw_front_exit_function(gw_lowering *L); /* out of all that is inlined */
gw_value gw_front_exit_taken(gw_lowering *L); /* 0: certainly none of the open ones */
bool gw_front_exit_may(const gw_lowering *L, uint32_t slot);
/* Whether a dead branch is so by a kernel's return. */
bool gw_front_exit_ends_thread(const gw_lowering *L, const gw_branch *branch);
/* A region in which no exit was taken; end() merges it with the path that exited. */
gw_branch gw_front_guard_begin(gw_lowering *L);
void gw_front_guard_end(gw_lowering *L, gw_value taken, gw_branch *rest);
/* The same where no exit but that of a try block was taken before the region; `left`: nobody comes by the side
 * where `passed` is so. */
void gw_front_guard_join(gw_lowering *L, gw_value passed, gw_branch *rest, bool left);
/* Behind what may have thrown to a handler, in an expression: what follows is done where it did not. */
void gw_front_unthrown_begin(gw_lowering *L);

/* ---- operand.c ---- */
/* The reference type that an explicit cast names: & is 1, && is 2, another type 0. */
unsigned gw_front_cast_reference(gw_lowering *L, CXCursor e, CXCursor inner);
void gw_front_refuse_kind(gw_lowering *L, CXCursor e); /* an expression that is not supported */
bool gw_front_returns_reference(CXCursor call);
/* The number as a constant of that type. */
gw_value gw_front_constant(gw_lowering *L, gw_type type, int64_t integer, double real, bool is_real);
gw_shape gw_front_shape_of(gw_lowering *L, CXCursor e);
gw_shape_kind gw_front_kind_of(gw_lowering *L, CXCursor e);
bool gw_front_is_cast(enum CXCursorKind kind);
CXCursor gw_front_strip(CXCursor e);                   /* parentheses */
CXCursor gw_front_operand(gw_lowering *L, CXCursor e); /* of a cast; null if it has none */
CXCursor gw_front_behind_casts(gw_lowering *L, CXCursor e);

/* ---- refused.c ---- */
/* What a statement may leave half done. */
typedef struct gw_statement_start {
    gw_builder b;
    struct gw_scope {
        uint32_t bindings, slots;
    } scope;
    uint32_t journal, exits, lists, frames, owned, tries, unthrown, counted, passing;
    gw_str naming;
    bool dead, stopped;
} gw_statement_start;

gw_statement_start gw_front_statement_start(const gw_lowering *L);
/* A statement has failed: puts all back, so that the next one can be lowered; what it may have set is lost. */
void gw_front_statement_lost(gw_lowering *L, const gw_statement_start *start, CXCursor statement);
/* What holds statements that were refused is refused, too, where it needs what they do. */
void gw_front_refused_since(gw_lowering *L, uint32_t refused);

/* ---- row.c ---- */
/* Notes that a pointer may walk from row to row. */
void gw_front_row_mark(gw_lowering *L, gw_place *target);
/* Whether it is the index of a counted loop that stays in 0 .. count - 1, or such a constant. */
bool gw_front_certainly_inside(gw_lowering *L, gw_value v, uint32_t count);
/* What an access by such a pointer is of: the cell in the row where it has come to. */
gw_place gw_front_row_settle(gw_lowering *L, gw_place place);

/* ---- scope.c ---- */
typedef struct gw_scope gw_scope;

gw_scope gw_front_scope(const gw_lowering *L);
void gw_front_scope_end(gw_lowering *L, gw_scope scope);
void gw_front_bind(gw_lowering *L, CXCursor decl, gw_place place);
/* Gives the object to L->owned: the destructor of what was made runs at the end of its list, or, with a null
 * cursor, of its expression. */
void gw_front_own(gw_lowering *L, CXCursor variable, gw_place place);
/* Somebody else destroys that object, which has no name; it is none that would be, or is one no more. */
void gw_front_disown(gw_lowering *L, gw_place place);
void gw_front_leave(gw_lowering *L, uint32_t owned); /* number `owned` is no more in L->owned */
void gw_front_give_away(gw_lowering *L, CXCursor variable); /* every return returns it */
/* Whether it is lost (refused.c); then the use of it is refused, without a word. */
bool gw_front_use_lost(gw_lowering *L, CXCursor variable);
/* The first diagnostic of a statement ends its lowering. */
void gw_front_refuse(gw_lowering *L, CXCursor at, const char *what, const char *way_out);
void gw_front_refuse_unthrown(gw_lowering *L); /* a rest that would end after the region around it */
gw_loc gw_front_at(gw_lowering *L, CXCursor cursor);
gw_loc gw_front_users_place(gw_lowering *L, CXCursor at); /* where a diagnostic about it belongs */
void gw_front_locate(gw_lowering *L, CXCursor cursor); /* sets the builder's location */

/* ---- slot.c ---- */
uint32_t gw_front_slot(gw_lowering *L, gw_slot_kind kind, gw_type type, gw_str name);
void gw_front_slot_set(gw_lowering *L, uint32_t slot, uint32_t value);
gw_value gw_front_slot_value(gw_lowering *L, uint32_t slot); /* of a scalar; 0 -> a zero constant */
gw_value gw_front_zero(gw_lowering *L, gw_type type);
/* Slots below `limit` that were set since `mark`, with their values now. */
void gw_front_slot_changes(gw_lowering *L, uint32_t mark, uint32_t limit, gw_slot_changes *out);
void gw_front_slot_rollback(gw_lowering *L, uint32_t mark);
uint32_t gw_front_pointer_new(gw_lowering *L, gw_place target);

/* ---- targets.c ---- */
bool gw_front_same_target(const gw_place *a, const gw_place *b); /* object and path */
void gw_front_targets_add(gw_lowering *L, gw_targets *list, const gw_place *p);
void gw_front_targets_free(gw_targets *list);
uint32_t gw_front_targets_width(const gw_targets *list);
void gw_front_targets_values(gw_lowering *L, const gw_targets *list, const gw_place *p, gw_value *out);
gw_place gw_front_targets_place(gw_lowering *L, const gw_targets *list, const gw_value *values);
/* Whether the candidates of the choice are those of the list, in its order. */
bool gw_front_targets_in_order(gw_lowering *L, const gw_targets *list, const gw_place *p);

#endif
