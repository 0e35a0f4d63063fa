/*
 * smt.c - questions to Z3 about two threads and one cell (contract: prove.h; terms: smt_terms.c,
 * smt_conditions.c).
 *
 * Each question has a context of its own, so that its answer does not depend on what was asked before: an
 * answer that was kept (smt_cache.c) is the one that asking again would give.
 *
 * A question is asked of small launches first: there a meeting is found quickly, and is worth showing. Only if
 * there is none, and Z3 has not shown already that size does not matter, it is asked of all launches.
 */
#include "analysis/prove/prove.h"
#include "analysis/prove/smt_cache_private.h"
#include "analysis/prove/smt_terms_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* LEAST: a part of a question's budget that has room for the easy ones, which most proofs are; NEAR: of steps,
 * with which Z3 may come to another end at another limit. */
enum { SMALL = 4, SMALL_PARAMETER = 16, LEAST = 4, NEAR = 16, THOUSAND = 1000 };

typedef struct asked {
    gw_str question;
    char *witness;
    gw_smt_answer found;
    uint64_t assumed;
} asked;

struct gw_smt {
    gw_normal *n;
    uint64_t budget; /* of a question, in Z3's steps */
    uint64_t before; /* what the question's context had taken when it was last asked */
    uint32_t time;   /* of a question, in milliseconds */
    GW_VEC(asked) asked;
};

bool gw_smt_is_built_in(void) { return true; }

/* An error makes the answer "unknown"; without a handler Z3 would end the process. */
static void ignore_error(Z3_context z, Z3_error_code code) { (void)z, (void)code; }

gw_smt *gw_smt_new(gw_normal *n, uint32_t budget, uint32_t time) {
    gw_smt *s = gw_alloc(sizeof *s);
    *s = (gw_smt){.n = n, .budget = (uint64_t)budget * THOUSAND, .time = time};
    return s;
}

void gw_smt_free(gw_smt *s) {
    for (uint32_t i = 0; s && i < s->asked.count; i++) free(s->asked.at[i].witness);
    if (s) gw_vec_free(&s->asked);
    free(s);
}

static void start(gw_smt *s, gw_smt_question *q) {
    Z3_config config = Z3_mk_config();
    Z3_context z = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z, ignore_error);
    s->before = 0;
    *q = (gw_smt_question){.n = s->n, .z = z, .solver = Z3_mk_simple_solver(z)};
    Z3_solver_inc_ref(q->z, q->solver);
}

static void end(gw_smt_question *q) {
    Z3_solver_dec_ref(q->z, q->solver);
    Z3_del_context(q->z);
    gw_vec_free(&q->numbers);
    gw_vec_free(&q->literals);
    gw_vec_free(&q->choices);
}

/* ---- the question ---- */
static Z3_ast negative(gw_smt_question *q, Z3_ast b) { return Z3_mk_not(q->z, b); }

static void add_nonnegative(gw_smt_question *q, const gw_poly *p, bool other, uint64_t assumed) {
    gw_smt_assert(q, Z3_mk_ge(q->z, gw_smt_poly(q, p, other), gw_smt_integer(q, 0)), assumed);
}

static void add_context(gw_smt_question *q, const gw_access *a, bool other) {
    const gw_context *c = a->context;
    gw_smt_path(q, gw_normal_context(q->n, c->region), other); /* first: it may add facts */
    for (uint32_t i = 0; i < c->facts.count; i++)
        add_nonnegative(q, &c->facts.at[i].poly, other, c->facts.at[i].assumed);
    for (uint32_t i = 0; i < c->equal.count; i++)
        gw_smt_assert(q, Z3_mk_eq(q->z, gw_smt_poly(q, &c->equal.at[i].poly, other), gw_smt_integer(q, 0)),
                      c->equal.at[i].assumed);
}

static void add_assumptions(gw_smt_question *q) {
    for (uint32_t i = 0; i < q->n->assumptions.count; i++) {
        gw_poly p = q->n->assumptions.at[i];
        add_nonnegative(q, &p, false, (uint64_t)1 << (GW_ASSUME_LENGTHS + i));
    }
}

static Z3_ast coordinate(gw_smt_question *q, uint32_t c, bool other) {
    return gw_smt_atom(q, gw_atom_special(c < 3 ? GW_THREAD_IDX : GW_BLOCK_IDX, c % 3), other);
}

static Z3_ast dimension(gw_smt_question *q, uint32_t c) {
    return gw_smt_atom(q, gw_atom_special(c < 3 ? GW_BLOCK_DIM : GW_GRID_DIM, c % 3), false);
}

/* blockIdx*blockDim + threadIdx tells the thread on an axis: it follows from threadIdx < blockDim, but by
 * multiplication, which Z3 does not find by itself. */
static void add_linear_index(gw_smt_question *q, uint32_t axis) {
    Z3_ast linear[2];
    for (uint32_t other = 0; other < 2; other++) {
        Z3_ast row[2] = {coordinate(q, axis + 3, other), dimension(q, axis)};
        Z3_ast parts[2] = {Z3_mk_mul(q->z, 2, row), coordinate(q, axis, other)};
        linear[other] = Z3_mk_add(q->z, 2, parts);
    }
    Z3_ast same[2] = {Z3_mk_eq(q->z, coordinate(q, axis, false), coordinate(q, axis, true)),
                      Z3_mk_eq(q->z, coordinate(q, axis + 3, false), coordinate(q, axis + 3, true))};
    Z3_ast told = Z3_mk_implies(q->z, Z3_mk_eq(q->z, linear[0], linear[1]), Z3_mk_and(q->z, 2, same));
    gw_smt_assert(q, told, 0);
}

static void add_launch(gw_smt_question *q, uint32_t one_long, bool one_block) {
    const uint32_t bound = gw_launch_bound(q->n->f);
    Z3_ast differ[GW_COORDINATES], volume[3];
    for (uint32_t c = 0; c < GW_COORDINATES; c++) {
        Z3_ast mine = coordinate(q, c, false), other = coordinate(q, c, true);
        differ[c] = negative(q, Z3_mk_eq(q->z, mine, other));
        if (one_block && c >= 3) gw_smt_assert(q, Z3_mk_eq(q->z, mine, other), 0);
        if (c < 3) volume[c] = dimension(q, c);
        if (c < 3) add_linear_index(q, c);
        if (one_long >> c & 1)
            gw_smt_assert(q, Z3_mk_eq(q->z, dimension(q, c), gw_smt_integer(q, 1)),
                          gw_assumed_lengths(1u << c));
    }
    gw_smt_assert(q, Z3_mk_or(q->z, GW_COORDINATES, differ), 0);
    gw_smt_assert(
        q, Z3_mk_le(q->z, Z3_mk_mul(q->z, 3, volume), gw_smt_integer(q, bound ? bound : GW_MOST_THREADS)), 0);
}

static uint64_t add_cells(gw_smt_question *q, const gw_access *r, const gw_access *t) {
    uint64_t assumed = 0;
    for (uint32_t i = 0; i < r->count && i < t->count; i++) {
        if (r->index[i].poly.broken || t->index[i].poly.broken) continue;
        assumed |= r->index[i].assumed | t->index[i].assumed;
        gw_smt_assert(
            q,
            Z3_mk_eq(q->z, gw_smt_poly(q, &r->index[i].poly, false), gw_smt_poly(q, &t->index[i].poly, true)),
            0);
    }
    return assumed;
}

/* Everything that a launch or the caller chooses is small. */
static Z3_ast small_launch(gw_smt_question *q) {
    Z3_ast all = gw_smt_fresh(q, true);
    for (uint32_t i = 0; i < q->numbers.count; i++) {
        const gw_atom_data *d = gw_atom_at(q->n, q->numbers.at[i].atom);
        bool launch = d->kind == GW_ATOM_SPECIAL || d->kind == GW_ATOM_TRIP,
             free_value = d->kind == GW_ATOM_VALUE || d->kind == GW_ATOM_CELL;
        if (!launch && !free_value) continue;
        int64_t most = launch ? SMALL : SMALL_PARAMETER;
        Z3_ast x = q->numbers.at[i].is;
        Z3_ast within[2] = {Z3_mk_le(q->z, x, gw_smt_integer(q, most)),
                            Z3_mk_ge(q->z, x, gw_smt_integer(q, -most))};
        Z3_solver_assert(q->z, q->solver, Z3_mk_implies(q->z, all, Z3_mk_and(q->z, 2, within)));
    }
    return all;
}

/* ---- the answer ---- */
typedef struct answer {
    Z3_lbool is;
    uint64_t assumed; /* no: of the literals in the core */
    bool small;       /* no: only of small launches */
    bool late;        /* unknown: time was up */
    bool cut;         /* unknown: its steps were */
    uint64_t steps;
} answer;

static void read_core(gw_smt_question *q, Z3_ast small, answer *a) {
    Z3_ast_vector core = Z3_solver_get_unsat_core(q->z, q->solver);
    Z3_ast_vector_inc_ref(q->z, core);
    for (unsigned i = 0; i < Z3_ast_vector_size(q->z, core); i++) {
        Z3_ast is = Z3_ast_vector_get(q->z, core, i);
        a->small |= small && Z3_is_eq_ast(q->z, is, small);
        for (uint32_t k = 0; k < q->literals.count; k++)
            if (Z3_is_eq_ast(q->z, is, q->literals.at[k].is)) a->assumed |= q->literals.at[k].assumed;
    }
    Z3_ast_vector_dec_ref(q->z, core);
}

/* One hard question may take its whole budget, and leaves as much; what is asked behind it has room for easy
 * ones, as long as there is any. */
static uint64_t limit_of(const gw_smt *s, uint64_t left) {
    return left > s->budget ? s->budget : s->budget / LEAST + 1;
}

static void set_limit(gw_smt *s, gw_smt_question *q, uint64_t most) {
    Z3_params p = Z3_mk_params(q->z);
    Z3_params_inc_ref(q->z, p);
    Z3_params_set_uint(q->z, p, Z3_mk_string_symbol(q->z, "rlimit"), (unsigned)most);
    Z3_params_set_uint(q->z, p, Z3_mk_string_symbol(q->z, "timeout"), s->time);
    Z3_solver_set_params(q->z, q->solver, p);
    Z3_params_dec_ref(q->z, p);
}

/* What the last question took. */
static uint64_t steps_taken(gw_smt *s, gw_smt_question *q) {
    Z3_stats all = Z3_solver_get_statistics(q->z, q->solver);
    Z3_stats_inc_ref(q->z, all);
    uint64_t now = s->before;
    for (unsigned i = 0; i < Z3_stats_size(q->z, all); i++)
        if (strcmp(Z3_stats_get_key(q->z, all, i), "rlimit count") == 0)
            now = Z3_stats_get_uint_value(q->z, all, i);
    Z3_stats_dec_ref(q->z, all);
    const uint64_t taken = now > s->before ? now - s->before : s->budget;
    s->before = now;
    return taken;
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static answer check(gw_smt *s, gw_smt_question *q, Z3_ast small) {
    GW_VEC(Z3_ast) given = {0};
    answer a = {.is = Z3_L_UNDEF, .cut = true};
    if (gw_effort_is_spent(s->n->effort, GW_EFFORT_SOLVER)) return a;
    for (uint32_t i = 0; i < q->literals.count; i++)
        gw_push(&given, q->literals.at[i].is);
    if (small) gw_push(&given, small);
    const uint64_t most = limit_of(s, s->n->effort->left[GW_EFFORT_SOLVER]), start = nanoseconds();
    set_limit(s, q, most);
    a.is = Z3_solver_check_assumptions(q->z, q->solver, given.count, given.at);
    a.steps = steps_taken(s, q);
    a.late = a.is == Z3_L_UNDEF && a.steps < most && nanoseconds() - start >= (uint64_t)s->time * 1000000;
    a.cut = a.is == Z3_L_UNDEF && a.steps >= most;
    if (a.late || a.cut) a.steps = most; /* what is left does not depend on how far it came */
    gw_effort_take(s->n->effort, GW_EFFORT_SOLVER, a.steps);
    if (a.is == Z3_L_FALSE) read_core(q, small, &a);
    gw_vec_free(&given);
    return a;
}

/* ---- the witness ---- */
static bool value_in(gw_smt_question *q, Z3_model m, Z3_ast x, int64_t *value) {
    Z3_ast is;
    return Z3_model_eval(q->z, m, x, true, &is) && Z3_get_numeral_int64(q->z, is, value);
}

static void add_thread(gw_smt_question *q, Z3_model m, bool other, gw_text *out) {
    static const char *const names[] = {"blockIdx", "threadIdx"};
    for (uint32_t block = 0; block < 2; block++) {
        int64_t at[3] = {0};
        for (uint32_t axis = 0; axis < 3; axis++)
            value_in(q, m, coordinate(q, (block ? 0 : 3) + axis, other), &at[axis]);
        gw_text_addf(out, "%s%s (%lld, %lld, %lld)", block ? " " : "", names[block], (long long)at[0],
                     (long long)at[1], (long long)at[2]);
    }
}

static void add_dimensions(gw_smt_question *q, Z3_model m, gw_text *out) {
    for (uint32_t grid = 0; grid < 2; grid++) {
        int64_t of[3] = {1, 1, 1};
        for (uint32_t axis = 0; axis < 3; axis++)
            value_in(q, m, dimension(q, 3 * grid + axis), &of[axis]);
        gw_text_addf(out, "%s (%lld, %lld, %lld)", grid ? ", gridDim" : "blockDim", (long long)of[0],
                     (long long)of[1], (long long)of[2]);
    }
}

static void add_parameters(gw_smt_question *q, Z3_model m, gw_text *out) {
    for (uint32_t i = 0; i < q->numbers.count; i++) {
        gw_smt_number x = q->numbers.at[i];
        const gw_atom_data *d = gw_atom_at(q->n, x.atom);
        int64_t value;
        if (d->kind != GW_ATOM_VALUE || !d->uniform || gw_value_at(q->n->f, d->value)->op ||
            !value_in(q, m, x.is, &value))
            continue;
        gw_text_add(out, ", ");
        gw_index_text(q->n->f, d->value, out);
        gw_text_addf(out, " = %lld", (long long)value);
    }
}

/* "blockIdx (0, 0, 0) threadIdx (1, 0, 0) and blockIdx (1, 0, 0) threadIdx (0, 0, 0) at [1], with blockDim ...,
 * n = 2" */
static void add_witness(gw_smt_question *q, const gw_access *r, gw_text *out) {
    Z3_model m = Z3_solver_get_model(q->z, q->solver);
    if (!m) return;
    Z3_model_inc_ref(q->z, m);
    add_thread(q, m, false, out);
    gw_text_add(out, " and ");
    add_thread(q, m, true, out);
    gw_text_add(out, " at ");
    for (uint32_t i = 0; i < r->count; i++) {
        int64_t at = 0;
        bool known = !r->index[i].poly.broken && value_in(q, m, gw_smt_poly(q, &r->index[i].poly, false), &at);
        if (known)
            gw_text_addf(out, "[%lld]", (long long)at);
        else
            gw_text_add(out, "[...]");
    }
    gw_text_add(out, " with ");
    add_dimensions(q, m, out);
    add_parameters(q, m, out);
    Z3_model_dec_ref(q->z, m);
}

/* What a witness shows beside the numbers of the question. */
static void write_names(gw_smt_question *q, const gw_access *r, gw_text *out) {
    gw_text_addf(out, "%d\n", q->made_up);
    for (uint32_t i = 0; i < q->numbers.count; i++) {
        const gw_atom_data *d = gw_atom_at(q->n, q->numbers.at[i].atom);
        if (d->kind != GW_ATOM_VALUE || !d->uniform || gw_value_at(q->n->f, d->value)->op) continue;
        gw_text_addf(out, "%s ", Z3_ast_to_string(q->z, q->numbers.at[i].is));
        gw_index_text(q->n->f, d->value, out);
        gw_text_add(out, "\n");
    }
    for (uint32_t i = 0; i < r->count; i++)
        gw_text_addf(
            out, "[%s]\n",
            r->index[i].poly.broken ? "" : Z3_ast_to_string(q->z, gw_smt_poly(q, &r->index[i].poly, false)));
}

/* Everything that the answer depends on but the steps that are left. */
static void write_question(gw_smt *s, gw_smt_question *q, const gw_access *r, Z3_ast small, gw_text *out) {
    gw_text_addf(out, "%s\n%" PRIu64 " %" PRIu32 "\n", Z3_get_full_version(), s->budget, s->time);
    Z3_set_ast_print_mode(q->z, Z3_PRINT_LOW_LEVEL);
    for (uint32_t i = 0; i < q->literals.count; i++)
        gw_text_addf(out, "%" PRIu64 " %s\n", q->literals.at[i].assumed,
                     Z3_ast_to_string(q->z, q->literals.at[i].is));
    gw_text_addf(out, "%s\n", Z3_ast_to_string(q->z, small));
    gw_text_add(out, Z3_ast_vector_to_string(q->z, Z3_solver_get_assertions(q->z, q->solver)));
    write_names(q, r, out);
}

static void note(gw_smt_kept *kept, const answer *a) {
    kept->steps[kept->checks] = a->steps;
    kept->cut |= a->cut;
    kept->checks++;
}

static void solve(gw_smt *s, gw_smt_question *q, const gw_access *r, Z3_ast small, gw_smt_kept *kept,
                  gw_text *witness) {
    answer a = check(s, q, small);
    *kept = (gw_smt_kept){.found = GW_SMT_UNKNOWN};
    note(kept, &a);
    if (a.is == Z3_L_TRUE) {
        kept->found = GW_SMT_MEET;
        if (!q->made_up) add_witness(q, r, witness);
        return;
    }
    if (a.is == Z3_L_FALSE && a.small) {
        a = check(s, q, NULL);
        note(kept, &a);
    }
    kept->assumed = a.assumed;
    if (a.is == Z3_L_FALSE && !a.small) kept->found = GW_SMT_NEVER;
    else if (a.late) kept->found = GW_SMT_LATE;
}

/* What would come of the question with the steps that are left now, which it takes; false: it has to be asked
 * again. */
static bool replay(gw_smt *s, gw_smt_kept *kept) {
    uint64_t *left = &s->n->effort->left[GW_EFFORT_SOLVER], before = *left;
    for (uint32_t i = 0; i < kept->checks; i++) {
        const uint64_t most = limit_of(s, *left), steps = kept->steps[i], near = steps / NEAR;
        const bool was_cut = kept->cut && i + 1 == kept->checks;
        const bool cut = was_cut ? most <= steps : steps > most + near;
        if (!cut && (was_cut || steps + near > most || !*left)) {
            *left = before;
            return false;
        }
        gw_effort_take(s->n->effort, GW_EFFORT_SOLVER, cut ? most : steps);
        if (!cut) continue;
        kept->found = GW_SMT_UNKNOWN;
        break;
    }
    return true;
}

/* The answer that is kept, or a new one, which then is kept unless it depends on the clock. */
static asked find(gw_smt *s, gw_smt_question *q, const gw_access *r, Z3_ast small, const char *question) {
    const char *folder = s->n->f->session->options.smt_cache;
    gw_smt_kept kept = {0};
    gw_text witness = {0}, none = {0};
    if (!gw_smt_cache_read(folder, question, &kept, &witness) || !replay(s, &kept)) {
        gw_text_free(&witness);
        witness = none;
        solve(s, q, r, small, &kept, &witness);
        if (kept.found != GW_SMT_LATE)
            gw_smt_cache_write(folder, question, &kept, witness.at ? witness.at : "");
    }
    const char *shown = kept.found == GW_SMT_MEET && witness.at ? witness.at : "";
    const asked a = {gw_intern(s->n->f->session, question), gw_strdup(shown), kept.found, kept.assumed};
    gw_text_free(&witness);
    return a;
}

/* What this solver was asked before takes nothing: with no more steps than then, it finds no more. */
static gw_smt_answer look_up(gw_smt *s, gw_smt_question *q, const gw_access *r, Z3_ast small, uint64_t *assumed,
                             gw_text *witness) {
    gw_text question = {0};
    uint32_t i = 0;
    write_question(s, q, r, small, &question);
    const gw_str interned = gw_intern(s->n->f->session, question.at);
    while (i < s->asked.count && s->asked.at[i].question != interned) i++;
    if (i == s->asked.count) gw_push(&s->asked, find(s, q, r, small, question.at));
    const asked *a = &s->asked.at[i];
    if (*a->witness) gw_text_add(witness, a->witness);
    *assumed = a->assumed;
    gw_text_free(&question);
    return a->found;
}

gw_smt_answer gw_smt_ask(gw_smt *s, const gw_access *r, const gw_access *t, uint32_t one_long,
                         uint64_t *assumed, gw_text *witness) {
    gw_smt_question q;
    if (gw_effort_is_spent(s->n->effort, GW_EFFORT_SOLVER)) return GW_SMT_UNKNOWN;
    start(s, &q);
    uint64_t needs = add_cells(&q, r, t), used = 0;
    add_context(&q, r, false);
    add_context(&q, t, true);
    add_launch(&q, one_long, r->one_block);
    for (uint32_t i = 0; i < r->alike_count; i++)
        gw_smt_assert(
            &q, Z3_mk_eq(q.z, gw_smt_atom(&q, r->alike[i], false), gw_smt_atom(&q, r->alike[i], true)), 0);
    add_assumptions(&q);
    const gw_smt_answer found = look_up(s, &q, r, small_launch(&q), &used, witness);
    if (found == GW_SMT_NEVER) *assumed |= needs | used;
    end(&q);
    return found;
}
