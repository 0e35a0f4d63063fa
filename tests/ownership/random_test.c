/*
 * random_test.c - the adversary of the ownership pass: random kernels, each run thread by thread on small
 * launches. Whenever the pass calls a reference plain, the launch keeps what <f>_check asks for, the primal's
 * arithmetic is defined and the primal itself has no race, no other thread may reach a cell of it.
 *
 *   random_test [cases [seed]]
 *
 * The default seed is fixed; a second, fresh one is used for a tenth of the cases and printed on failure.
 * The share of references that never met another thread and were proved is printed, and has a floor: a pass
 * that proves nothing would be sound too.
 */
#include "evaluator.h"
#include "kernel.h"
#include "random_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCHES = 12, THREADS_MOST = 64, FLOOR_PERCENT = 40 };

/* ---- running every thread ---- */
typedef struct touch_record {
    int64_t index[2];
    gw_object object;
    gw_str path;
    gw_op op;
    uint32_t thread;
    bool write;
} touch_record;

typedef struct trace {
    const gw_func *f;
    uint32_t thread;
    GW_VEC(touch_record) all;
} trace;

static void record(void *context, gw_op op, const int64_t *index, uint32_t count) {
    trace *t = context;
    const gw_op_data *o = gw_op_at(t->f, op);
    if (gw_object_at(t->f, o->object)->type == GW_T_I32) return; /* list */
    touch_record r = {
        .object = o->object, .path = o->path, .op = op, .thread = t->thread, .write = o->code != GW_OP_LOAD};
    for (uint32_t i = 0; i < count && i < 2; i++)
        r.index[i] = index[i];
    gw_push(&t->all, r);
}

static int by_cell(const void *x, const void *y) {
    const touch_record *a = x, *b = y;
    if (a->object != b->object) return a->object < b->object ? -1 : 1;
    if (a->path != b->path) return a->path < b->path ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a->index[i] != b->index[i]) return a->index[i] < b->index[i] ? -1 : 1;
    return 0;
}

/* All threads of the launch; false if it is undefined somewhere. */
static bool run_all(trace *t, evaluation *e, launch *at) {
    uint32_t *i = at->dim[GW_THREAD_IDX], *b = at->dim[GW_BLOCK_IDX];
    const uint32_t *block = at->dim[GW_BLOCK_DIM], *grid = at->dim[GW_GRID_DIM];
    t->all.count = 0;
    t->thread = 0;
    for (b[2] = 0; b[2] < grid[2]; b[2]++)
        for (b[1] = 0; b[1] < grid[1]; b[1]++)
            for (b[0] = 0; b[0] < grid[0]; b[0]++)
                for (i[2] = 0; i[2] < block[2]; i[2]++)
                    for (i[1] = 0; i[1] < block[1]; i[1]++)
                        for (i[0] = 0; i[0] < block[0]; i[0]++, t->thread++)
                            if (!evaluate(e)) return false;
    if (t->all.count) qsort(t->all.at, t->all.count, sizeof *t->all.at, by_cell);
    return true;
}

/* Marks ops that reach a cell which another thread reaches too, one of both writing. */
static void mark_meetings(const trace *t, bool *meets) {
    for (uint32_t i = 0, end; i < t->all.count; i = end) {
        bool several = false, writes = false;
        for (end = i; end < t->all.count && by_cell(&t->all.at[i], &t->all.at[end]) == 0; end++) {
            several |= t->all.at[end].thread != t->all.at[i].thread;
            writes |= t->all.at[end].write;
        }
        for (uint32_t at = i; several && writes && at < end; at++)
            meets[t->all.at[at].op] = true;
    }
}

/* ---- launches ---- */
static uint32_t length(uint32_t most) { return chance(35) ? 1 : 1 + draw(most); }

static void random_launch(launch *at) {
    uint32_t (*d)[3] = at->dim;
    do {
        for (int a = 0; a < 3; a++) {
            d[GW_BLOCK_DIM][a] = a && chance(50) ? 1 : length(a ? 3 : 6);
            d[GW_GRID_DIM][a] = a && chance(50) ? 1 : length(a ? 3 : 4);
        }
    } while (d[3][0] * d[3][1] * d[3][2] * d[2][0] * d[2][1] * d[2][2] > THREADS_MOST);
    for (int i = 0; i < 5; i++) {
        at->params[i] = chance(8) ? -1 - (int64_t)draw(3) : draw(10);
        if (chance(25)) at->params[i] = d[2][i & 1] * d[3][i & 1];
    }
    if (at->params[4] < 0 || chance(10)) at->params[4] = chance(50) ? (int64_t)1 << (28 + draw(4)) : 4294967295;
    if (chance(5)) at->params[draw(4)] = chance(50) ? 2147483647 : 1 << 30;
    uint32_t kind = draw(3);
    for (uint32_t i = 0; i < 64; i++)
        at->list[i] = kind == 0 ? i : kind == 1 ? 63 - i : draw(64);
}

static bool kept(kernel *k, launch *at) {
    const gw_func *check = kernel_check(k);
    if (!check) return true;
    evaluation e = {.f = check, .at = at};
    bool holds = evaluate(&e);
    for (uint32_t i = 0; holds && i < check->assumptions.count; i++)
        holds = evaluation_result(&e, i) != 0;
    evaluation_free(&e);
    return holds;
}

/* ---- one case ---- */
static uint64_t owned, proved, refused, launches_run, plain_checked;

static void report(kernel *k, const launch *at, gw_op op) {
    gw_text text = {0};
    gw_print_func(k->grad, &text);
    printf("FAIL case seed %llu: two threads meet at a plain reference\n%s\n%s\n",
           (unsigned long long)case_seed, gw_cstr(k->s, gw_op_at(k->grad, op)->note), text.at);
    printf("block %u %u %u, grid %u %u %u, n w h k m = %lld %lld %lld %lld %lld\n", at->dim[2][0],
           at->dim[2][1], at->dim[2][2], at->dim[3][0], at->dim[3][1], at->dim[3][2], (long long)at->params[0],
           (long long)at->params[1], (long long)at->params[2], (long long)at->params[3],
           (long long)at->params[4]);
    gw_text_free(&text);
}

static bool check_launch(kernel *k, bool *ever, evaluation *primal, evaluation *grad, trace *of_primal,
                         trace *of_grad, launch *at) {
    bool *race = gw_alloc(k->primal->ops.count), *meets = gw_alloc(k->grad->ops.count);
    bool good = true;
    if (run_all(of_primal, primal, at)) {
        bool racy = false;
        mark_meetings(of_primal, race);
        for (gw_op op = 0; op < k->primal->ops.count; op++)
            racy |= race[op];
        if (!racy && run_all(of_grad, grad, at)) {
            mark_meetings(of_grad, meets);
            bool checked = kept(k, at);
            launches_run++;
            for (uint32_t i = 0; i < k->refs.count && good; i++) {
                gw_op op = k->refs.at[i];
                ever[i] |= meets[op];
                plain_checked += checked && gw_op_at(k->grad, op)->attr == GW_ACCUMULATE_PLAIN;
                good = !checked || !meets[op] || gw_op_at(k->grad, op)->attr != GW_ACCUMULATE_PLAIN;
                if (!good) report(k, at, op);
            }
        }
    }
    free(race);
    free(meets);
    return good;
}

static bool any_plain(const kernel *k) {
    for (uint32_t i = 0; i < k->refs.count; i++)
        if (gw_op_at(k->grad, k->refs.at[i])->attr == GW_ACCUMULATE_PLAIN) return true;
    return false;
}

static bool check_case(uint64_t seed) {
    kernel k;
    bool good = true;
    case_seed = seed;
    kernel_build(&k, random_body);
    if (!kernel_decide(&k)) {
        refused++;
        kernel_free(&k);
        return true;
    }
    bool *ever = gw_alloc(k.refs.count + 1);
    launch at = {0};
    trace of_primal = {.f = k.primal}, of_grad = {.f = k.grad};
    evaluation primal = {.f = k.primal, .at = &at, .access = record, .context = &of_primal};
    evaluation grad = {.f = k.grad, .at = &at, .access = record, .context = &of_grad};
    int runs = any_plain(&k) ? LAUNCHES : 2;
    for (int i = 0; i < runs && good; i++) {
        random_launch(&at);
        good = check_launch(&k, ever, &primal, &grad, &of_primal, &of_grad, &at);
    }
    for (uint32_t i = 0; i < k.refs.count; i++) {
        owned += !ever[i];
        proved += !ever[i] && gw_op_at(k.grad, k.refs.at[i])->attr == GW_ACCUMULATE_PLAIN;
    }
    free(ever);
    evaluation_free(&primal);
    evaluation_free(&grad);
    gw_vec_free(&of_primal.all);
    gw_vec_free(&of_grad.all);
    kernel_free(&k);
    return good;
}

static bool check_cases(uint64_t seed, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (!check_case(seed * 1000003 + i)) {
            printf("seed %llu, case %llu\n", (unsigned long long)seed, (unsigned long long)i);
            return false;
        }
    return true;
}

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool good = check_cases(seed, count) && (argc > 2 || check_cases((uint64_t)time(NULL), count / 10));
    uint64_t percent = owned ? proved * 100 / owned : 0;
    printf("%llu launches, %llu plain references checked; of %llu that met nobody %llu proved (%llu %%); %llu "
           "refused\n",
           (unsigned long long)launches_run, (unsigned long long)plain_checked, (unsigned long long)owned,
           (unsigned long long)proved, (unsigned long long)percent, (unsigned long long)refused);
    return !good || percent < FLOOR_PERCENT;
}
