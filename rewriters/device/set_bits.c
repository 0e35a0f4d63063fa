/*
 * set_bits.c - the set-bits pass: a loop over all bits of a word, of which an iteration does nothing unless its
 * bit is set, goes from one bit that is set to the next.
 *
 *     for (j = 0; go_on && j < 32; j++) {          for (left = word; go_on && left != 0;) {
 *         count++;                                     j = ffs(left) - 1;
 *         if (word >> j & 1) { ... }     becomes       left &= left - 1;
 *     }                                                ... with count at first + j + 1 ...
 *                                                  }
 *                                                  count = at first + (go_on ? 32 : j + 1);
 *
 * Such loops are what a nest makes of the form on the right, since their iterations have numbers then
 * (rewriters/adjoint/nest/bits.c).
 *
 * Requires a word that the loop does not change, and in the body no more than a branch on the bit, pure ops,
 * and counters, which add a constant in each iteration. Sound because an iteration that is left out changes
 * counters only, and a counter's value follows from the iteration's number. So does what it is behind the
 * loop: `go_on`, which is pure and asks for no counter, changes in iterations that run alone. Where it holds at
 * the end, no bit was left, and the loop had all of its iterations; else it ended behind the last one that ran,
 * or before the first.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "rewriters/device/parts_private.h"
#include "rewriters/motion/motion.h"

#include <stdlib.h>

enum { BITS = 32, MOST_STEP = 1 << 16 }; /* with which no product of an iteration's number overflows */

typedef struct bits {
    gw_func *f;
    gw_op loop, branch;
    uint32_t bit; /* of the carried values, the iteration's number */
    gw_value word;
    gw_value in_time; /* in the condition: bits are left to be asked for */
    gw_value is_set;  /* in the body */
    int64_t *step;    /* by carried value: what a counter adds; 0: it is none */
} bits;

static bool is_number(const gw_func *f, gw_value v, int64_t number) {
    int64_t c;
    return gw_const_int(f, v, &c) && c == number;
}

/* j < 32, of a carried value that begins at 0. */
static bool counts_bits(void *with, gw_value v) {
    bits *b = with;
    const gw_func *f = b->f;
    const gw_op less = gw_made_by(f, v, GW_OP_LT);
    const gw_region test = gw_op_at(f, b->loop)->region[0];
    if (!less || !is_number(f, gw_operand(f, less, 1), BITS)) return false;
    for (uint32_t i = 0; i < gw_loop_carried(f, b->loop); i++) {
        if (gw_operand(f, less, 0) != gw_arg(f, test, i)) continue;
        if (!is_number(f, gw_loop_init(f, b->loop, i), 0)) return false;
        b->bit = i;
        return true;
    }
    return false;
}

/* (word >> j & 1) != 0 */
static bool asks_for_bit(void *with, gw_value v) {
    bits *b = with;
    const gw_func *f = b->f;
    const gw_op differs = gw_made_by(f, v, GW_OP_NE);
    const gw_op both = differs && is_number(f, gw_operand(f, differs, 1), 0)
                           ? gw_made_by(f, gw_operand(f, differs, 0), GW_OP_AND)
                           : 0;
    const gw_op moved =
        both && is_number(f, gw_operand(f, both, 1), 1) ? gw_made_by(f, gw_operand(f, both, 0), GW_OP_SHR) : 0;
    if (!moved || gw_behind_casts(f, gw_operand(f, moved, 1)) != gw_loop_arg(f, b->loop, b->bit)) return false;
    b->word = gw_operand(f, moved, 0);
    return gw_type_bits(gw_typeof(f, b->word)) == BITS &&
           gw_value_visible(f, b->word, gw_op_at(f, b->loop)->parent);
}

/* What is carried is a counter, or what it was in an iteration without its bit. */
static bool changes_by_counting(bits *b) {
    const gw_func *f = b->f;
    for (uint32_t i = 0; i < gw_loop_carried(f, b->loop); i++) {
        const gw_value next = gw_loop_next(f, b->loop, i), own = gw_loop_arg(f, b->loop, i);
        const gw_op add = gw_made_by(f, next, GW_OP_ADD);
        int64_t c;
        if (next == own) continue;
        if (gw_value_at(f, next)->op == b->branch) {
            if (gw_arm_value(f, b->branch, 1, gw_value_at(f, next)->index) != own) return false;
            continue;
        }
        if (!add || gw_operand(f, add, 0) != own || !gw_const_int(f, gw_operand(f, add, 1), &c) || !c ||
            c > MOST_STEP || c < -MOST_STEP)
            return false;
        b->step[i] = c;
        const gw_value asked = gw_arg(f, gw_op_at(f, b->loop)->region[0], i);
        if (gw_count_uses(f, asked) != (i == b->bit ? 1 : 0)) return false;
    }
    return b->step[b->bit] == 1;
}

static bool find(bits *b) {
    const gw_func *f = b->f;
    if (gw_op_at(f, b->loop)->flags & GW_OP_EXIT || gw_is_joint(f, b->loop) || gw_holds_record(f, b->loop))
        return false;
    const gw_region body = gw_loop_body(f, b->loop), test = gw_op_at(f, b->loop)->region[0];
    b->in_time = gw_is_pure_but(f, test, 0) ? gw_part_of(f, gw_loop_test(f, b->loop), counts_bits, b) : 0;
    for (gw_op op = gw_first(f, body); op && b->in_time; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_IF && !b->branch) b->branch = op;
    if (!b->branch || !gw_is_pure_but(f, body, b->branch)) return false;
    if (!gw_is_pure_but(f, gw_op_at(f, b->branch)->region[1], 0)) return false;
    b->is_set = gw_part_of(f, gw_operand(f, b->branch, 0), asks_for_bit, b);
    return b->is_set && changes_by_counting(b);
}

/* What counter number i is when so many iterations are done. */
static gw_value counted(const bits *b, gw_builder *at, uint32_t i, gw_value first, gw_value done) {
    const gw_type type = gw_typeof(b->f, first);
    const gw_value far = gw_binary(at, GW_OP_MUL, gw_cast(at, type, done), gw_int(at, type, b->step[i]));
    return gw_binary(at, GW_OP_ADD, first, far);
}

/* Whether the rest of the condition holds behind the loop; 0: there is no rest. */
static gw_value goes_on(const bits *b, gw_builder *behind) {
    gw_func *f = b->f;
    const gw_region test = gw_op_at(f, b->loop)->region[0];
    gw_cloner c = {.from = f, .to = behind};
    for (uint32_t i = 0; i < gw_loop_carried(f, b->loop); i++)
        gw_map_set(&c.values, gw_arg(f, test, i), gw_result(f, b->loop, i));
    gw_clone_region_body(&c, test);
    const gw_value all = gw_clone_value(&c, gw_loop_test(f, b->loop)), part = gw_clone_value(&c, b->in_time);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return gw_without_part(behind, all, part);
}

/* Counters behind the loop, of which carried value number `ran` is how many iterations are done. */
static void count_behind(const bits *b, uint32_t ran) {
    gw_func *f = b->f;
    const gw_op_data o = *gw_op_at(f, b->loop);
    gw_builder behind = {f, o.parent, gw_next(f, b->loop), o.loc};
    gw_value_map map = {0};
    gw_value done = 0;
    for (uint32_t i = 0; i < ran; i++) {
        if (!b->step[i] || !gw_count_uses(f, gw_result(f, b->loop, i))) continue;
        if (!done) {
            const gw_value rest = goes_on(b, &behind), all = gw_int(&behind, GW_T_I32, BITS);
            done = rest ? gw_select(&behind, rest, all, gw_result(f, b->loop, ran)) : all;
        }
        const gw_value v = counted(b, &behind, i, gw_loop_init(f, b->loop, i), done);
        gw_map_set(&map, gw_result(f, b->loop, i), v);
    }
    gw_replace_many(f, &map);
    gw_map_free(&map);
}

/* In the body: the number of the bit, and counters by it. */
static void count_inside(const bits *b, uint32_t left) {
    gw_func *f = b->f;
    const gw_region body = gw_loop_body(f, b->loop);
    const gw_op end = gw_region_end(f, body);
    gw_builder at = {f, body, gw_first(f, body), gw_op_at(f, b->loop)->loc};
    const gw_value rest = gw_loop_arg(f, b->loop, left), one = gw_int(&at, GW_T_I32, 1);
    const gw_value lowest = gw_unary(&at, GW_OP_FFS, gw_cast(&at, GW_T_I32, rest));
    const gw_value place = gw_binary(&at, GW_OP_SUB, lowest, one);
    gw_value_at(f, place)->name = gw_intern(f->session, "bit");
    gw_value_map map = {0};
    for (uint32_t i = 0; i < left; i++) {
        if (!b->step[i]) continue;
        gw_set_operand(f, end, i, gw_loop_arg(f, b->loop, i));
        const gw_value init = gw_loop_init(f, b->loop, i);
        gw_map_set(&map, gw_loop_arg(f, b->loop, i),
                   i == b->bit ? gw_cast(&at, gw_typeof(f, init), place) : counted(b, &at, i, init, place));
    }
    gw_builder last = {f, body, end, at.loc};
    const gw_type type = gw_typeof(f, rest);
    const gw_value lower = gw_binary(&last, GW_OP_SUB, rest, gw_int(&last, type, 1));
    gw_set_operand(f, end, left, gw_binary(&last, GW_OP_AND, rest, lower));
    gw_set_operand(f, end, left + 1, gw_binary(&last, GW_OP_ADD, place, one));
    gw_builder before = {f, body, b->branch, at.loc};
    const gw_value others = gw_without_part(&before, gw_operand(f, b->branch, 0), b->is_set);
    if (others)
        gw_set_operand(f, b->branch, 0, others);
    else
        gw_open_branch(f, b->branch);
    gw_replace_many(f, &map);
    gw_map_free(&map);
}

static void rewrite(bits *b) {
    gw_func *f = b->f;
    const uint32_t n = gw_loop_carried(f, b->loop);
    gw_builder before = {f, gw_op_at(f, b->loop)->parent, b->loop, gw_op_at(f, b->loop)->loc};
    const gw_value extra[] = {gw_cast(&before, GW_T_U32, b->word), gw_int(&before, GW_T_I32, 0)};
    b->loop = gw_loop_rebuild(f, b->loop, NULL, extra, 2);
    for (uint32_t i = n; i < n + 2; i++)
        gw_value_at(f, gw_loop_arg(f, b->loop, i))->name = gw_intern(f->session, i == n ? "left" : "ran");
    count_behind(b, n + 1);
    count_inside(b, n);
    const gw_region test = gw_op_at(f, b->loop)->region[0];
    gw_builder asks = {f, test, gw_value_at(f, b->in_time)->op, before.loc};
    const gw_value left = gw_arg(f, test, n);
    gw_value_map map = {0};
    gw_map_set(&map, b->in_time, gw_binary(&asks, GW_OP_NE, left, gw_int(&asks, gw_typeof(f, left), 0)));
    gw_replace_many(f, &map);
    gw_map_free(&map);
    bool *keep = gw_alloc(n + 2);
    for (uint32_t i = 0; i < n + 2; i++)
        keep[i] = i == n || (i < n ? !b->step[i] : gw_count_uses(f, gw_result(f, b->loop, i)) != 0);
    b->loop = gw_loop_rebuild(f, b->loop, keep, NULL, 0);
    free(keep);
}

static void search_loops(gw_func *f) {
    for (gw_op op = 1, end = (gw_op)f->ops.count; op < end; op++) {
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_WHILE) continue;
        bits b = {.f = f, .loop = op, .step = gw_alloc((gw_loop_carried(f, op) + 1) * sizeof *b.step)};
        if (find(&b)) rewrite(&b);
        free(b.step);
    }
}

bool gw_pass_set_bits(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->kind == GW_FUNC_KERNEL && f->form != GW_FORM_PRIMAL) search_loops(f);
    }
    return true;
}
