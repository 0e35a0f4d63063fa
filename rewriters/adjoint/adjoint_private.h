/*
 * adjoint_private.h - state shared by the files of the adjoint pass (adjoint*.c).
 */
#ifndef GW_ADJOINT_PRIVATE_H
#define GW_ADJOINT_PRIVATE_H
#include "rewriters/adjoint/adjoint.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/ir.h"
#include "analysis/ir/restructure.h"
#include "rewriters/rounding/rounding.h"

/* Slots of the tape, or objects. */
typedef GW_VEC(gw_object) gw_slots;

/* What the forward sweep left for the reverse of one loop or branch. */
typedef struct gw_kept {
    gw_value trip;                /* executed iterations (WHILE, EXIT), 0 where the header tells */
    uint32_t inverse;             /* 1 + the carried value whose updates the reverse loop undoes; 0: none */
    gw_value flag;                /* then: its loop's flag in the primal's body, 0 = a break */
    gw_value stopped;             /* and whether the loop was left by the test for it */
    /* the loop is one of a nest whose updates are undone (adjoint/nest_reverse.c), else NULL */
    struct gw_nest *nest;
    bool walked;                  /* the reverse is the loop once more (adjoint/walk.c) */
    bool any_order;               /* iterations do not feed each other through needed values */
    GW_VEC(gw_object) slots;      /* carried value i: its tape slot, 0 if it has none */
    gw_slots iteration;           /* local objects taped at the start of each iteration */
    gw_slots iteration_slots;     /* their slots, one for each scalar leaf, in order */
    GW_VEC(gw_object) copied;     /* local objects copied before the op ... */
    GW_VEC(gw_object) copies;     /* ... and where to */
    /* recorded (adjoint/record.c) */
    /* regions of the forward version: of a branch both sides, of a loop its body first */
    gw_region forward[2];
    gw_value trip_forward;        /* number of iterations there */
    gw_object slot;               /* a store that is undone: slot of the cell's former value ... */
    gw_value former;              /* ... or that value, where it is in scope */
    gw_object undone;             /* the object that it changed, 0 if it is not undone */
    gw_object stored_at;          /* GW_CHECKPOINT_BINOMIAL: arrays of the iterations that are stored, ... */
    gw_slots stored;              /* ... of carried value i there, 0 if it is computed, ... */
    gw_slots stored_objects;      /* ... and of `iteration` */
    /* how many are stored after the forward loop; the state that says so in the reverse one */
    gw_value taken, taken_key;
    GW_VEC(gw_value) marked;      /* run again: values of an iteration that GW_STORE asks for ... */
    GW_VEC(gw_object) marked_slots; /* ... and where they are */
    /* segments of a split gradient: objects that the second half needs, and their slots */
    gw_slots handed, handed_slots;
    uint32_t frames;              /* what gw_adjoint_hide_frames gave while it is reversed */
    /* a load: may it be repeated, once asked */
    enum { GW_RELOAD_UNKNOWN, GW_RELOAD_GOOD, GW_RELOAD_BAD } reload;
} gw_kept;

/* What the survey of adjoint/storage.c found about a primal value. */
typedef struct gw_need {
    gw_object slot;        /* asked for, and recorded here; 0 if not asked for */
    bool known, in_scope, needed;
    bool can_repeat;
    int64_t store, repeat; /* what it costs to record it, and to compute it from its operands */
} gw_need;

/* Whether stores are staged again as far as loads read (analysis/prove/staging.c), asked once for each two:
 * derivatives of one primal are built many times, and agree, also where the proofs' steps run out. */
typedef struct gw_staged {
    gw_op store;
    bool again;
    uint32_t next; /* 1 + the next of the same load; 0: none */
} gw_staged;
typedef struct gw_staged_answers {
    GW_VEC(gw_staged) list;
    uint32_t *first; /* by primal op, a load: 1 + its first */
} gw_staged_answers;
void gw_staged_new(gw_staged_answers *s, const gw_func *p);
void gw_staged_free(gw_staged_answers *s);

/* How the parts of a function are reversed; made by adjoint/choice.c. */
typedef struct gw_choice {
    bool *recorded;  /* by primal op (loop or branch): run forward once, with what the reverse needs recorded */
    bool *undone;    /* by primal object: its stores are performed, and undone by the reverse sweep */
    /* by primal value: its op is repeated where the reverse sweep needs it; it is stored otherwise */
    bool *repeated;
    bool no_nests;   /* none is reversed from what it ended with (adjoint/nest_reverse.c) */
    gw_op *mark;     /* by primal value: what the user says of it (KEEP, REPEAT), 0 for nothing */
    bool program;    /* the function launches kernels: marked loops are segments (adjoint/segment.c) */
    bool split;      /* the halves are cut apart: nothing but the tape and unchanged memory goes over */
    gw_need *survey; /* by primal value: not null where the derivative is built to fill it */
    gw_staged_answers *staged; /* of adjoint/shared.c */
} gw_choice;

/* A recorded region whose reverse is being built. */
typedef struct gw_frame {
    gw_region primal, forward, backward;
    gw_op nested;  /* the op in `backward` inside which the builder stands, 0 = at the end of `backward` */
    gw_op at;      /* the primal op that is being reversed: memory is as it was after it */
    bool recorded; /* something was recorded in the region, or in one that is nested in it */
} gw_frame;

/* A value that travels backward like an adjoint, under a key in gw_adjoint.adjoint (adjoint/states.c). */
typedef struct gw_state {
    gw_value key;
    gw_op loop, inner; /* the loop whose reverse carries it; the one in it (or the same) that changes it */
    gw_type type;
    gw_str name;
} gw_state;

/* A region of the loop whose carried value is undone, while its reverse is built. */
typedef struct gw_resume {
    gw_op loop;
    uint32_t index;   /* of the carried value */
    gw_value key;     /* of its state */
    gw_value flag;    /* by which its updates stop, if not by the loop's own (nest/nest.h) */
    gw_region region;
    gw_value next;    /* what it becomes in the region */
    gw_op branch;     /* whose sides undo it, each for itself; 0 if none is */
    bool resolved;
} gw_resume;
typedef enum gw_storage_reason {
    GW_STORED_CHEAPER,
    GW_STORED_CARRIED,
    GW_STORED_PART,
    GW_STORED_OVERWRITTEN,
    GW_STORED_EFFECT,
    GW_STORED_ATOMIC,
    GW_STORED_LANES,
    GW_STORED_DISCRETE,
    GW_STORED_ASKED
} gw_storage_reason;

/* A value that the user wants to be computed again, but that is recorded. */
typedef struct gw_unkept {
    gw_value value;
    gw_object slot;
    gw_storage_reason reason;
} gw_unkept;

typedef struct gw_adjoint {
    const gw_func *primal;
    gw_func *f;
    gw_builder b;
    gw_cloner c;          /* primal -> derivative: values and objects as they stand now */
    gw_roles roles;
    gw_activity activity;
    gw_rounded_rows rounded; /* of the terms of a rounding error */
    gw_value_map adjoint; /* primal value -> its adjoint so far, 0 = none */
    gw_value_map shadow;  /* primal object -> shadow in f */
    uint32_t *uses;       /* of each primal value */
    uint32_t *divisions;  /* by each primal value */
    gw_value_map vanishing; /* values of the derivative that unused.c knows about */
    gw_kept *kept;        /* by primal op */
    gw_value_map staged;  /* shared object that a part of its own stages -> the one that it stands for */
    /* conditions of the primal that are known where they are run again, and not computed */
    gw_value_map pinned;
    gw_object poison;     /* slot that stands for values which the reverse sweep must not need */
    const gw_choice *choice;
    uint32_t recording;      /* depth of recorded parts around the forward builder */
    GW_VEC(gw_unkept) unkept;
    gw_value_map forward;    /* value of a recorded region -> its value in the forward version */
    GW_VEC(gw_frame) frames; /* outermost first */
    uint32_t first_frame;    /* of those that are not hidden */
    /* a segment is reversed in the second half of a split gradient (adjoint/segment.c) */
    bool again;
    GW_VEC(gw_op) segmented; /* the reverse loops of such segments, and of nests */
    /* objects of f that values are loaded from instead of the tape (adjoint/output.c) */
    gw_value_map outputs;
    GW_VEC(gw_state) states;
    uint32_t state_keys;       /* keys given so far */
    GW_VEC(gw_resume) resumes; /* outermost first */
} gw_adjoint;

/* adjoint.c: the derivative for a request, as the choice says. With `good` diagnostics are recorded, and it
 * says whether the derivative is right; without it is a trial. */
gw_func *gw_adjoint_build(gw_session *s, uint32_t request, gw_form form, const gw_choice *choice, bool *good);
/* Ops that a derivative must not have: values that nobody kept. */
bool gw_adjoint_is_unkept(const gw_func *f, gw_op op);

/* adjoint/query.c */
/* Loads of cells that a derivative may not have as they were: it must not have such ops. */
bool gw_adjoint_is_stale(const gw_func *f, gw_op op);
/* Whether the loop is one of a nest that was found. */
bool gw_adjoint_is_outer(const gw_adjoint *a, gw_op loop);
bool gw_adjoint_is_inner(const gw_adjoint *a, gw_op loop);
bool gw_mark_is(const gw_adjoint *a, gw_value v, gw_opcode code); /* what the user says of the value */
/* Whether the first half stores the loop's checkpoints, and the second runs its segments again. */
bool gw_adjoint_is_segmented(const gw_adjoint *a, gw_op op);
/* The outermost such loop around it, or 0. */
gw_op gw_adjoint_segments_around(const gw_choice *c, const gw_func *p, gw_op op);
uint32_t gw_adjoint_frame(const gw_adjoint *a, gw_region r); /* of a primal region, or frames.count */
/* Whether the value can leave a branch as a result of it instead of going over the tape. */
bool gw_adjoint_leaves_branch(const gw_adjoint *a, gw_value primal);

/* adjoint/choice.c */
void gw_choice_make(gw_choice *c, gw_session *s, uint32_t request, gw_form form);
void gw_choice_free(gw_choice *c);

/* adjoint/values.c */
void gw_adjoint_add(gw_adjoint *a, gw_value primal, gw_value contribution);
void gw_adjoint_set_name(gw_adjoint *a, gw_value primal, gw_value adjoint); /* its own, if it has none */
gw_value gw_adjoint_of(const gw_adjoint *a, gw_value primal);
gw_value gw_adjoint_zero(gw_adjoint *a, gw_value primal); /* constant 0 of its type at the builder */
/* Active values defined outside of op that something inside may add to; caller frees .at */
void gw_adjoint_outer_values(gw_adjoint *a, gw_op op, gw_value_list *list);
gw_value gw_adjoint_unneeded(gw_adjoint *a, gw_type type); /* stands for a value that no adjoint may need */

/* adjoint/unused.c: what the formula has made of g for an operand of `op`; 0 where that is no number, and g is
 * 0 because nothing used the op's value. */
gw_value gw_adjoint_if_used(gw_adjoint *a, gw_op op, const char *formula, gw_value g, gw_value contribution);

/* adjoint/call.c */
void gw_adjoint_call_forward(gw_adjoint *a, gw_op call);
void gw_adjoint_call_reverse(gw_adjoint *a, gw_op call);
bool gw_adjoint_check_calls(gw_adjoint *a);                 /* those that have a reverse; says what is wrong */
bool gw_adjoint_must_rerun(const gw_func *p, gw_op op);     /* it, or what is in it, is never recorded */

/* adjoint/loop.c */
void gw_adjoint_loop_reverse(gw_adjoint *a, gw_op op);

/* carried value i is only added to, and nothing else uses it */
bool gw_adjoint_only_adds(const gw_adjoint *a, gw_op loop, uint32_t i);
/* no iteration consumes an adjoint cell that another reaches */
bool gw_adjoint_stores_apart(const gw_adjoint *a, gw_op loop, gw_region r);

/* adjoint/walk.c: loops whose reverse is the same loop once more */
bool gw_adjoint_can_walk(gw_adjoint *a, gw_op loop);
void gw_adjoint_walk_reverse(gw_adjoint *a, gw_op loop);

/* adjoint/counter.c */
/* Sets inductions, which are start + t * step, in iteration `number`, at the builder */
void gw_adjoint_set_inductions(gw_adjoint *a, gw_op loop, gw_value number);
gw_value gw_adjoint_advance(gw_adjoint *a, gw_value start, gw_value number, gw_value step, bool down);
/* iterations of a counted loop, i64; not positive where it does not run */
gw_value gw_adjoint_trips(gw_adjoint *a, gw_op loop);

/* adjoint/device.c: what a segment does to memory that kernels see; nothing if the loop does nothing to it */
void gw_adjoint_device_mark(gw_adjoint *a, gw_op loop, gw_builder *b, uint32_t what);

/* adjoint/snapshots.c: GW_CHECKPOINT_BINOMIAL */
void gw_adjoint_snapshots_forward(gw_adjoint *a, gw_op loop, gw_op copy);
/* before the reverse loop, which carries how many are stored */
void gw_adjoint_snapshots_begin(gw_adjoint *a, gw_op loop);
/* in it: what iteration `number` starts from */
void gw_adjoint_snapshots_restore(gw_adjoint *a, gw_op loop, gw_value number);

/* adjoint/undo.c: carried values whose updates the reverse loop undoes, so that they need no tape */
bool gw_adjoint_find_inverse(gw_adjoint *a, gw_op loop); /* sets kept[loop].inverse and .flag */
/* Around the body of the reverse loop: its state under the key is the value after the iteration, and becomes
 * the one before it where that is first needed. `stops`: whether the test that ends the loop holds in this
 * iteration, the loop's `number`; pins that test until unpin. The inner loop of a nest has keys of its own. */
void gw_adjoint_resume_begin(gw_adjoint *a, gw_op loop, gw_value key, gw_value stops, gw_value number);
bool gw_adjoint_undoes(const gw_adjoint *a, gw_op loop, uint32_t i); /* carried value i, or its flag */
/* around a side of a branch; false: nothing to end */
bool gw_adjoint_resume_side(gw_adjoint *a, gw_op branch, int side);
void gw_adjoint_resume_end(gw_adjoint *a);
void gw_adjoint_resume(gw_adjoint *a, gw_region r, gw_op op); /* before op is run forward again */
void gw_adjoint_unpin(gw_adjoint *a, gw_op loop);
/* A value of pure ops and loads, made at the cloner's builder from what its map has. */
gw_value gw_undo_make(gw_cloner *c, gw_value v);
/* Values of the derivative that are there at the start of an iteration of the loop: outer ones, and the body's
 * arguments. */
gw_value_map gw_undo_values(const gw_adjoint *a, gw_op loop);

/* Note of a loop that is recorded all the same. */
#define GW_WHOLE_LOOP                                                                                          \
    "all iterations are on the tape: the second half would not find again what a segment needs"
/* adjoint/segment.c: loops with GW_CHECKPOINT in a split gradient */
void gw_adjoint_segments_forward(gw_adjoint *a, gw_op loop);
/* around its reverse, the loop `made`; the map is of end() */
gw_value_map gw_adjoint_segments_begin(gw_adjoint *a, gw_op loop);
void gw_adjoint_segments_end(gw_adjoint *a, gw_op loop, gw_op made, gw_value_map *outer);
/* the second half does nothing to the caller's memory; what it must not read is marked */
void gw_adjoint_segments_clean(gw_adjoint *a);
bool gw_adjoint_can_segment(const gw_func *p, gw_op loop);

/* adjoint/nest_reverse.c: two loops whose reverse needs what they ended with and nothing of their iterations */
gw_op gw_adjoint_unstaged(const gw_func *p, gw_op loop); /* a load that makes it be recorded, or 0 (shared.c) */
void gw_adjoint_find_nests(gw_adjoint *a); /* sets kept[].nest */
void gw_adjoint_free_nests(gw_adjoint *a);
void gw_adjoint_skip_inner(gw_adjoint *a, gw_op inner);       /* in place of its forward sweep */
/* before its reverse: sets kept[loop].trip */
void gw_adjoint_nest_begin(gw_adjoint *a, gw_op loop);
void gw_adjoint_nest_pin(gw_adjoint *a, gw_op outer, gw_value last);
void gw_adjoint_nest_end(gw_adjoint *a, gw_op outer);

/* adjoint/output.c: values that an output of the request's "with" holds in the end, loaded from it; 0 if none
 * does */
gw_value gw_adjoint_output(gw_adjoint *a, gw_value v);
/* that an output holds what goes on the tape, which the request could name */
void gw_adjoint_tell_of_output(const gw_adjoint *a, gw_value v);
/* of a nest; or its value else */
gw_value gw_adjoint_output_of_loop(gw_adjoint *a, gw_op loop, gw_value result);
bool gw_adjoint_check_outputs(const gw_adjoint *a, const gw_request *q); /* each is used; says which is not */
/* adjoint/stored_for_all.c: the threads that have v can all load it from the cell of the store, though one of
 * them may have stored for all of its warp or block; *whole_warps: where blockDim.x is a multiple of 32. */
bool gw_adjoint_stored_for_all(const gw_func *f, gw_op store, gw_value v, bool *whole_warps);

/* adjoint/states.c */
/* its key */
gw_value gw_adjoint_add_state(gw_adjoint *a, gw_op loop, gw_op inner, gw_type type, gw_str name,
                              gw_value start);
uint32_t gw_adjoint_first_resume(const gw_adjoint *a); /* of those about the same region as the last */
/* Whether the sides of the branch undo the state under the key. */
bool gw_adjoint_resumes_in(const gw_adjoint *a, gw_op branch, gw_value key);
void gw_adjoint_drop_states(gw_adjoint *a, gw_op loop);
/* that the reverse of op may change */
void gw_adjoint_collect_states(const gw_adjoint *a, gw_op op, gw_value_list *list);
/* Type and name of the adjoint of a primal value, or of a state. */
gw_type gw_adjoint_type(const gw_adjoint *a, gw_value v);
gw_str gw_adjoint_name(gw_adjoint *a, gw_value v);

/* adjoint/state.c: local objects whose contents a repeated part needs as they were */
/* Members of a local object of the primal that an op reads: those that it changes too; that it does not; that
 * are not again as they were when it is run again, unless they are copied before. */
typedef enum gw_part_kind { GW_PART_CHANGED, GW_PART_READ_ONLY, GW_PART_COPIED } gw_part_kind;
typedef struct gw_part {
    gw_op op;
    gw_object object;
    gw_part_kind kind;
} gw_part;
/* the object begins its life outside of the op, and has such a member */
bool gw_adjoint_has_member(gw_adjoint *a, const gw_part *part);
void gw_adjoint_copy_objects(gw_adjoint *a, gw_op op);    /* before the forward op */
void gw_adjoint_restore_objects(gw_adjoint *a, gw_op op); /* before its reverse */
void gw_adjoint_find_iteration_objects(gw_adjoint *a, gw_op loop);
void gw_adjoint_push_objects(gw_adjoint *a, gw_op loop, gw_builder *at);
void gw_adjoint_hand_objects(gw_adjoint *a, gw_op loop, bool push); /* kept[loop].handed at the builder */
void gw_adjoint_pop_objects(gw_adjoint *a, gw_op loop, gw_builder *at);
bool gw_adjoint_has_iteration_objects(gw_adjoint *a, gw_op loop);
gw_type gw_adjoint_slot_type(gw_type t);
/* Cells of `object` that the loop reads and changes, to or from cell `at` of an array of such objects. */
void gw_adjoint_copy_cells(gw_adjoint *a, gw_op loop, gw_builder *b, gw_object object, gw_object array,
                           gw_value at, bool to_array);
gw_object gw_adjoint_slot(gw_adjoint *a, gw_str name, gw_type type);
void gw_adjoint_push(gw_adjoint *a, gw_builder *b, gw_object slot, gw_value v);
gw_value gw_adjoint_pop(gw_adjoint *a, gw_builder *b, gw_object slot, gw_type type, gw_str name);

/* adjoint/record.c */
/* The value of a primal value of a recorded part, to the bit: recorded rather than computed again. */
gw_value gw_adjoint_exact_value(gw_adjoint *a, gw_value primal);
bool gw_adjoint_is_recorded(const gw_adjoint *a, gw_op op);
void gw_adjoint_leave_forward(gw_adjoint *a, gw_region r); /* results of its ops are out of scope from now on */
void gw_adjoint_record(gw_adjoint *a, gw_op op); /* forward version of a loop or branch */
/* The number of iterations that a recorded loop ran, where the builder stands. */
gw_value gw_adjoint_recorded_trip(gw_adjoint *a, gw_op loop);
/* A value that the forward version of a loop has beside the primal's; `reason`: why it is not computed. */
gw_value gw_adjoint_recorded_beside(gw_adjoint *a, gw_op loop, gw_value forward, const char *reason);
/* recorded parts are around the builder of the reverse sweep */
bool gw_adjoint_has_frames(const gw_adjoint *a);
void gw_adjoint_enter(gw_adjoint *a, gw_region primal, gw_region forward, gw_region backward);
/* What is built in between is not in the recorded parts around it: it is run again, or recorded by itself. All
 * outer values are there. */
uint32_t gw_adjoint_hide_frames(gw_adjoint *a);
void gw_adjoint_show_frames(gw_adjoint *a, uint32_t count);
bool gw_adjoint_leave(gw_adjoint *a); /* whether anything was recorded in it */
void gw_adjoint_set_nested(gw_adjoint *a, gw_op nested);

/* adjoint/split.c */
/* Both halves of a split gradient, each in a branch of its own (cut apart in split.c). */
void gw_adjoint_split(gw_adjoint *a, const gw_object *scalar_adjoints, gw_value seed);
bool gw_adjoint_check_split(const gw_func *p); /* it can be cut in halves; else an error is recorded */

/* adjoint.c, for it */
void gw_adjoint_make_shadows(gw_adjoint *a);
void gw_adjoint_end(gw_adjoint *a, const gw_object *scalar_adjoints);

/* adjoint/marks.c: GW_STORE, GW_RECOMPUTE */
gw_op *gw_marks_find(const gw_func *p); /* by value: its last mark, or 0; the caller frees it */
bool gw_marks_in_loop(const gw_adjoint *a, gw_op loop); /* the loop, run again, finds values stored */
void gw_marks_push(gw_adjoint *a, gw_op loop, gw_op copy);
void gw_marks_pop(gw_adjoint *a, gw_op loop); /* before an iteration is run again, which ends with unpin */
void gw_marks_unpin(gw_adjoint *a, gw_op loop);
gw_value_list gw_marks_pin_side(gw_adjoint *a, gw_region side); /* the same of a branch */
void gw_marks_unpin_side(gw_adjoint *a, gw_value_list *pinned);
void gw_marks_recorded(gw_adjoint *a, gw_value v, gw_object slot, gw_storage_reason reason);
bool gw_marks_check(const gw_adjoint *a); /* the derivative is clean; records errors */

/* adjoint/storage.c: what is stored, what is computed again */
/* Why the value cannot be repeated from its operands where the builder stands; GW_STORED_CHEAPER: it can. */
gw_storage_reason gw_storage_obstacle(gw_adjoint *a, gw_value primal);
const char *gw_storage_text(gw_storage_reason reason);
void gw_storage_ask(gw_adjoint *a, gw_value primal, gw_object slot); /* survey: it is recorded there */
void gw_storage_confirm(const gw_adjoint *a);                        /* survey: the derivative is clean */
void gw_storage_choose(const gw_need *needs, const gw_func *p, bool *repeated);

/* adjoint/results.c: records that need no tape */
void gw_adjoint_hand_over(gw_func *f);

/* adjoint/reload.c */
/* A load repeated where the builder stands gives the value that it gave in the forward sweep. */
bool gw_adjoint_reloads(gw_adjoint *a, gw_op load);

/* adjoint/shared.c */
void gw_adjoint_clear_shared(gw_adjoint *a);            /* shadows of shared objects, before anything else */
void gw_adjoint_meet(gw_adjoint *a);                    /* a barrier at the builder */
void gw_adjoint_meet_before(gw_adjoint *a, gw_op part); /* one before a primal branch or loop is run again */
/* the derivative's static shared memory; else an error is recorded */
bool gw_adjoint_shared_fits(const gw_func *f);
/* whenever the region runs, it passes a barrier */
bool gw_adjoint_meets_directly(const gw_func *p, gw_region r);
/* While region r of the primal is run again, a shared object all of whose loads there see what r stores itself
 * goes by another name, so that dead-code elimination tells its stores from those of the forward sweep; end()
 * gives the names back, and merge() makes one object of it in the end. */
gw_value_map gw_adjoint_stage_begin(gw_adjoint *a, gw_region r);
void gw_adjoint_stage_end(gw_adjoint *a, gw_value_map *outer);
void gw_adjoint_stage_merge(gw_adjoint *a);
/* Loads of shared memory in region r, which was run again, that may not give what they gave: marked as
 * stale. */
void gw_adjoint_mark_shared(gw_adjoint *a, gw_region r);
/* Whether a kernel has such loads; and sets recorded[op] for each branch and loop that derivative f, clean,
 * runs again with one that it needs: false if there is none. */
/* Bytes of a type, and the greatest alignment in it, where that is above *alignment. */
uint64_t gw_adjoint_bytes_of(const gw_session *s, gw_type t, uint64_t *alignment);
bool gw_adjoint_asks_shared(const gw_choice *c, const gw_func *p);
bool gw_adjoint_record_shared(const gw_choice *c, const gw_func *p, const gw_func *f);

/* adjoint/atomic.c */
void gw_adjoint_atomic(gw_adjoint *a, gw_op op);
/* of atomic operations, in the joined form: nothing may need them */
void gw_adjoint_hide_results(gw_adjoint *a);
bool gw_adjoint_is_hidden(const gw_func *f, gw_op op);

/* adjoint/warp.c */
void gw_adjoint_warp(gw_adjoint *a, gw_op op, gw_value g); /* g: the adjoint of its result */
void gw_adjoint_syncwarp(gw_adjoint *a, gw_op op);
void gw_adjoint_texture(gw_adjoint *a, gw_op op);
void gw_adjoint_device(gw_adjoint *a, gw_op op); /* adjoint/device.c */
void gw_adjoint_rule_forward(gw_adjoint *a, gw_op op);
/* Sets recorded[op] for each branch and loop that lanes cannot run again and find what they found. */
void gw_adjoint_record_lanes(bool *recorded, const gw_func *p);

/* adjoint/memory.c */
typedef struct gw_adjoint_cell {
    gw_object object;
    gw_str path;
    gw_value index[9];
    uint32_t count;
} gw_adjoint_cell;
/* The adjoint of the cell is added to that of the value which the op, its last operand, brings there; false if
 * it has none. */
bool gw_adjoint_read_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at);
/* The cell of an access or address of the primal where the builder stands; whether it carries an adjoint
 * (another member may, and this one's place is null); and the cell of the adjoint, if it does. */
void gw_adjoint_find_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at);
bool gw_adjoint_has_shadow(const gw_adjoint *a, gw_op op);
bool gw_adjoint_shadow_cell(gw_adjoint *a, gw_op op, gw_adjoint_cell *at);
void gw_adjoint_perform_store(gw_adjoint *a, gw_op op); /* of an object whose stores are undone */
void gw_adjoint_undo_store(gw_adjoint *a, gw_op op);
void gw_adjoint_load(gw_adjoint *a, gw_op op);
void gw_adjoint_store(gw_adjoint *a, gw_op op);
void gw_adjoint_declare_shadow(gw_adjoint *a, gw_object primal_object);
/* Elements of a sized primal object, in the derivative; 0 for any other. */
gw_value gw_adjoint_extent(gw_adjoint *a, gw_object primal_object);
/* `object` of the derivative, as large as this one of the primal, begins its life. */
void gw_adjoint_declare(gw_adjoint *a, gw_object object, gw_object primal_object);
#endif
