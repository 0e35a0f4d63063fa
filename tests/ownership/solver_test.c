/*
 * solver_test.c - what only the solver proves, what it must not, and that its witnesses are witnesses: the
 * launch that one names is run thread by thread, and its two threads must both be at its cell.
 *
 * Without a solver in the build nothing more is proved; then that is what is tested.
 */
#include "analysis/ir/rungs.h"
#include "enumerate.h"
#include "kernel.h"
#include "analysis/prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool ok, const char *name, const char *what) {
    if (ok) return;
    failures++;
    printf("FAIL %s: %s\n", name, what);
}

/* ---- never owned ---- */
static void stencil(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, i), use(k, add(k, i, num(k, 1)));
}
static void half(kernel *k) { use(k, quo(k, linear(k, 0, "i"), num(k, 2))); }
static void modulo(kernel *k) {
    begin_if(k, lt(k, num(k, 0), k->n));
    use(k, rem_(k, linear(k, 0, "i"), k->n));
    end_if(k);
}
static void both_ends(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, lt(k, i, k->n));
    use(k, i), use(k, sub(k, sub(k, k->n, num(k, 1)), i));
    end_if(k);
}
static void even_and_next(kernel *k) {
    V i = linear(k, 0, "i");
    use(k, mul(k, num(k, 2), i)), use(k, add(k, i, num(k, 1)));
}
static void rows_overlap(kernel *k) {
    V x = linear(k, 0, "x"), y = linear(k, 1, "y");
    begin_if(k, both(k, op2(k, GW_OP_LE, x, k->w), lt(k, y, k->h)));
    use(k, add(k, mul(k, y, k->w), x));
    end_if(k);
}
static void threads_of_three(kernel *k, int64_t rest) { /* every third thread and its neighbours */
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_EQ, rem_(k, i, num(k, 3)), num(k, rest)));
    use(k, i), use(k, add(k, i, num(k, 1))), use(k, add(k, i, num(k, 3)));
    end_if(k);
}
static void one_too_far(kernel *k) { threads_of_three(k, 1); }
static void narrow(kernel *k) { use(k, as(k, GW_T_U8, mul(k, linear(k, 0, "i"), num(k, 64)))); }
static void not_equal(kernel *k) { /* "is not" tells nothing about two threads that both are not */
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_NE, i, num(k, 3)));
    use(k, quo(k, i, num(k, 2)));
    end_if(k);
}

/* ---- owned, and only the solver says so ---- */
static void even_threads(kernel *k) {
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_EQ, rem_(k, i, num(k, 2)), num(k, 0)));
    use(k, i), use(k, add(k, i, num(k, 1)));
    end_if(k);
}
static void lower_of_pair(kernel *k) {
    V i = linear(k, 0, "i"), partner = op2(k, GW_OP_XOR, i, num(k, 4));
    begin_if(k, op2(k, GW_OP_GT, partner, i));
    use(k, i), use(k, partner);
    end_if(k);
}
static void thirds(kernel *k) { /* every third thread and the two behind it */
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_EQ, rem_(k, i, num(k, 3)), num(k, 0)));
    use(k, i), use(k, add(k, i, num(k, 1))), use(k, add(k, i, num(k, 2)));
    end_if(k);
}
static void either_side(kernel *k) { /* i < 4 || i > 9: x[i], else the cells between */
    V i = linear(k, 0, "i");
    begin_if(k, op2(k, GW_OP_OR, lt(k, i, num(k, 4)), op2(k, GW_OP_GT, i, num(k, 9))));
    use(k, i);
    otherwise(k);
    use(k, sub(k, num(k, 13), i));
    end_if(k);
}

typedef struct solver_case {
    const char *name;
    void (*body)(kernel *k);
    bool owned;
} solver_case;
static const solver_case cases[] = {{"stencil", stencil, false},
                                    {"half", half, false},
                                    {"modulo", modulo, false},
                                    {"both ends", both_ends, false},
                                    {"even and next", even_and_next, false},
                                    {"rows overlap", rows_overlap, false},
                                    {"one too far", one_too_far, false},
                                    {"narrow", narrow, false},
                                    {"not equal", not_equal, false},
                                    {"even threads", even_threads, true},
                                    {"lower of a pair", lower_of_pair, true},
                                    {"thirds", thirds, true},
                                    {"either side", either_side, true}};

static bool all_plain(const kernel *k) {
    for (uint32_t i = 0; i < k->refs.count; i++)
        if (gw_op_at(k->grad, k->refs.at[i])->attr != GW_ACCUMULATE_PLAIN) return false;
    return true;
}

static bool decided_plain(const solver_case *c, bool off) {
    kernel k;
    kernel_build(&k, c->body);
    k.s->options.smt_off = off;
    bool plain = kernel_decide(&k) && all_plain(&k);
    kernel_free(&k);
    return plain;
}

/* ---- witnesses ---- */
static bool read_three(const char **text, const char *name, uint32_t *to) {
    int read = 0;
    const char *at = strstr(*text, name);
    if (!at || sscanf(at + strlen(name), " (%u, %u, %u)%n", &to[0], &to[1], &to[2], &read) != 3) return false;
    *text = at + strlen(name) + read;
    return true;
}

static int64_t parameter(const char *text, const char *name) {
    char *pattern = gw_format(", %s = ", name);
    const char *at = strstr(text, pattern);
    int64_t value = at ? strtoll(at + strlen(pattern), NULL, 10) : 1;
    free(pattern);
    return value;
}

static uint32_t number(const uint32_t thread[3], const uint32_t block[3], const launch *at) {
    const uint32_t *d = at->dim[GW_BLOCK_DIM], *g = at->dim[GW_GRID_DIM];
    return ((block[2] * g[1] + block[1]) * g[0] + block[0]) * d[0] * d[1] * d[2] +
           (thread[2] * d[1] + thread[1]) * d[0] + thread[0];
}

static void check_witness(const solver_case *c, const kernel *k, const char *text) {
    launch at = {0};
    uint32_t thread[2][3], block[2][3], found = 0;
    const char *rest = text;
    bool read = true;
    for (int i = 0; i < 2; i++)
        read = read && read_three(&rest, "blockIdx", block[i]) && read_three(&rest, "threadIdx", thread[i]);
    const char *cell = strstr(rest, "[");
    int64_t index = cell ? strtoll(cell + 1, NULL, 10) : -1;
    read = read && read_three(&rest, "blockDim", at.dim[GW_BLOCK_DIM]) &&
           read_three(&rest, "gridDim", at.dim[GW_GRID_DIM]);
    expect(read, c->name, text);
    if (!read) return;
    for (int i = 0; i < 5; i++)
        at.params[i] = parameter(text, (const char *const[]){"n", "w", "h", "k", "m"}[i]);
    uint32_t of[2] = {number(thread[0], block[0], &at), number(thread[1], block[1], &at)};
    uint8_t *meets = gw_alloc(k->grad->ops.count);
    trace t;
    trace_start(&t, k->grad, &at);
    expect(enumerate(&t, &at, meets), c->name, "the witness's launch is undefined");
    for (uint32_t i = 0; i < t.all.count; i++)
        for (uint32_t which = 0; which < 2; which++)
            if (t.all.at[i].thread == of[which] && t.all.at[i].index[0] == index) found |= 1u << which;
    expect(of[0] != of[1] && found == 3, c->name, text);
    trace_end(&t);
    free(meets);
}

static void check_case(const solver_case *c) {
    expect(!decided_plain(c, true), c->name, "proved without the solver: it is no test of it");
    expect(decided_plain(c, false) == (c->owned && gw_smt_is_built_in()), c->name,
           c->owned ? "not proved" : "called owned");
    kernel k;
    kernel_build(&k, c->body);
    k.s->options.smt_budget = 200; /* an example of rows that overlap takes 120 to 200 */
    kernel_decide(&k);
    for (uint32_t i = 0; i < k.refs.count && !c->owned && gw_smt_is_built_in(); i++) {
        const gw_op_data *o = gw_op_at(k.grad, k.refs.at[i]);
        const gw_decision *d = &k.s->decisions.at[o->decision];
        if (o->attr != GW_ACCUMULATE_ATOMIC) continue;
        expect(d->witness != 0, c->name, "no witness");
        if (d->witness) check_witness(c, &k, gw_cstr(k.s, d->witness));
    }
    kernel_free(&k);
}

/* The same question with the same budget has the same answer; one that is too small for an answer proves
 * nothing. */
static void check_budget(void) {
    kernel k;
    kernel_build(&k, thirds);
    k.s->options.smt_budget = 1;
    expect(kernel_decide(&k) && !all_plain(&k), "budget of 1", "proved");
    kernel_free(&k);
}

int main(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
    check_budget();
    printf("%zu kernels, solver %s, %d failures\n", sizeof cases / sizeof *cases,
           gw_smt_is_built_in() ? "built in" : "not built in", failures);
    return failures != 0;
}
