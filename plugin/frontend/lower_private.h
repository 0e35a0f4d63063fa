/*
 * frontend/lower.h - lowering of one function to structured SSA (private to the front end).
 *
 * The scheme. Every local scalar and pointer is a slot; a slot holds its current SSA value (or pointer).
 * A branch is lowered into a region of its own while a journal records which slots it sets; the branches
 * are then merged: a slot that differs becomes a result of the IF. A loop's body is lowered once on trial,
 * all slots unknown, to learn what it sets, stores and does to its counter; the trial is then undone and
 * the loop lowered for good. Break, continue and return set a slot of their own ("exit"), and what
 * follows is lowered into the branch that did not exit, or guarded by that slot.
 *
 * Why that is sound: nothing is decided by looking at the source text; what a body does is what its lowering
 * did, through references, pointers, members and inlined calls alike.
 */
#ifndef GRADWRIGHT_FRONTEND_LOWER_PRIVATE_H
#define GRADWRIGHT_FRONTEND_LOWER_PRIVATE_H

#include "plugin/frontend/unit_private.h"

enum { GW_PLACE_INDICES = 8 };

/* Where a value lives. A pointer's value is the place that it points to: its last index is the offset. */
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
    bool detached;  /* what is read from it carries no derivative */
    uint32_t lvalues; /* stale: number of the pointer to them, or 0 */
    gw_shape shape;
    /* shape of what it is a view of, from number view_from on (frontend/type/union.c); 0: no view */
    gw_shape view;
    uint32_t view_from;
    uint32_t bits; /* a bit-field's width, else 0 */
    /* of the memory, where bits of it are seen as `shape`; 0: it is that (frontend/place/bits.c) */
    gw_shape cell;
    /* a pointer into a row of constant number: number of its offset's index (frontend/place/row.c), else 0 */
    uint32_t walked;
    gw_shape most; /* of a base class: the shape of the whole object, where it is known; else 0 */
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

/* One exit that is open: of a function body, a loop or its body, a switch. */
typedef struct gw_exit {
    enum gw_exit_kind { GW_EXIT_RETURN, GW_EXIT_BREAK, GW_EXIT_CONTINUE } kind;
    uint32_t slot;
    uint32_t depth; /* lists that were open when it was opened */
} gw_exit;

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

/* Where a pointer may lead: objects and paths, each once. Its values are those of one list: the selector if
 * there are several targets, then the offsets of each, i64. */
typedef struct gw_targets {
    gw_place *at;
    uint32_t count, room;
    bool torn; /* too many, or some that cannot be one of several */
} gw_targets;

/* What the trial of a loop found out. A reference is a value from before the loop, or GW_NODE | node. */
enum { GW_NODE = 1 << 30 };
typedef struct gw_node {
    gw_op_data op; /* CONST, pure op or load that the loop leaves alone */
    gw_type type;
    uint32_t operand[GW_PLACE_INDICES];
    uint32_t operands;
    uint32_t slot, index; /* slot != UINT32_MAX: value of this slot (index of this pointer) before the loop */
    CXCursor global;      /* file-scope variable that is read, or null */
} gw_node;
typedef struct gw_discovery {
    CXCursor loop;
    uint32_t slots; /* state that it was made in: what it says of slots and objects holds in an equal one */
    uint64_t state;
    bool borrows;             /* nodes name values of a trial around it: of no use after that */
    gw_slot_changes sets;     /* slots that the loop sets (values unused) */
    GW_VEC(gw_targets) targets; /* of each of them: where a pointer leads to at its begin or end */
    bool exits;               /* break or return inside */
    bool pure_condition;
    /* for (counter; counter <compare> bound; counter +- step) */
    bool counted, subtract, widened, increment_matters;
    bool steps_in_condition; /* while (n-- > 0): the condition sets the counter and nothing else */
    uint32_t counter;        /* slot */
    gw_opcode compare;
    gw_type type; /* of the comparison */
    GW_VEC(gw_node) nodes;
    uint32_t bound, step; /* references */
} gw_discovery;

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

/* An object whose destructor does something. */
typedef struct gw_owned {
    CXCursor decl; /* null: it has no name, and ends with its expression */
    gw_place place;
    gw_region region; /* where it was made */
    bool returned;    /* it is made in the place of the result */
} gw_owned;

/* A vector of Thrust's that a program is given: which parameter, and what stands for it (device/vectors.c). */
typedef struct gw_given_vector {
    uint32_t param;
    gw_place place;
} gw_given_vector;

/* Where an array of a program's own is made, and what stands for it (device/stage.c). */
typedef struct gw_site {
    gw_object object;
    gw_shape shape; /* of an element, or of the variable */
    CXCursor at;
    bool is_variable; /* a declaration, of which there is one at a time */
    gw_str grows;     /* what a vector's elements are called, where any vector of the source may grow; else 0 */
} gw_site;
typedef GW_VEC(gw_site) gw_sites;
typedef struct gw_staged_variable {
    CXCursor decl;
    gw_value address;
} gw_staged_variable;

typedef struct gw_lowering {
    gw_unit *u;
    gw_session *session;
    gw_func *f;
    gw_builder b;
    bool failed, dead; /* dead: the current path has left for one of the exits */
    GW_VEC(gw_slot_data) slots;
    GW_VEC(gw_slot_change) journal; /* old values */
    GW_VEC(gw_place) pointers;      /* [0] unused */
    GW_VEC(gw_place) candidates;    /* of choices */
    GW_VEC(gw_binding) bindings;
    gw_exits exits;
    GW_VEC(gw_owned) owned; /* objects whose destructors are still to run (type/destroy.c) */
    bool owner;  /* the next object that is made is a variable or a result */
    bool listed; /* the declaration stands in a list of statements */
    GW_VEC(bool) lists; /* open statement lists: whether statements are left */
    GW_VEC(gw_frame) frames;
    GW_VEC(gw_object) stores; /* log of objects stored to */
    GW_VEC(gw_global) globals;
    GW_VEC(gw_extents) extents;
    bool is_program; /* pointers are addresses (device/address.c) */
    GW_VEC(gw_device_memory) devices;
    GW_VEC(gw_value) symbols; /* addresses of u->written_symbols */
    GW_VEC(gw_given_vector) given_vectors; /* that the program may write to */
    gw_sites sites;   /* all that were come to, */
    gw_sites *staged; /* and those that must lie in memory that copies reach: found by earlier lowerings */
    GW_VEC(gw_staged_variable) staged_variables;
    bool must_stage; /* one more was found: lower again */
    /* GW_CHECKPOINT stands before the loop that comes next, or _BINOMIAL, negative; 0: none does */
    int64_t checkpoint;
    uint16_t policy; /* likewise, of an algorithm's loop */
    gw_str naming; /* variable that is being declared: the name of what it is given */
    GW_VEC(gw_discovery *) loops; /* in order of lowering, the same in trial and for good */
    uint32_t loop_next;
    gw_value trial_values; /* first value of the outermost trial that is under way; 0: none is */
    gw_object stored_param; /* a by-value struct parameter that is stored to: lower again with a copy */
    /* frontend/kernel/shared.c: dynamic shared memory is an object for each type of cells; lower again so */
    bool carves, must_carve;
    gw_str shared_name; /* of the first extern __shared__ array */
} gw_lowering;

#define GW_FRONT_TEXT(L, s) gw_cstr((L)->session, (s))

/* ---- frontend/place/slot.c ---- */
uint32_t gw_front_slot(gw_lowering *L, gw_slot_kind kind, gw_type type, gw_str name);
void gw_front_slot_set(gw_lowering *L, uint32_t slot, uint32_t value);
gw_value gw_front_slot_value(gw_lowering *L, uint32_t slot); /* of a scalar; 0 -> a zero constant */
gw_value gw_front_zero(gw_lowering *L, gw_type type);
/* Slots below `limit` that were set since `mark`, with their values now. */
void gw_front_slot_changes(gw_lowering *L, uint32_t mark, uint32_t limit, gw_slot_changes *out);
void gw_front_slot_rollback(gw_lowering *L, uint32_t mark);
uint32_t gw_front_pointer_new(gw_lowering *L, gw_place target);

/* ---- frontend/place/place.c ---- */
gw_place gw_front_temp(gw_lowering *L, gw_shape shape, gw_str name); /* slots, or a LOCAL object */
gw_place gw_front_member(gw_lowering *L, gw_place place, uint32_t field);
gw_place gw_front_element(gw_lowering *L, gw_place array, gw_value index);
gw_place gw_front_advance(gw_lowering *L, gw_place target, gw_value by, bool back);
/* frontend/place/row.c: notes that a pointer may walk from row to row; an access by it, in the row where it has
 * come to. */
void gw_front_row_mark(gw_lowering *L, gw_place *target);
gw_place gw_front_row_settle(gw_lowering *L, gw_place place);
gw_place gw_front_target(gw_lowering *L, gw_place pointer); /* what a pointer variable points to */
void gw_front_point(gw_lowering *L, gw_place pointer, gw_place target);
gw_value gw_front_load(gw_lowering *L, gw_place place);
void gw_front_store(gw_lowering *L, gw_place place, gw_value value);
void gw_front_copy(gw_lowering *L, gw_place to, gw_place from);
/* Does it to each element, unrolled or in a loop; `from` may be NONE, `at` is handed on. */
typedef void gw_element_action(gw_lowering *L, gw_place to, gw_place from, CXCursor at);
void gw_front_each_element(gw_lowering *L, gw_place to, gw_place from, gw_element_action *action, CXCursor at);
/* frontend/type/copy.c: as C++ does it, by constructors and operators; gw_front_copy is for what is made in its
 * place. */
void gw_front_copy_object(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at);
gw_element_action *gw_front_copy_action(gw_copying how);
void gw_front_copy_value(gw_lowering *L, gw_place to, CXCursor e); /* from what the expression names or makes */
/* of what is made of a reference parameter */
gw_copying gw_front_argument_copying(gw_lowering *L, CXCursor e);
void gw_front_copy_argument(gw_lowering *L, gw_place to, CXCursor e); /* by way of a reference parameter */
/* frontend/place/lvalue.c: the reference type that an explicit cast names: & is 1, && is 2, another type 0 */
unsigned gw_front_cast_reference(gw_lowering *L, CXCursor e, CXCursor inner);
void gw_front_clear(gw_lowering *L, gw_place place);             /* zero-initialises */
bool gw_front_same_target(const gw_place *a, const gw_place *b); /* object and path */

/* ---- frontend/type/union.c ---- */
gw_place gw_front_union_member(gw_lowering *L, gw_place place, uint32_t field); /* one that holds no cells */
/* of a cast pointer, where the numbers are the same */
bool gw_front_reshape(gw_lowering *L, gw_place *target, gw_shape wanted);
/* the number that a shape is made of, without gaps; GW_T_VOID: of none, or of several types */
gw_shape gw_front_number_of(gw_unit *u, gw_shape shape);
gw_place gw_front_first_number(gw_lowering *L, gw_place view); /* of a view of a row */
gw_place gw_front_view_member(gw_lowering *L, gw_place view, uint32_t field);
gw_place gw_front_view_advance(gw_lowering *L, gw_place view, gw_value by, bool back);
gw_place gw_front_view_element(gw_lowering *L, gw_place view, gw_value index);

/* ---- frontend/place/bits.c: memory seen as cells of another type ---- */
/* of a cast pointer; false if it cannot be */
bool gw_front_retype(gw_lowering *L, gw_place *target, gw_shape wanted);
/* a distance in cells of one shape, in those of another */
gw_value gw_front_rescale(gw_lowering *L, gw_value index, gw_shape from, gw_shape to);
gw_shape gw_front_cell_of_views(gw_unit *u, gw_shape shape); /* what memory of several types holds instead */
gw_value gw_front_load_bits(gw_lowering *L, gw_place place);
void gw_front_store_bits(gw_lowering *L, gw_place place, gw_value value);

/* ---- frontend/place/choice.c ---- */
void gw_front_targets_add(gw_lowering *L, gw_targets *list, const gw_place *p);
void gw_front_targets_free(gw_targets *list);
uint32_t gw_front_targets_width(const gw_targets *list);
void gw_front_targets_values(gw_lowering *L, const gw_targets *list, const gw_place *p, gw_value *out);
gw_place gw_front_targets_place(gw_lowering *L, const gw_targets *list, const gw_value *values);
typedef void gw_choice_action(gw_lowering *L, gw_place candidate, void *context);
typedef gw_place gw_choice_step(gw_lowering *L, gw_place candidate, const void *context);
/* the one meant */
void gw_front_choice_each(gw_lowering *L, gw_place choice, gw_choice_action *act, void *context);
gw_place gw_front_choice_map(gw_lowering *L, gw_place choice, gw_choice_step *step, const void *context);
gw_value gw_front_choice_load(gw_lowering *L, gw_place choice);
gw_place gw_front_choice_target(gw_lowering *L, gw_place choice); /* of pointers */
gw_value gw_front_is_null(gw_lowering *L, gw_place pointer, CXCursor e);
/* 0: not known */
gw_value gw_front_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op);

gw_object gw_front_local(gw_lowering *L, gw_str name, gw_type type); /* a LOCAL with a name of its own */

/* ---- frontend/place/extent.c: arrays of run-time size ---- */
void gw_front_declare_rows(gw_lowering *L, CXCursor variable);
void gw_front_note_extents(gw_lowering *L, CXCursor variable); /* of a parameter or pointer, if it has any */
gw_value gw_front_row_size(gw_lowering *L, CXCursor e);        /* elements of an expression of such a type */
bool gw_front_is_allocation(gw_lowering *L, CXCursor e);
gw_place gw_front_allocation(gw_lowering *L, CXCursor call, CXType pointer);
gw_place gw_front_raw_allocation(gw_lowering *L, CXCursor call); /* of a program: bytes without a type */
gw_place gw_front_new(gw_lowering *L, CXCursor e);
bool gw_front_is_free(gw_lowering *L, CXCursor call);
void gw_front_free(gw_lowering *L, CXCursor at, CXCursor pointer);
bool gw_front_may_be_sized(const gw_unit *u, gw_shape element); /* as elements of such an array */
/* On a complete function: whether memory is used only while it is there; false with a diagnostic. */
bool gw_front_check_blocks(gw_func *f);
/* Marks until the function is complete: DECLAREs that say something else of a block. */
enum { GW_BLOCK_ENDS = 1, GW_BLOCK_GROWS };

/* ---- frontend/type/growth.c: vectors that elements are added to ---- */
bool gw_front_vectors_grow(gw_unit *u); /* whether the source adds elements to any */
/* whether this function does, maybe to the one whose elements are called so */
bool gw_front_vector_grows(gw_lowering *L, gw_str elements);
void gw_front_growth_mark(gw_lowering *L, gw_object array); /* an element is added here */
bool gw_front_make_room(gw_func *f); /* on a complete function; false with a diagnostic */

/* ---- frontend/statement/branch.c ---- */
typedef struct gw_branch {
    gw_region region, outer;
    gw_slot_changes changes;
    uint32_t mark, limit, stores;
    bool dead, outer_dead;
    bool rest; /* what the kernel's threads do that did not return on the other side */
} gw_branch;
gw_branch gw_front_branch_begin(gw_lowering *L);
void gw_front_branch_end(gw_lowering *L, gw_branch *branch);
void gw_front_branch_resume(gw_lowering *L, gw_branch *branch);
/* IF over two ended branches (frees them); sets the merged slots. */
void gw_front_branch_join(gw_lowering *L, gw_value condition, gw_branch *yes, gw_branch *no);
/* Whether the branch only made pure values that are cheap to make always; then splice() moves them out. */
bool gw_front_branch_cheap(gw_lowering *L, const gw_branch *branch);
bool gw_front_branch_constant(gw_lowering *L, const gw_branch *branch);
void gw_front_branch_splice(gw_lowering *L, gw_branch *branch);
void gw_front_attach(gw_lowering *L, gw_op op, gw_region region);

/* ---- frontend/statement/exit.c ---- */
uint32_t gw_front_exit_open(gw_lowering *L, enum gw_exit_kind kind);
void gw_front_exit_close(gw_lowering *L);
void gw_front_exit_take(gw_lowering *L, enum gw_exit_kind kind);
void gw_front_exit_function(gw_lowering *L); /* out of all that is inlined */
gw_value gw_front_exit_taken(gw_lowering *L); /* 0: certainly none of the open ones */
bool gw_front_exit_may(const gw_lowering *L, uint32_t slot);
bool gw_front_exit_needed(const gw_lowering *L, uint32_t slot);
/* a branch that is dead: by a kernel's return */
bool gw_front_exit_ends_thread(const gw_lowering *L, const gw_branch *branch);
/* A region in which no exit was taken; end() merges it with the path that exited. */
gw_branch gw_front_guard_begin(gw_lowering *L);
void gw_front_guard_end(gw_lowering *L, gw_value taken, gw_branch *rest);

/* ---- frontend/type/unique.c ---- */
void gw_front_unique_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
void gw_front_unique_end(gw_lowering *L, gw_place unique, CXCursor at);
/* ends: what `to` held goes to the deleter */
void gw_front_unique_move(gw_lowering *L, gw_place to, gw_place from, bool ends, CXCursor at);

/* ---- frontend/type/destroy.c ---- */
/* The destructor of what was made runs at the end of its list, or, with a null cursor, of its expression. */
void gw_front_own(gw_lowering *L, CXCursor variable, gw_place place);
/* A whole expression, or statement, ends: destroys the objects without names that were made since. */
void gw_front_destroy_nameless(gw_lowering *L, uint32_t first);
void gw_front_give_away(gw_lowering *L, CXCursor variable);           /* every return returns it */
/* Runs the destructors of the variables from that one on, last first, whichever exit the path took. */
void gw_front_destroy_from(gw_lowering *L, uint32_t first);

/* ---- frontend/place/scope.c ---- */
typedef struct gw_scope {
    uint32_t bindings, slots;
} gw_scope;
gw_scope gw_front_scope(const gw_lowering *L);
void gw_front_scope_end(gw_lowering *L, gw_scope scope);
void gw_front_bind(gw_lowering *L, CXCursor decl, gw_place place);
gw_place gw_front_variable(gw_lowering *L, CXCursor decl, CXCursor use);
gw_place gw_front_global(gw_lowering *L, CXCursor decl);

/* ---- frontend/kernel/shared.c ---- */
bool gw_front_is_shared(CXCursor variable);
gw_place gw_front_shared(gw_lowering *L, CXCursor variable, CXCursor use); /* place of a __shared__ variable */
/* A call of __syncthreads or its kin; false if it is none. *value: its result, if it has one. */
/* frontend/kernel/atomic.c: a call as a statement, if it is an atomic operation */
bool gw_front_atomic(gw_lowering *L, CXCursor call, gw_value *result); /* result: null where it is not used */
/* frontend/kernel/warp.c: shuffles, votes, matches, reductions, __syncwarp */
bool gw_front_warp(gw_lowering *L, CXCursor call, const char *name, gw_value *value);
/* frontend/kernel/collective.c: what a collective's header says of the kernel */
bool gw_front_collective(gw_lowering *L, CXCursor call, const char *name, gw_value *value);
/* a method or constructor of one that has no adjoint */
bool gw_front_refuse_collective(gw_lowering *L, CXCursor call, CXCursor callee);
bool gw_front_is_dynamic_shared(const gw_lowering *L, gw_object o);
/* The place becomes a cell of that shape, `index` cells of shape `from` from the memory's beginning. */
bool gw_front_carve(gw_lowering *L, gw_place *p, gw_value index, gw_shape from, gw_shape wanted);
bool gw_front_check_carved(gw_lowering *L); /* of a complete kernel; false with a diagnostic */
bool gw_front_barrier(gw_lowering *L, CXCursor call, const char *name, gw_value *value);

typedef struct gw_call_result {
    gw_value value; /* scalar */
    gw_place place; /* struct, pointer target or reference */
} gw_call_result;
/* ---- frontend/device: programs, which launch kernels ---- */
bool gw_front_is_device(const gw_lowering *L, const gw_place *p); /* where a pointer of a program leads */
gw_place gw_front_device_place(gw_lowering *L, gw_shape pointee, gw_value address);
/* frontend/device/stage.c: arrays of the program's own that copies to the device may read. An array is noted
 * where it is made, staged once it turned out to be copied, and must_stage is set then. */
void gw_front_stage_note(gw_lowering *L, gw_site site);
bool gw_front_is_staged(const gw_lowering *L, CXCursor at);
bool gw_front_stage_later(gw_lowering *L, const gw_place *p); /* false: it cannot be */
gw_place gw_front_stage(gw_lowering *L, gw_shape element, gw_value count, bool zeroed);
gw_place gw_front_stage_bytes(gw_lowering *L, gw_value bytes, bool zeroed); /* of no type yet */
void gw_front_stage_fill(gw_lowering *L, gw_place first, gw_value byte, gw_value bytes); /* like memset */
void gw_front_stage_start(gw_lowering *L);
bool gw_front_stage_check(gw_lowering *L); /* of a complete function; false with a diagnostic */
bool gw_front_staged_variable(gw_lowering *L, CXCursor variable, gw_place *place);
bool gw_front_stage_waits(const gw_lowering *L, gw_value kind); /* a queued copy of that cudaMemcpyKind */
/* Of a struct parameter: a parameter for each pointer in it; and the copy that the program works on, with them
 * in it. False: it has none. */
void gw_front_struct_add_parts(gw_lowering *L, CXType type, uint32_t index);
bool gw_front_struct_bind_parts(gw_lowering *L, CXType type, uint32_t index, gw_place *place);
uint32_t gw_front_size_of(const gw_lowering *L, gw_shape s); /* bytes of an element; 0: not known */
gw_value gw_front_spot(gw_lowering *L, const gw_place *p); /* where it lies; 0: that is not known */
gw_value gw_front_address(gw_lowering *L, gw_place p, CXCursor at); /* of such a place; else refuses it */
/* To a pointer of another type; false if it is none of a program's. */
bool gw_front_leads_to_device(const gw_lowering *L, const gw_place *p); /* the same, or null by a branch */
/* Comparison of two of them, or their distance in elements; 0: of a type whose size is not known. */
gw_value gw_front_device_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op);
bool gw_front_device_cast(gw_lowering *L, gw_place *p, gw_shape wanted, CXCursor at);
/* Whether floating-point numbers are behind one of two pointers, and none behind the other. */
bool gw_front_hides_numbers(const gw_lowering *L, gw_shape of, gw_shape as);
/* By so many elements, if it is one; false: of a type whose size is not known. */
/* Of two of them, a comparison or the difference in elements; 0: not known, or others. */
gw_value gw_front_device_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op);
bool gw_front_device_advance(gw_lowering *L, gw_place *p, gw_value by, bool back);
gw_op gw_front_device_op(gw_lowering *L, uint32_t what, const gw_value *operands, uint32_t count);
bool gw_front_device_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r);
/* A call of a function that works on memory of the device and has a pullback; false: it is none. */
bool gw_front_call_device_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                               gw_value *result);
void gw_front_launch_kernel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);
/* frontend/device/element.c: of one more pointer of a copy; what is filled may have numbers of several types */
void gw_front_element_add(gw_lowering *L, uint32_t *so_far, const gw_place *p, bool is_filled, CXCursor at);
bool gw_front_has_numbers(const gw_lowering *L, gw_shape s); /* that have a derivative */
void gw_front_device_properties(gw_lowering *L, gw_place to, gw_value device); /* frontend/device/property.c */
void gw_front_pointer_attributes(gw_lowering *L, gw_place to, gw_value address);
/* frontend/device/host.c */
bool gw_front_is_own(const gw_lowering *L, const gw_place *p); /* a variable of the program's own */
bool gw_front_is_own_sized(const gw_lowering *L, const gw_place *p); /* an array whose size only a run knows */
typedef struct gw_host_copy {
    gw_place to, from;
    gw_value bytes, stream;
    bool waits;
} gw_host_copy;
/* A cell of such memory; 0, false: that cannot be. */
gw_value gw_front_device_load(gw_lowering *L, const gw_place *p);
bool gw_front_device_store(gw_lowering *L, const gw_place *p, gw_value value);
void gw_front_host_copy(gw_lowering *L, const gw_host_copy *copy, CXCursor call);
/* frontend/device/print.c: text to a std::ostream, which is left out; false: it is another call */
bool gw_front_prints(gw_lowering *L, CXCursor call);
/* frontend/device/argument.c */
typedef GW_VEC(gw_value) gw_operands;
gw_place gw_front_pointer_behind(gw_lowering *L, CXCursor e); /* &p of (void **)&p */
gw_place gw_front_member_named(gw_lowering *L, gw_place p, const char *name); /* failed if there is none */
/* frontend/device/pitched.c: a row whose arguments are X */
bool gw_front_pitched(gw_lowering *L, CXCursor call, uint32_t what, const gw_cursors *a, gw_value *said);
/* frontend/device/symbol.c */
void gw_front_symbols_start(gw_lowering *L);
gw_place gw_front_symbol_place(gw_lowering *L, CXCursor e); /* that is named in a call */
void gw_front_launch_symbols(gw_lowering *L, const gw_func *kernel, gw_operands *out);
const gw_func *gw_front_kernel_named(gw_lowering *L, CXCursor e); /* lowered; NULL after a diagnostic */
void gw_front_launch_lengths(gw_lowering *L, CXCursor e, gw_value *operands);
void gw_front_launch_emit(gw_lowering *L, CXCursor call, const gw_func *kernel, gw_operands *operands);
bool gw_front_launch_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r); /* cudaLaunchKernel and its like; false: it is another */
void gw_front_launch_variable(gw_lowering *L, const gw_func *kernel, const gw_param *p, gw_place from,
                              CXCursor at, gw_operands *out);
bool gw_front_may_launch(gw_lowering *L, CXCursor call, const gw_func *kernel); /* false after a diagnostic */
void gw_front_launch_argument(gw_lowering *L, const gw_func *kernel, const gw_param *p, CXCursor e,
                              gw_operands *out);

/* ---- diagnostics: the first one in a function ends its lowering ---- */
/* frontend/statement/openmp.c: pragmas in the text of a body; a diagnostic for each that several threads take
 * otherwise */
void gw_front_openmp(gw_lowering *L, CXCursor body);
void gw_front_refuse(gw_lowering *L, CXCursor at, const char *what, const char *way_out);
void gw_front_refuse_kind(gw_lowering *L, CXCursor e); /* an expression that is not supported */
gw_loc gw_front_at(gw_lowering *L, CXCursor cursor);
gw_loc gw_front_users_place(gw_lowering *L, CXCursor at); /* where a diagnostic about it belongs */
void gw_front_locate(gw_lowering *L, CXCursor cursor); /* sets the builder's location */

/* ---- frontend/expression/expression.c and its parts: each evaluates `e` once ---- */
gw_value gw_front_scalar(gw_lowering *L, CXCursor e);
/* frontend/call/rule.c: a call of a function that has custom derivatives or none; false if it is another
 * function. */
/* frontend/call/parallel.c: an algorithm of a library that runs in parallel, or on the device; true after a
 * diagnostic */
bool gw_front_refuse_parallel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);
/* A call of a GW_NONDIFFERENTIABLE function that returns nothing: only what its arguments do is left. */
bool gw_front_drop_call(gw_lowering *L, CXCursor callee, const gw_cursors *arguments);
/* What a member returned, without derivatives if it is GW_NONDIFFERENTIABLE. */
gw_value gw_front_detach_result(gw_lowering *L, CXCursor callee, gw_value v);
bool gw_front_call_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_value *result);
bool gw_front_passes_scalars(gw_unit *u, CXCursor function); /* frontend/call/call.c */
/* Why a recursive function cannot stay a call ("returns no number"), or NULL. */
const char *gw_front_why_no_call(gw_unit *u, CXCursor definition);
/* frontend/call/argument.c: the number that a pointer or reference leads to, else GW_T_VOID; a call that stays
 * one. */
gw_shape gw_front_passed_number(gw_unit *u, CXType type);
gw_value gw_front_emit_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments);
gw_place gw_front_place(gw_lowering *L, CXCursor e); /* lvalue; of an rvalue, a temporary */
bool gw_front_returns_reference(CXCursor call);
/* Where the pointer in a slot leads; the copy, marked as such, if that is several places. */
gw_place gw_front_settle(gw_lowering *L, uint32_t pointer, gw_place copy);
/* What a copy of one of several lvalues is a copy of, to be kept; else the place itself. */
gw_place gw_front_lvalues(const gw_lowering *L, gw_place place);
gw_place gw_front_pointer(gw_lowering *L, CXCursor e);
void gw_front_effect(gw_lowering *L, CXCursor e);
void gw_front_initialize(gw_lowering *L, gw_place to, CXCursor e); /* null cursor: default-initialises */
gw_value gw_front_condition(gw_lowering *L, CXCursor e);
gw_value gw_front_constant(gw_lowering *L, gw_type type, int64_t integer, double real, bool is_real);
gw_shape gw_front_shape_of(gw_lowering *L, CXCursor e);
gw_shape_kind gw_front_kind_of(gw_lowering *L, CXCursor e);
bool gw_front_is_cast(enum CXCursorKind kind);
CXCursor gw_front_strip(CXCursor e);                   /* parentheses */
CXCursor gw_front_operand(gw_lowering *L, CXCursor e); /* of a cast; null if it has none */
/* frontend/expression/operator.c */
gw_value gw_front_binary(gw_lowering *L, CXCursor e);
gw_value gw_front_unary(gw_lowering *L, CXCursor e);
gw_place gw_front_assign(gw_lowering *L, CXCursor e); /* = and compound; the place assigned to */
gw_place gw_front_increment(gw_lowering *L, CXCursor e, gw_value *old, gw_place *old_target);
void gw_front_choose(gw_lowering *L, CXCursor e, gw_place to); /* ?: into a temporary */
gw_value gw_front_choose_scalar(gw_lowering *L, CXCursor e);
bool gw_front_has_one_arm(CXCursor e); /* x ?: y */
gw_value gw_front_special(gw_lowering *L, CXCursor e); /* threadIdx.x; 0 if it is none */
bool gw_front_is_special(gw_lowering *L, CXCursor decl, uint32_t *kind);
/* frontend/call/call.c */
/* frontend/type/half.c */
/* one pair from another: by bits in CUDA's headers */
bool gw_front_is_half_copy(gw_lowering *L, gw_shape pair, CXCursor argument);
bool gw_front_half_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_call_result *r);
gw_call_result gw_front_call(gw_lowering *L, CXCursor e);
bool gw_front_stores_globals(const gw_func *f);
/* frontend/call/builtin.c: the value of a call, 0 if it is not known */
gw_value gw_front_builtin(gw_lowering *L, CXCursor call, const char *name, gw_type type);
/* of __int_as_float(0x7f800000) and its kin */
gw_value gw_front_constant_bits(gw_lowering *L, CXCursor call, const char *name);
/* frontend/call/reinterpret.c: *value is 0 after a diagnostic */
bool gw_front_reinterpret(gw_lowering *L, CXCursor call, const char *name, gw_value *value);
bool gw_front_is_same_pointer(gw_lowering *L, CXCursor call); /* whether it gives its first argument */
/* frontend/call/intrinsic.c: true if the callee is known by name; *value is 0 for void */
bool gw_front_intrinsic(gw_lowering *L, CXCursor call, CXCursor callee, gw_value *value);
/* A fetch from a texture; false if the call is none. */
bool gw_front_texture(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                      gw_call_result *r);
/* frontend/call/library.c: false if the callee is none of the library's types' */
bool gw_front_library(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                      gw_call_result *result);
/* frontend/type/complex.c: expressions of C's complex types */
bool gw_front_is_complex(gw_lowering *L, CXCursor e);
void gw_front_complex_initialize(gw_lowering *L, gw_place to, CXCursor e);
gw_value gw_front_complex_to_real(gw_lowering *L, CXCursor cast, CXCursor e);
gw_value gw_front_complex_compare(gw_lowering *L, CXCursor left, CXCursor right, bool differ);
gw_place gw_front_complex_assign(gw_lowering *L, CXCursor e, CXCursor left, CXCursor right); /* compound */
bool gw_front_complex_call(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                           gw_call_result *result);
/* constructs */
void gw_front_library_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
/* Object of a member call; takes it off the arguments where it is the first operand of an operator. */
gw_place gw_front_object_of(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments);
bool gw_front_is_operator_call(CXCursor call, CXCursor callee); /* its first argument is the object */
/* frontend/place/extent.c: a LOCAL object of run-time size, of host functions; its first element */
gw_place gw_front_allocate(gw_lowering *L, gw_shape element, gw_value count, bool zeroed, CXCursor at);
/* frontend/device/vectors.c: vectors of Thrust's as parameters of programs */
bool gw_front_is_thrust_vector(gw_unit *u, CXType type); /* or a pointer or reference to one */
void gw_front_thrust_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *param);
void gw_front_thrust_vector_count(gw_lowering *L, uint32_t param); /* adds the parameter of its size */
gw_place gw_front_thrust_vector_place(gw_lowering *L, CXType type, uint32_t param);
void gw_front_thrust_vectors_end(gw_lowering *L, CXCursor definition); /* of the function: as they were */

/* frontend/type/vector.c: std::vector as a parameter and as a local variable */
void gw_front_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *param);
void gw_front_vector_size(gw_lowering *L, uint32_t param); /* adds the parameter that stands for its size */
gw_place gw_front_vector_place(gw_lowering *L, gw_shape shape, const gw_param *param);
gw_place gw_front_vector_first(gw_lowering *L, gw_place vector);
gw_value gw_front_vector_count(gw_lowering *L, gw_place vector);
void gw_front_vector_copy(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at);
void gw_front_vector_move(gw_lowering *L, gw_place to, gw_place from); /* its elements, as they are */
/* constructs */
void gw_front_vector_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
/* frontend/call/memory.c: memcpy and its like; false if the callee is another function */
bool gw_front_memory(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                     gw_place *result);
/* How many elements the bytes are, where that is seen; else 0. A loop that copies them. */
gw_value gw_front_elements_in(gw_lowering *L, gw_value bytes, gw_shape element);
void gw_front_copy_elements(gw_lowering *L, gw_place to, gw_place from, gw_value count, CXCursor at);
/* `count` elements from the first on become copies of the value. */
void gw_front_fill(gw_lowering *L, gw_place first, gw_place value, gw_value count, gw_copying how, CXCursor at);
/* frontend/call/inline.c */
gw_call_result gw_front_inline(gw_lowering *L, CXCursor call, CXCursor definition, const gw_place *self,
                               const gw_cursors *arguments);
/* Of a constructor or operator that copies: its argument is a place. */
void gw_front_inline_with(gw_lowering *L, CXCursor at, CXCursor method, const gw_place *self, gw_place from,
                          bool moved);
void gw_front_frame_result(gw_lowering *L, gw_frame *frame, CXCursor definition);
/* frontend/type/class.c */
/* a constructor takes just these, or may do so */
bool gw_front_takes(gw_lowering *L, CXType type, const gw_cursors *arguments);
CXCursor gw_front_list_constructor(gw_lowering *L, CXType type, const gw_cursors *arguments, CXCursor at);
bool gw_front_is_derived(gw_lowering *L, gw_shape from, gw_shape base);
bool gw_front_recast(gw_lowering *L, gw_place *place, gw_shape wanted); /* to a base, or back */
gw_place gw_front_named_member(gw_lowering *L, gw_place of, CXCursor decl);
CXCursor gw_front_dispatch(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self);
/* frontend/call/closure.c */
void gw_front_closure(gw_lowering *L, gw_place to, CXCursor lambda); /* makes its copies */
CXCursor gw_front_invoked(gw_lowering *L, CXCursor decl); /* what runs where the function is called */
void gw_front_closure_bind(gw_lowering *L, CXCursor definition, gw_frame *frame, gw_place closure);
/* frontend/call/callable.c: functions as values */
gw_place gw_front_function_place(gw_lowering *L, CXCursor decl);
bool gw_front_is_function(gw_lowering *L, CXCursor e); /* of function type */
CXCursor gw_front_called(gw_lowering *L, CXCursor call); /* callee of a call through a pointer, or null */
/* frontend/type/construct.c */
void gw_front_construct_members(gw_lowering *L, gw_place to, CXCursor definition);
void gw_front_construct(gw_lowering *L, gw_place to, CXCursor call);
/* By a constructor of a base that `using base::base` took over; false if it is not known which. */
bool gw_front_construct_inherited(gw_lowering *L, gw_place to, CXCursor inherited, CXCursor call,
                                  const gw_cursors *arguments);
/* T(arguments) of a class */
void gw_front_construct_from(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
void gw_front_return_value(gw_lowering *L, gw_place result, CXCursor e); /* of a return statement */
void gw_front_default_construct(gw_lowering *L, gw_place to, CXCursor at);
gw_element_action gw_front_default_element; /* constructs it as its declaration, without an initialiser, does */
/* As its declaration in the class says; `to` is in `object`. */
void gw_front_default_member(gw_lowering *L, gw_place object, gw_place to, gw_shape_field field);
bool gw_front_constructs(gw_unit *u, gw_shape shape); /* whether that may be more than nothing */
/* ---- frontend/type/list.c ---- */
void gw_front_initializer_list(gw_lowering *L, gw_place to, CXCursor list);
bool gw_front_is_text(gw_lowering *L, gw_place to, CXCursor e); /* a string for an array of characters */
void gw_front_text(gw_lowering *L, gw_place to, CXCursor e);

/* ---- frontend/place/split.c ---- */
void gw_front_split(gw_unit *u, gw_func *f); /* local objects of classes, once the function is lowered */

/* ---- statements ---- */
void gw_front_statement_value(gw_lowering *L, gw_place to, CXCursor e); /* ({ ...; value; }) */
void gw_front_statement(gw_lowering *L, CXCursor statement);
void gw_front_list(gw_lowering *L, const gw_cursors *list, uint32_t from);
void gw_front_declare(gw_lowering *L, CXCursor variable);
/* the names of a structured binding */
void gw_front_bind_parts(gw_lowering *L, CXCursor declaration, gw_place of);
void gw_front_loop(gw_lowering *L, CXCursor statement);
void gw_front_switch(gw_lowering *L, CXCursor statement);

/* A loop as the engine sees it: null cursors where a clause is absent. */
typedef struct gw_loop {
    CXCursor statement, init, variable, condition, increment, body;
    bool test_last;
    bool over_range; /* range-for: elements 0..count of `range`, the index in a slot */
    gw_place range; /* array or std::vector; of another class, the element that its begin() points to */
    gw_value count; /* of another class: end() - begin() */
    uint32_t index_slot;
    uint32_t first_slot; /* slots from here on are the loop's own */
    int64_t checkpoint;  /* GW_CHECKPOINT's number, 0: none */
    uint16_t policy;     /* gw_policy */
} gw_loop;
/* ---- frontend/unit/mark.c ---- */
/* lowers GW_CHECKPOINT(n) LOOP, GW_STORE(x); false: it is none */
bool gw_front_mark(gw_lowering *L, CXCursor statement);
/* asked for from outside: its number, 0: none */
int64_t gw_front_given_checkpoint(gw_lowering *L, CXCursor loop);
/* ---- frontend/statement/clause.c ---- */
bool gw_front_semicolon_before(gw_lowering *L, CXCursor statement, CXCursor part);
/* Lowers an init statement that libclang does not show: the variables that what follows in the header or body
 * uses. */
void gw_front_hidden_init(gw_lowering *L, CXCursor statement, CXCursor next);
gw_loop gw_front_loop_clauses(gw_lowering *L, CXCursor statement);
gw_value gw_front_loop_condition(gw_lowering *L, const gw_loop *loop);
void gw_front_loop_increment(gw_lowering *L, const gw_loop *loop);
void gw_front_loop_body(gw_lowering *L, const gw_loop *loop); /* opens and closes GW_EXIT_CONTINUE */
/* ---- frontend/statement/discover.c ---- */
gw_discovery *gw_front_discover(gw_lowering *L, const gw_loop *loop);
void gw_front_discovery_free(gw_discovery *d);
/* ---- frontend/statement/counter.c ---- */
typedef struct gw_trial_arg {
    /* index UINT32_MAX: a scalar; GW_OF_CHOICE: a value of a pointer to several objects */
    uint32_t slot, index;
} gw_trial_arg;
enum { GW_OF_CHOICE = 1 << 20 };
typedef struct gw_trial {
    gw_value first_value, first_arg; /* values and arguments that the trial made */
    uint32_t first_object, first_slot, first_store;
    GW_VEC(gw_trial_arg) args;
    gw_value condition;
    gw_slot_changes increment_sets; /* by the increment */
    bool increment_acts;            /* it stores, calls or loops */
} gw_trial;
void gw_front_counter_find(gw_lowering *L, gw_trial *t, gw_discovery *d);
/* Emits bound and step of a counted loop at the builder's place. */
void gw_front_counter_replay(gw_lowering *L, const gw_discovery *d, gw_value *bound, gw_value *step);
#endif
