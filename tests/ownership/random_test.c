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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCHES = 5, THREADS_MOST = 72, POOL_MOST = 64, FLOOR_PERCENT = 50 };

/* ---- random numbers ---- */
static uint64_t state;
static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}
static bool chance(uint32_t percent) { return draw(100) < percent; }

/* ---- random kernels ---- */
static uint64_t case_seed;
static V pool[POOL_MOST]; /* quantities that threads differ in, as kernels compute them */
static uint32_t pooled;

static void put(V v) {
    if (pooled < POOL_MOST) pool[pooled++] = v;
}
static V varying(void) { return pool[chance(60) && pooled > 6 ? pooled - 1 - draw(6) : draw(pooled)]; }

static const int64_t constants[] = {0, 1, 1, 2, 2, 3, 4, 5, 8, 16, 100, 255, 4096, 65536, 1 << 30};
static V constant(kernel *k, uint32_t small) {
    return num(k, constants[draw(small ? 9 : sizeof constants / sizeof *constants)]);
}

static V uniform(kernel *k) {
    unsigned axis = draw(2);
    switch (draw(12)) {
    case 0:
        return k->n;
    case 1:
    case 2:
        return k->w;
    case 3:
        return k->h;
    case 4:
        return k->k;
    case 5:
        return k->m;
    case 6:
        return block_dim(k, axis);
    case 7:
        return grid_dim(k, axis);
    case 8:
        return mul(k, grid_dim(k, axis), block_dim(k, axis));
    case 9:
        return as(k, GW_T_I32, mul(k, grid_dim(k, 0), block_dim(k, 0)));
    case 10:
        return add(k, chance(50) ? k->w : k->k, constant(k, 1));
    default:
        return constant(k, 1);
    }
}

static const gw_type integer_types[] = {GW_T_I8,  GW_T_U8,  GW_T_I16, GW_T_U16, GW_T_I32, GW_T_I32,
                                        GW_T_U32, GW_T_U32, GW_T_I64, GW_T_I64, GW_T_U64};

static V arithmetic(kernel *k, V a) {
    static const gw_opcode with_constant[] = {GW_OP_SHR, GW_OP_SHL};
    static const gw_opcode odd[] = {GW_OP_XOR, GW_OP_OR, GW_OP_AND, GW_OP_IMAX, GW_OP_IMIN};
    switch (draw(12)) {
    case 0:
        return add(k, a, uniform(k));
    case 1:
        return sub(k, chance(50) ? uniform(k) : a, varying());
    case 2:
        return mul(k, a, uniform(k));
    case 3:
        return mul(k, a, constant(k, 0));
    case 4:
        return quo(k, a, uniform(k));
    case 5:
        return rem_(k, a, uniform(k));
    case 6:
        return op2(k, GW_OP_AND, a, num(k, (1 << draw(6)) - 1));
    case 7:
        return op2(k, with_constant[draw(2)], a, num(k, draw(4)));
    case 8:
        return as(k, integer_types[draw(sizeof integer_types / sizeof *integer_types)], a);
    case 9:
        return op2(k, odd[draw(5)], a, chance(50) ? uniform(k) : varying());
    case 10:
        return list_at(k, a);
    default:
        return add(k, a, varying());
    }
}

/* Forms that kernels really use, and their near misses. */
static V index_form(kernel *k) {
    V a = varying(), b = varying(), s = uniform(k);
    switch (draw(12)) {
    case 0:
        return a;
    case 1:
    case 2:
    case 3:
        return add(k, mul(k, a, s), b);
    case 4:
        return add(k, a, mul(k, s, b));
    case 5:
        return sub(k, sub(k, s, num(k, 1)), a);
    case 6:
        return add(k, mul(k, add(k, mul(k, a, s), b), uniform(k)), varying());
    case 7:
        return add(k, mul(k, quo(k, a, s), s), rem_(k, a, chance(80) ? s : uniform(k)));
    case 8:
        return add(k, mul(k, rem_(k, a, s), uniform(k)), quo(k, a, s));
    case 9:
        return add(k, mul(k, a, constant(k, 1)), constant(k, 1));
    case 10:
        return add(k, a, constant(k, 1));
    default:
        return arithmetic(k, arithmetic(k, a));
    }
}

static V condition(kernel *k) {
    static const gw_opcode codes[] = {GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LE,
                                      GW_OP_GE, GW_OP_GT, GW_OP_EQ, GW_OP_NE};
    V a = varying(), b = chance(85) ? uniform(k) : varying();
    V c = chance(15) ? op2(k, codes[draw(9)], b, a) : op2(k, codes[draw(9)], a, b);
    if (chance(10)) c = gw_unary(&k->b, GW_OP_NOT, c);
    if (chance(40)) c = op2(k, chance(85) ? GW_OP_AND : GW_OP_OR, c, condition(k));
    return c;
}

static V loop(kernel *k) {
    static const gw_opcode up[] = {GW_OP_LT, GW_OP_LT, GW_OP_LT, GW_OP_LE}, down[] = {GW_OP_GE, GW_OP_GT};
    gw_type t = chance(75) ? GW_T_I32 : chance(50) ? GW_T_U32 : GW_T_I64;
    V lo = chance(60) ? num(k, draw(2)) : varying(), hi = chance(85) ? uniform(k) : varying();
    V step = chance(60) ? num(k, 1) : uniform(k);
    bool falling = chance(20);
    if (falling) {
        V swap = lo;
        lo = sub(k, hi, num(k, draw(2))), hi = swap, step = num(k, -1 - (int64_t)draw(2));
    }
    return begin_for(k, as(k, t, lo), as(k, t, hi), as(k, t, step), falling ? down[draw(2)] : up[draw(4)]);
}

static V related(kernel *k, V index) {
    switch (draw(5)) {
    case 0:
        return add(k, index, constant(k, 1));
    case 1:
        return add(k, index, uniform(k));
    case 2:
        return mul(k, index, num(k, 2));
    default:
        return index;
    }
}

static void touch(kernel *k) {
    static const char *const one[] = {"[]", "[].a", "[].b"};
    V index = index_form(k);
    bool structs = chance(20);
    for (uint32_t i = 1 + draw(2) * draw(3); i > 0; i--) {
        if (!structs)
            use(k, index);
        else if (chance(60))
            use2(k, one[1 + draw(2)], index, 0);
        else
            use2(k, "[].v[]", index, chance(50) ? num(k, draw(4)) : op2(k, GW_OP_AND, varying(), num(k, 3)));
        index = related(k, index);
    }
}

static void write_y(kernel *k) {
    V index = chance(50) ? index_form(k) : list_at(k, varying());
    if (chance(50)) use_y(k, index);
    define(k, index);
    if (chance(20)) use_y(k, related(k, index));
}

static void statements(kernel *k, int depth) {
    uint32_t mark = pooled;
    for (uint32_t i = draw(3); i > 0; i--)
        put(chance(70) ? varying() : arithmetic(k, varying()));
    uint32_t choice = depth == 0 ? 9 : draw(10);
    if (choice < 5) {
        begin_if(k, condition(k));
        statements(k, depth - 1);
        if (chance(20)) otherwise(k), statements(k, depth - 1);
        end_if(k);
    } else if (choice < 7) {
        put(loop(k));
        statements(k, depth - 1);
        end_for(k);
    }
    if (choice >= 7 || chance(15)) chance(80) ? touch(k) : write_y(k);
    pooled = mark;
}

static void random_body(kernel *k) {
    state = case_seed;
    pooled = 0;
    uint32_t axes = 1 + draw(2) + (draw(8) == 0);
    for (unsigned a = 0; a < axes; a++) {
        put(thread_idx(k, a));
        put(block_idx(k, a));
        put(add(k, mul(k, block_idx(k, a), block_dim(k, a)), thread_idx(k, a)));
        put(linear(k, a, "i"));
        put(linear(k, chance(85) ? a : draw(3), "i"));
    }
    if (chance(10)) put(add(k, thread_idx(k, 0), mul(k, block_idx(k, 1), block_dim(k, draw(3)))));
    if (chance(10)) put(as(k, GW_T_I64, pool[2]));
    statements(k, 3);
}

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
    for (int i = 0; i < LAUNCHES && good; i++) {
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
