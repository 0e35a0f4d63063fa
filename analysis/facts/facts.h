/*
 * facts.h - what other rooms see of analysis/facts: activity, address, asked, atomic check, coarsening,
 * effects, exclusive, intervals, launch, lengths, lost, memory order, promises, real range, records, repeats,
 * spread, stamp, trip count, uniformity, used.
 */
#ifndef GW_FACTS_H
#define GW_FACTS_H
#include "analysis/ir/ir.h"

/* ---- activity ----
 *
 * The values and objects that carry a derivative for one request.
 */

/* What a request says of the primal. A cell of a parameter is named by the parameter or by a member of it. An
 * input that the function overwrites is an output too, and an output that it reads an input: its one adjoint
 * goes in as that of the final value and comes out as that of the initial one. */
typedef struct gw_roles {
    bool *independent, *dependent; /* by parameter: it, or a member of it */
    bool *input, *output;          /* by load or store of the primal: what it accesses */
    bool returned;
} gw_roles;
void gw_roles_find(gw_roles *r, const gw_func *f, const gw_request *q);
/* The const member that the op reads, of an object that the request names as a whole, or NULL. No adjoint of it
 * could be set, and in a tangent it is what its class made of it. */
const gw_field *gw_roles_constant(const gw_func *f, const gw_request *q, gw_op op);
void gw_roles_free(gw_roles *r);
/* The name's rest (".grid") if it begins with this parameter's name, else NULL. */
/* Whether a pointer of a program's struct lies in what the name of a request means. */
bool gw_roles_names_part(const gw_session *s, gw_str name, const gw_param *p);
const char *gw_roles_member(const gw_session *s, gw_str name, gw_str parameter);
/* The adjoint parameter is of what the request calls fresh; *extent (or NULL): how many cells it has, as text;
 * 0: one. */
bool gw_is_fresh(const gw_func *f, const gw_param *adjoint, gw_str *extent);
/* All that the request calls fresh: adjoint parameters, and what pointers among their members lead to. */
typedef struct gw_fresh {
    const gw_param *param;
    const char *member; /* ".image.val"; "": the parameter's own */
    gw_str extent;      /* as text; 0: one cell */
    uint32_t next;
} gw_fresh;
bool gw_next_fresh(const gw_func *f, gw_fresh *a); /* the next behind *a, of zeros at first; false: none */
bool gw_is_of_fresh(const gw_func *f, gw_op op, const gw_fresh *a); /* the op accesses a cell of it */

/* Cells of one object and path are one, for objects that are no local ones; a local object is one as a
 * whole. */
typedef struct gw_activity {
    const gw_func *f;
    bool *varied_value, *useful_value;   /* depends on an input; an output depends on it */
    bool *varied_object, *useful_object; /* some cell of it */
    uint32_t *cell;                      /* by op: number of what a load or store accesses, from 1 */
    bool *varied_cell, *useful_cell;
} gw_activity;

/* Numbers the cells that loads and stores access, in cell[op], from 1; how many there are. */
uint32_t gw_number_cells(const gw_func *f, uint32_t *cell);
void gw_activity_new(gw_activity *a, const gw_func *f, const gw_roles *roles);
/* The same of a program, of whose memory more is known than that anything may come from it: link makes values
 * varied and useful by one call, a DEVICE, and says whether it did. */
typedef struct gw_device_links {
    bool (*link)(void *context, gw_activity *a, gw_op op);
    void *context;
} gw_device_links;
void gw_activity_of_program(gw_activity *a, const gw_func *f, const gw_roles *roles,
                            const gw_device_links *links);
void gw_activity_free(gw_activity *a);
static inline bool gw_active_value(const gw_activity *a, gw_value v) {
    return gw_type_is_float(gw_typeof(a->f, v)) && a->varied_value[v] && a->useful_value[v];
}
static inline bool gw_active_object(const gw_activity *a, gw_object o) {
    return a->varied_object[o] && a->useful_object[o];
}
static inline bool gw_active_cell(const gw_activity *a, gw_op op) {
    return a->varied_cell[a->cell[op]] && a->useful_cell[a->cell[op]];
}

/* ---- address ----
 *
 * When two memory ops of one function reach the same cell.
 */

typedef enum gw_alias { GW_ALIAS_NO, GW_ALIAS_MAY, GW_ALIAS_MUST } gw_alias;

/* Both ops executed with the same values in scope (one iteration of each loop around both). */
gw_alias gw_alias_ops(const gw_func *f, gw_op x, gw_op y);
/* The same for executions in different iterations of loops inside `outer`: equal only if the indices are
 * defined outside of it. */
gw_alias gw_alias_across(const gw_func *f, gw_op x, gw_op y, gw_region outer);
/* Accesses to one object by these paths may reach one cell, for all that their fields say. */
bool gw_paths_meet(const gw_session *s, gw_str x, gw_str y);
/* Reached by any threads at any time: one cell, for all that the fields of the paths say. */
bool gw_paths_may_meet(const gw_func *f, gw_op x, gw_op y);
bool gw_same_address(const gw_func *f, gw_op x, gw_op y);
/* Store and load reach one cell in an iteration of the loop, if any, and others in every other iteration. */
bool gw_moves_on(const gw_func *f, gw_op loop, gw_op store, gw_op load);
/* What the store reached in an earlier iteration of the loop, the load does not reach, whatever later ones do;
 * 0: where the store ran before it in the same iterations. */
bool gw_stored_elsewhere(const gw_func *f, gw_op loop, gw_op store, gw_op load);
/* Two accesses inside the region never reach one cell, whichever iterations of loops in it they are of. */
bool gw_always_apart(const gw_func *f, gw_region outer, gw_op x, gw_op y);
/* The same whenever a loop asks that stands in region r: from outside of it, or computed by pure ops from such
 * values. */
bool gw_value_invariant(const gw_func *f, gw_value v, gw_region r);
/* v takes another value in each iteration of a FOR: its index, shifted by invariants, times a constant,
 * widened. */
bool gw_tells_iteration(const gw_func *f, gw_op loop, gw_value v);
/* All index operands of the op are visible in region r. */
bool gw_address_visible(const gw_func *f, gw_op op, gw_region r);

/* ---- asked ----
 *
 * The rung of the ladder that additions to an adjoint shall take: GW_ACCUMULATE(x, rung), else --accumulate.
 */

/* "d" is the same as or around "d.grid". */
bool gw_asked_overlap(const char *a, const char *b);
/* Whether the name is that of this memory of a primal: "x", "d.grid". */
bool gw_asked_is_name(const gw_func *f, gw_str name, gw_object o, gw_str path);
/* What the user asks for at an access of adjoint memory in a derivative; NULL: nothing. */
const gw_asked_rung *gw_asked_at(const gw_func *f, gw_op op);
/* The mark is for the derivative's request. */
bool gw_asked_is_for(const gw_func *f, const gw_asked_rung *a);
/* Its rung, else that of --accumulate. */
uint32_t gw_asked_rung_at(const gw_func *f, gw_op op);
/* Some mark of the function asks for the rung. */
bool gw_asked_anywhere(const gw_func *f, uint32_t rung);

/* ---- atomic check ----
 *
 * Which atomic operations of a primal a derivative can have.
 */

/* Says what the derivative of this form cannot do about atomic operations on floats; false if there is any. */
bool gw_check_atomics(const gw_activity *a, const gw_roles *roles, gw_form form);

/* ---- coarsening ----
 *
 * Whether a kernel's gradient is asked for with fewer threads than the primal has: GW_COARSEN, --coarsen.
 */

enum { GW_LEAST_COARSE = 2, GW_MOST_COARSE = 32, GW_NO_AXIS = 3 };

/* How many threads of the primal one thread of this derivative stands for; 0: one, as nobody asked. */
uint32_t gw_coarsening(const gw_func *derivative);
/* Along which axis: the last one of which the kernel asks its threadIdx, other than for the number of a thread
 * in its block
 * ((z * Y + y) * X + x, cooperative groups' thread_rank()). Where it asks for that number, and for nothing else
 * of its block but the number of threads, GW_WHOLE_BLOCK: a block of any shape is as good as one along x of as
 * many threads. GW_NO_AXIS: it asks for nothing of the kind. */
unsigned gw_coarsening_axis(const gw_func *derivative);
/* All along which it can be, that one first; their number. One if the launch is checked for a length that can
 * be divided. */
unsigned gw_coarsening_axes(const gw_func *derivative, unsigned axes[3]);
/* (z * Y + y) * X + x, with the block's lengths X and Y. */
bool gw_is_thread_number(const gw_func *f, gw_value v);
/* v is that number, in which cooperative groups count their tiles, or threadIdx.x. */
bool gw_is_thread(const gw_func *f, gw_value v);
/* The kernel asks for threadIdx.x by itself, and for y and z of its blocks only in the number of a thread. */
bool gw_numbers_flat_blocks(const gw_func *primal);
/* The place where it was asked for: the annotation, else the request. */
gw_loc gw_coarsening_loc(const gw_func *derivative);

/* ---- effects ----
 *
 * What calls may read and write through the pointers that they pass.
 */

/* Sets `reads` and `writes` of the addresses in primal functions by what the functions called do; whether that
 * changed one. Before, they must say all that may be. In reverse derivatives instead: takes `reads` from the
 * addresses of primal memory that the pullback called does not read. */
bool gw_narrow_effects(gw_session *s, bool derivatives);
/* The object is not its own, and it reads there what it writes. */
bool gw_reads_own(const gw_func *f, gw_object o);
/* It may run again and again: nothing that it writes does it read, but what is its own. */
bool gw_runs_again(const gw_func *f);

/* ---- exclusive ----
 *
 * Who may be at the cell of an adjoint access at the same time: the strongest level that the
 * ownership pass proved, for the passes that choose how an update is made safe.
 *
 *   thread  nobody else: the access is plain
 *   warp    threads of one warp only
 *   block   threads of one block only: an atomic of block scope will do, or an accumulator in shared memory
 * that one thread of the block adds to the cell at the end grid    any two threads
 *
 * It counts every access of the object that may run at the same time, not the one alone: where an update is
 * said to be exclusive to a block, no other reference of the kernel lets a thread of another block come to that
 * cell. What the proof assumed about the launch is in <primal>_check. Later passes that make accesses out of
 * this one keep the flags (GW_OP_OF_BLOCK, GW_OP_OF_WARP) only where the cell and the threads stay the same.
 */

typedef enum gw_exclusive {
    GW_EXCLUSIVE_GRID,
    GW_EXCLUSIVE_BLOCK,
    GW_EXCLUSIVE_WARP,
    GW_EXCLUSIVE_THREAD
} gw_exclusive;
/* What an access has to itself that a pass has decided. */
gw_exclusive gw_exclusive_to(const gw_func *f, gw_op access);

/* ---- intervals ----
 *
 * The ops of a kernel that may run between the same two barriers.
 */

typedef struct gw_intervals {
    uint32_t words; /* of a set */
    /* by op: the barriers, and the function's begin, from which it is reached without another one */
    uint64_t *begin;
} gw_intervals;

void gw_intervals_new(gw_intervals *v, const gw_func *f);
void gw_intervals_free(gw_intervals *v);
/* Two threads of a block may be at x and at y at the same time. */
bool gw_intervals_meet(const gw_intervals *v, gw_op x, gw_op y);
/* Both run between the same two barriers whenever y runs: y stands in the region of x or inside it. */
bool gw_intervals_same(const gw_func *f, gw_op x, gw_op y);

/* ---- lengths ----
 *
 * How long a kernel's blocks are, as far as accesses to its shared arrays tell.
 */

/* A primal's threads along each axis in all launches that mean something; 0: nothing is known. */
void gw_block_lengths(const gw_func *p, uint32_t least[3], uint32_t most[3]);
/* At most, by any access that a whole block makes; 0: nothing is known. */
void gw_block_room(const gw_func *p, uint32_t most[3]);

/* ---- used ---- */

/* A condition is about numbers that have derivatives: a guard. */
bool gw_is_about_numbers(const gw_func *f, gw_value condition, int depth);
/* By value, of floats: it is used whatever the numbers are. */
void gw_find_used(const gw_func *f, bool *used);

/* ---- lost ----
 *
 * The places at which derivatives end that an output would have had.
 */

/* Warns of each op that takes a varied number, has no derivative, and gives a value that an output is computed
 * from; false after an error: its bits became a number again. */
bool gw_check_lost(const gw_activity *a, const gw_roles *roles);

/* What integers that a kernel leaves in memory, and another one reads, are made of. */
typedef enum gw_loss { GW_LOSS_NONE, GW_LOSS_ROUNDED, GW_LOSS_BITS } gw_loss;
/* By value: integers that come from elsewhere and are made of numbers; then all integers that are made of these
 * or of the function's numbers. Warns, where it says anything, of those from elsewhere that an output depends
 * on; false after an error, as above. */
bool gw_lost_between(const gw_activity *a, const gw_roles *roles, const gw_loss *made, gw_loss *reached,
                     bool says);

/* Refuses fetches that take part from a texture that the request does not name, and other uses of one that it
 * names; false after an error. */
bool gw_check_textures(const gw_activity *a, const gw_roles *roles);

/* ---- memory order ----
 *
 * The memory operations that other threads can see, and what keeps their order.
 */

/* The op, or one inside it, is a point where threads meet, of a block or a warp: no access of visible memory
 * may be moved across it. */
bool gw_holds_barrier(const gw_func *f, gw_op op);
bool gw_region_holds_barrier(const gw_func *f, gw_region r);
/* The same, where all threads of a block meet. */
bool gw_holds_block_barrier(const gw_func *f, gw_op op);
bool gw_region_holds_block_barrier(const gw_func *f, gw_region r);
/* Threads of the block or lanes of the warp do something together in it: meet, exchange values, vote. */
bool gw_is_joint(const gw_func *f, gw_op op);
/* Per object: other threads of the launch may change its cells while the function runs (shared and caller's
 * memory that the function itself stores to); caller frees. */
bool *gw_changing_objects(const gw_func *f);
/* Those and all shared memory: what barriers are for; caller frees. */
bool *gw_seen_objects(const gw_func *f);

/* ---- promises ----
 *
 * What the user stated of a function's index lists (promises.def).
 */

/* Whether the promise is about these cells. */
bool gw_promise_names(const gw_func *f, const gw_promise *p, gw_object o, gw_str path, const char *field);
/* The promise is made of the cells that `path` names in o: "list" is list[i], "d.list" d.list[i]; for ranges of
 * their part `field` (".x"). */
bool gw_promised(const gw_func *f, uint32_t kind, gw_object o, gw_str path, const char *field);

/* ---- launch ----
 *
 * What is known of a launch's dimensions and of the integers that a kernel is given: by the device,
 * __launch_bounds__, what is checked at the launch, and GW_LAUNCH.
 */

/* From low to high, a multiple; INT64_MIN and INT64_MAX: no end. low > high: no launch is so. */
typedef struct gw_launch_range {
    int64_t low, high;
    uint32_t multiple;
} gw_launch_range;
/* By what is stated of f or of its primal, and `also` (or NULL). */
gw_launch_range gw_launch_known(const gw_func *f, const gw_launch_facts *also, uint32_t subject);
/* Whether it is known of launches of f. */
bool gw_launch_goes_by(const gw_func *f, const gw_launch_fact *fact);
/* The subject that a parameter's value is; 0: it is none. */
uint32_t gw_launch_subject(const gw_func *f, gw_value v);
/* There are launches of which all of it is true. */
bool gw_launch_is_possible(const gw_func *f, const gw_launch_facts *also);

/* ---- real range ----
 *
 * The bounds of every value but NaN that v, a floating-point number, has in region r, by arithmetic and by the
 * branches around; r 0: anywhere.
 */
typedef struct gw_real_range {
    double low, high;
} gw_real_range;
gw_real_range gw_real_range_of(const gw_func *p, gw_value v, gw_region r);

/* ---- records ----
 *
 * What pushes and pops leave on a tape.
 */

uint32_t gw_record_bytes(const gw_func *f, gw_op push);
bool gw_leaves_records(const gw_func *f, gw_op op); /* it does not pop again all that it pushed */
bool gw_takes_records(const gw_func *f, gw_op op);  /* it pops what others pushed */

/* ---- policies ----
 *
 * Loops of the host whose iterations run as std::execution::par says.
 */

/* The outermost loop with a policy around the op, or itself, in a function of the host; 0: there
 * is none. */
gw_op gw_policy_around(const gw_func *f, gw_op op);
/* What a loop of the host does to a tape. */
typedef enum gw_policy_tape {
    GW_POLICY_TAPE_NONE,
    GW_POLICY_TAPE_OWN,     /* each iteration takes off what it has put there */
    GW_POLICY_TAPE_INDEXED, /* each leaves, or takes, so many bytes, and nothing else */
    GW_POLICY_TAPE_ORDERED
} gw_policy_tape;
gw_policy_tape gw_policy_tape_of(const gw_func *f, gw_op loop, uint32_t *bytes);
/* ---- repeats ----
 *
 * What is the same in all iterations of a loop.
 */

/* The access reaches the same cells, in the same order, in all iterations of the loop around it. */
bool gw_access_repeats(const gw_func *f, gw_op loop, gw_op access);
bool gw_index_repeats(const gw_func *f, gw_op loop, gw_op access); /* its index does, wherever it runs */
bool gw_value_repeats(const gw_func *f, gw_op loop, gw_value v);   /* v is the same, wherever it is computed */
/* All accesses of the object in region r, which is inside of the loop, are loads and stores that do. */
bool gw_accesses_repeat(const gw_func *f, gw_op loop, gw_region r, gw_object o);

/* ---- spread ----
 *
 * Levels that spread from the values of a function along what is made of them and along control: the least
 * ones, from 0, that keep what `level` says and the rules of branches and loops (spread.c).
 */

typedef struct gw_spread {
    const gw_func *f;
    uint8_t *value, *region; /* by value, by region */
    /* at which level an op without regions is, and its results with it; it may raise levels of its own */
    uint8_t (*level)(struct gw_spread *s, gw_op op);
    void *context; /* of `level` */
    bool changed;
} gw_spread;

void gw_spread_raise(gw_spread *s, uint8_t *what, uint8_t level);
/* The level of what decides whether, or how often, the regions of a branch or loop run. */
uint8_t gw_spread_control(const gw_func *f, const uint8_t *value, gw_op op);
void gw_spread_solve(gw_spread *s);

/* ---- stamp ----
 *
 * What an emitted text says of itself: its first line, by which it is known, and its last ones, by which
 * `gradwright --check` compares it with its source:
 *
 *     // gradwright --check: 0123456789abcdef gradient ns::f: y wrt a, x   of each request: its digest, and it
 *     // gradwright --check: options --checked                            if there are any that change the text
 *     // gradwright --check: text 0123456789abcdef                        a hash of all above this line
 */

/* "gradient ns::f: both = y wrt a, x with z"; names are sorted: their order says nothing. *key becomes how much
 * of it says which request of the function it is: "gradient ns::f: both = ". */
void gw_stamp_request(const gw_session *s, const gw_request *r, gw_text *out, size_t *key);

void gw_stamp_head(gw_text *out, const char *source); /* its name without folders */
void gw_stamp_end(const gw_session *s, gw_text *out); /* nothing where no request has a digest */

typedef struct gw_stamped {
    gw_str digest, request;
    uint32_t line; /* of the text */
} gw_stamped;
typedef struct gw_stamp {
    gw_str version, source; /* 0: this is no text of Gradwright's */
    GW_VEC(gw_stamped) requests;
    gw_str options;
    bool has_end;
    bool is_whole; /* what stands above the last line is what stood there; ends of lines may be others */
} gw_stamp;
void gw_stamp_read(gw_session *s, const char *text, size_t count, gw_stamp *out);
void gw_stamp_free(gw_stamp *stamp);
/* The source's name in a text's first line; NULL: this is no text of Gradwright's. The caller frees it. */
char *gw_stamp_source(const char *text);
const char *gw_stamp_version(void); /* of what is made now */

/* ---- trip count ----
 *
 * How often a counted loop runs, as a value (u64) at the builder; 0: the header does not tell.
 */

gw_value gw_header_trips(gw_builder *b, gw_op loop);
/* the same for one that may stop before: at most so often */
gw_value gw_header_most(gw_builder *b, gw_op loop);
/* for (lo; compare hi; += step) */
gw_value gw_header_runs(gw_builder *b, gw_opcode compare, gw_value lo, gw_value hi, int64_t step);

/* ---- uniformity ----
 *
 * The values that are the same in the threads of a warp, a block or the grid.
 */

/* All threads of it that run one execution of the op get the same value. */
typedef enum gw_uniformity { GW_UNIFORM_GRID, GW_UNIFORM_BLOCK, GW_UNIFORM_WARP, GW_DIVERGENT } gw_uniformity;

/* What is known of how warps are cut from the blocks of a launch (facts/warps.c). */
typedef struct gw_block_shape {
    bool one_long[2]; /* in y and z */
    bool whole;       /* blockDim.x is a multiple of 32 */
} gw_block_shape;

typedef struct gw_uniform {
    const gw_func *f;
    uint8_t *value;  /* gw_uniformity, by value */
    uint8_t *region; /* by region: threads of it run it together, equally often, or not at all */
    bool *changing;
    gw_block_shape shape;
    uint8_t *left;    /* of a second half, by slot: how uniform is what the first one has left; else NULL */
} gw_uniform;

void gw_uniform_new(gw_uniform *u, const gw_func *f);
/* The same where blockDim.x is a multiple of 32, which the caller has the launch checked for. */
void gw_uniform_of_whole_warps(gw_uniform *u, const gw_func *f);
void gw_uniform_free(gw_uniform *u);
/* The innermost branch or loop around the op about which threads of a block may disagree; 0 if there is
 * none. */
gw_op gw_uniform_divergence(const gw_uniform *u, gw_op op);
/* The op is a __syncwarp where all lanes of a warp meet. The intervals between such and barriers, in which
 * lanes of a warp are together. */
bool gw_is_warps_barrier(const gw_uniform *lanes, gw_op op);
void gw_intervals_of_lanes(gw_intervals *v, const gw_uniform *lanes);
/* The gw_uniformity of what decides whether, or how often, the regions of a branch or loop run. */
gw_uniformity gw_uniform_control(const gw_uniform *u, gw_op op);
#endif
