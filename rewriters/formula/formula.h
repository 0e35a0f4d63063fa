/*
 * formula.h - what other rooms see of rewriters/formula: formula, callee, cost, names, signature, split.
 */
#ifndef GW_FORMULA_H
#define GW_FORMULA_H
#include "analysis/facts/facts.h"
#include "analysis/facts/parts.h"
#include "analysis/ir/ir.h"
#include "analysis/ir/leaf.h"
#include "analysis/ir/restructure.h"

/* ---- formula ----
 *
 * Partial derivatives from deriv.def as IR.
 */

/* Values that the letters of a formula stand for; 0 where unused. */
typedef struct gw_formula_values {
    gw_value operand[4], result, seed;
    gw_opcode known; /* a function of operand 0 whose value is known */
    gw_value known_value;
    bool in_branches; /* sides of a choice that compute are in a branch: the value has a derivative in turn */
    gw_value divisor, reciprocal; /* a value by which others divide too, and 1 / it */
} gw_formula_values;

/* Formula of (op, operand), or NULL where the derivative is zero. */
const char *gw_formula(gw_opcode code, uint32_t operand);
/* Whether it reads the value that a letter stands for. */
bool gw_formula_reads(const char *formula, char letter);
/* Builds it; `flags` are those of the op (FAST is kept where a fast function exists). */
gw_value gw_formula_build(gw_builder *b, const char *formula, const gw_formula_values *v, gw_type type,
                          uint16_t flags);
/* Whether a spelling exists for this op, type and precision (intrin.def). */
bool gw_intrinsic_exists(gw_opcode code, gw_type type, bool fast);

/* ---- extremum ----
 *
 * Maxima and minima that are written as choices: half to each side where both are equal.
 */

/* Whether that result of a choice (SELECT, IF) is the greater or less of two numbers that it compares. */
bool gw_extremum_of(const gw_func *f, gw_op op, uint32_t result);
/* What side 0 (the condition holds) or 1 of it gives. */
gw_value gw_extremum_side(const gw_func *f, gw_op op, uint32_t result, uint32_t side);
/* Whether both are equal, where the function asks so right behind the choice (kept.c); else 0. */
gw_value gw_extremum_tie(const gw_func *f, gw_op op);
/* What comes through such a choice of the derivatives `of` its sides; `tie`: both are equal. */
gw_value gw_extremum_share(gw_builder *b, gw_value tie, gw_value condition, const gw_value of[2]);

/* ---- winner ---- */
/* Loops that look for one number note where they found it, and it is made again behind them.
 * Whether there are any; dead code is left. */
bool gw_note_winners(gw_func *primal, const gw_request *q);

/* ---- rescaled ---- */
/* Sums that are rescaled with a running maximum get the derivative of sums that are not. Whether there are any;
 * dead code is left. */
bool gw_turn_rescaled(gw_func *primal, const gw_request *q);

/* ---- callee ----
 *
 * What a call of the primal becomes in its derivative: which function is called there, with which
 * parts.
 *
 * Part i of a call: its operand i is the address of cells that carry a derivative in the caller, so that the
 * callee's derivative takes the address of their shadows. By-value floating-point operands are parts always.
 */

/* The function of the session that a call names so; NULL: it is not here. */
gw_func *gw_callee_primal(const gw_session *s, gw_str symbol);
/* "d_f" for "ns::f'2" */
gw_str gw_callee_local_name(gw_session *s, const char *prefix, gw_str callee);
/* Whether a call of `callee` has a derivative of the kind; says so if it has none. */
bool gw_callee_check(gw_session *s, gw_str callee, uint32_t kind, gw_loc loc);
/* The symbol of the callee's pullback (forward derivative) for these parts, which is requested if nobody has;
 * of a derivative that the user wrote, its name. 0 if there is none. */
gw_str gw_callee_derivative(gw_session *s, const gw_func *f, gw_op call, uint32_t kind, const bool *part);
/* The call has part i, and may write it: its derivative is called whether or not the value is of use. */
bool gw_callee_writes_part(const gw_func *f, gw_op call, const bool *part);
/* Operand i is the address of floating-point numbers. */
bool gw_callee_takes_numbers(const gw_func *f, gw_op call, uint32_t i);
/* It has effects, and so its derivative has some, which others may wait for, whatever is active here. */
bool gw_callee_must_answer(const gw_func *f, gw_op call, bool back); /* in reverse, or forward */
/* The call reads or writes through a pointer that is no local object's; which: GW_OP_READS or GW_OP_WRITES. */
bool gw_callee_reaches(const gw_func *f, gw_op call, uint16_t which, bool local);

/* ---- cost ----
 *
 * What ops and whole functions cost on a host, in additions.
 */

int gw_cost_of_op(const gw_func *f, gw_op op); /* without the regions of it */
/* A push and its pop of a value of this type; or, as the result of a branch, a register. */
int gw_cost_of_record(const gw_func *f, gw_type type, bool is_result);
double gw_cost_trips(const gw_func *f, gw_op loop);
/* The cost of one call; a loop whose trip count is unknown runs a fixed number of times. */
double gw_cost_of_func(const gw_func *f);

/* ---- names ----
 *
 * Which names are taken where a derivative is written (gw_free_name finds one that is not): what
 * stands there for something else. Parameters are named here, variables by emit/text/name.c.
 */

/* Names that something has, in any order. */
typedef gw_names gw_name_list;
bool gw_names_have(const gw_name_list *list, gw_str name);
/* What the text of f says of others by name: types and template parameters, functions (where a spelling depends
 * on the target, all of them), variables at file scope. Nothing else there may have such a name. */
void gw_names_used(const gw_func *f, gw_name_list *list);

/* Parameters of f, an adjoint's or tangent's among them, get names that are free; those are no macros either.
 * The first of two keeps its own. */
void gw_names_settle(gw_func *f);

/* ---- signature ----
 *
 * What derivatives of all forms share: how the primal's objects and parameters come to stand
 * first in a derivative, and what the parameters of adjoints and tangents look like.
 */

bool gw_signature_names(const gw_str *list, uint32_t count, gw_str name);
/* A new derivative of a form, without parameters yet: named and placed as the primal and the request say. */
gw_func *gw_signature_func(const gw_func *primal, uint32_t request, gw_form form);
gw_str gw_signature_prefixed(gw_session *s, const char *prefix, gw_str name);
/* Whether the function has an op of this code on the object (0: none). */
bool gw_signature_has(const gw_func *f, gw_opcode code, gw_object o);
bool gw_signature_writes(const gw_func *f, gw_object o); /* a store, or a call that is given its address */
/* Objects and parameters of c->from at the front of `to`; the map of c says which is which. */
void gw_signature_copy(gw_cloner *c, gw_func *to);
void gw_signature_copy_param(gw_cloner *c, gw_func *to, uint32_t i); /* adds that of number i of c->from */

/* The type of an adjoint's or tangent's cells: where these are pointers, they lead to no const ones. */
/* The C text of the mirror of an object of type t, whose own is `text`: adjoints of half precision are
 * floats. */
gw_str gw_signature_mirror_text(gw_session *s, gw_type t, gw_str text);
/* The same of an address of a program's, "const __half *". */
gw_str gw_signature_address_text(gw_session *s, gw_str text);
gw_type gw_signature_mirror_type(gw_session *s, gw_type t);
/* The type of what holds the adjoints of texels (gradwright/texture.cuh); ops reach its cells alone. */
gw_type gw_signature_texture_type(gw_session *s);
/* What a pointer to the object leads to: the object itself, of a variable that is an array its element. */
gw_type gw_signature_cell_type(const gw_session *s, const gw_object_data *object);
/* Whether a cell of the object is reached in its shadow, which a pointer leads to, by an index 0 more. */
bool gw_signature_is_behind(const gw_session *s, const gw_object_data *object, const gw_object_data *shadow);
/* "float *__restrict__"; pointer to the type whose spelling is `cell`. primal: the object it mirrors, or
 * NULL. */
char *gw_signature_pointer_text(const gw_session *s, const gw_object_data *primal, const char *cell);

/* Active memory that neither the request names nor one thread forwards is an error: its derivative would be
 * lost. */
bool gw_signature_check(const gw_activity *a, const gw_roles *roles);
void gw_signature_warn_unused(const gw_activity *a, const gw_request *q);
/* The same of const members that are left out. */
void gw_signature_warn_constants(const gw_activity *a, const gw_request *q);

/* ---- launched ----
 *
 * Kernels that programs launch.
 */

/* The gradient that the reverse of a launch launches; NULL: nothing that the kernel writes has a derivative.
 * Where that is the second half of a split gradient, the launch itself runs the first, which leaves a tape. */
const gw_func *gw_launched_gradient(const gw_func *program, gw_op launch);
/* The request of that kind (gw_request_kind) for the kernel, by which gw_launched_gradient finds what a
 * program's forward or second derivative launches. */
int64_t gw_launched_as(const gw_func *program, gw_op launch, uint32_t kind);
const gw_func *gw_launched_kernel(const gw_func *program, gw_op launch);
/* Whether that gradient gives the adjoint of this operand of the launch. */
bool gw_launched_asks(const gw_func *program, gw_op launch, uint32_t operand);
/* Whether the kernel may write what the parameter leads to; whether its gradient reads it. */
bool gw_launched_writes(const gw_func *kernel, uint32_t param);
bool gw_launched_reads_back(const gw_func *grad, uint32_t param);
bool gw_launched_is_struct(const gw_func *kernel, const gw_param *p);   /* by value */
uint32_t gw_launched_parts(const gw_func *kernel, const gw_param *p);   /* operands that it is in a launch */
uint32_t gw_launched_numbers(const gw_func *kernel, uint32_t param);    /* how many: results of its reverse */
bool gw_launched_asks_numbers(const gw_func *kernel, const gw_func *grad, uint32_t param); /* some of them */
/* Bytes for their adjoints in front of the workspace. */
uint32_t gw_launched_room(const gw_func *kernel, const gw_func *grad, uint32_t param);
/* Whether the gradient, or a kernel that runs with it, reads what a pointer leads to; whether they are given an
 * adjoint for it. */
bool gw_launched_part_read_back(const gw_func *grad, const gw_launch_part *part);
bool gw_launched_part_has_adjoint(const gw_func *grad, const gw_launch_part *part);
/* Whether f does more to the object, or to what the leaf of it is about, than to add to it. */
bool gw_overwrites(const gw_func *f, gw_object o, const gw_leaf *leaf);
/* The pointers of a launch; `operand` counts from its first argument. `wide`: to numbers of half precision;
 * `is_overwritten`: more is done than to add to it. */
typedef struct gw_launched_pointer {
    uint32_t operand;
    bool is_read_back, is_written, is_overwritten, has_adjoint, wide;
} gw_launched_pointer;
typedef GW_VEC(gw_launched_pointer) gw_launched_pointers;
void gw_launched_pointers_of(const gw_func *kernel, const gw_func *grad, gw_launched_pointers *out);
/* The gradient (NULL: there is none) has an adjoint of the kernel's parameter. */
bool gw_launched_has_adjoint(const gw_func *grad, uint32_t param);
gw_leaves gw_launched_leaves(const gw_func *kernel, const gw_param *p); /* the scalars of what it points to */

/* ---- split ----
 *
 * The two halves of a split gradient (adjoint/split.c), as one function and cut apart.
 *
 * As one function its last parameters say which half runs; adjoint/split.c adds them and split.c takes them
 * away.
 */

enum { GW_SPLIT_HALVES = 2 };
extern const char *const gw_split_names[GW_SPLIT_HALVES];

/* Both halves in one function. */
bool gw_is_split(const gw_func *f);
/* The branch of such a function that is the second half; 0: it is no such function. */
gw_op gw_split_second(const gw_func *f);
/* One of them. */
static inline bool gw_is_half(const gw_func *f) { return f->form == GW_FORM_FWD || f->form == GW_FORM_BWD; }
/* Adds the halves to the session. */
void gw_split_cut(gw_func *f);
#endif
