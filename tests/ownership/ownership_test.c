/*
 * ownership_test.c - what the pass decides on the kernels of cases.c, with the reasons given; what is assumed
 * about the launch; and what is an error.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/rungs.h"
#include "cases.h"
#include "evaluator.h"
#include "analysis/facts/facts.h"
#include "analysis/prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static char decision(const gw_func *f, gw_op ref) {
    uint16_t how = gw_op_at(f, ref)->attr;
    return how == GW_ACCUMULATE_ATOMIC ? "abw"[gw_exclusive_to(f, ref)] : "-pal"[how];
}

static void check_case(size_t c) {
    kernel k;
    char decided[16] = {0};
    kernel_build(&k, ownership_cases[c].body);
    k.s->options.without = (uint64_t)1 << GW_OPTIONAL_STRIDES; /* an addition has one form */
    bool good = kernel_decide(&k);
    for (uint32_t i = 0; i < k.refs.count; i++)
        decided[i] = decision(k.grad, k.refs.at[i]);
    const char *note = kernel_note(&k, k.refs.count - 1);
    bool expected = good && strcmp(decided, ownership_cases[c].decisions) == 0;
    if (!expected || !strstr(note, ownership_cases[c].reason)) {
        failures++;
        printf("FAIL %s: %s, expected %s; %s\n", ownership_cases[c].name, decided, ownership_cases[c].decisions,
               note);
    }
    kernel_free(&k);
}

/* ---- the launch check ---- */
typedef struct launch_case {
    const char *name;
    void (*body)(kernel *k);
    uint32_t block[3], grid[3];
    int64_t n, w, h, k, m;
    bool holds;
} launch_case;

static const launch_case launches[] = {
    {"1-D", case_map, {256, 1, 1}, {1000, 1, 1}, 0, 0, 0, 0, 0, true},
    {"exactly 2^31 threads", case_map, {1024, 1, 1}, {1u << 21, 1, 1}, 0, 0, 0, 0, 0, true},
    {"one block beyond int", case_map, {1024, 1, 1}, {(1u << 21) + 1, 1, 1}, 0, 0, 0, 0, 0, false},
    {"grid in y", case_map, {256, 1, 1}, {10, 2, 1}, 0, 0, 0, 0, 0, false},
    {"grid in z", case_map, {256, 1, 1}, {10, 1, 2}, 0, 0, 0, 0, 0, false},
    {"block in y", case_map, {32, 2, 1}, {10, 1, 1}, 0, 0, 0, 0, 0, false},
    {"block in z", case_map, {32, 1, 2}, {10, 1, 1}, 0, 0, 0, 0, 0, false},
    {"2-D", case_rows, {16, 16, 1}, {10, 10, 1}, 0, 100, 100, 0, 0, true},
    {"2-D in z", case_rows, {16, 16, 1}, {10, 10, 2}, 0, 100, 100, 0, 0, false},
    {"unsigned fits", case_unsigned_rows, {16, 16, 1}, {10, 10, 1}, 0, 0, 65535, 0, 65536, true},
    {"unsigned wraps", case_unsigned_rows, {16, 16, 1}, {10, 10, 1}, 0, 0, 65537, 0, 65536, false},
    {"negative height", case_unsigned_rows, {16, 16, 1}, {10, 10, 1}, 0, 0, -1, 0, 1, false},
    {"stride of 2^31", case_grid_stride, {1024, 1, 1}, {1u << 21, 1, 1}, 9, 0, 0, 0, 0, false},
    {"stride below 2^31", case_grid_stride, {1023, 1, 1}, {1u << 21, 1, 1}, 9, 0, 0, 0, 0, true},
    {"2^32 unsigned threads", case_one_of_two, {1024, 1, 1}, {1u << 22, 1, 1}, 0, 0, 0, 0, 0, true},
    {"beyond unsigned", case_one_of_two, {1024, 1, 1}, {(1u << 22) + 1, 1, 1}, 0, 0, 0, 0, 0, false},
    {"64-bit ids never overflow", case_long_index, {1024, 1, 1}, {2147483647, 1, 1}, 0, 0, 0, 0, 0, true},
};

static void check_launch(const launch_case *c) {
    kernel k;
    kernel_build(&k, c->body);
    bool good = kernel_decide(&k);
    const gw_func *check = kernel_check(&k);
    launch at = {.params = {c->n, c->w, c->h, c->k, c->m}};
    memcpy(at.dim[GW_BLOCK_DIM], c->block, sizeof c->block);
    memcpy(at.dim[GW_GRID_DIM], c->grid, sizeof c->grid);
    evaluation e = {.f = check, .at = &at};
    bool holds = check != NULL && evaluate(&e);
    for (uint32_t i = 0; holds && i < check->assumptions.count; i++)
        holds = evaluation_result(&e, i) != 0;
    if (!good || !check || holds != c->holds) {
        failures++;
        printf("FAIL launch %s: %s\n", c->name, check ? holds ? "accepted" : "refused" : "no check");
    }
    evaluation_free(&e);
    kernel_free(&k);
}

static void expect(bool ok, const char *what) {
    if (ok) return;
    failures++;
    printf("FAIL %s\n", what);
}

/* What is not needed is not assumed: 2-D kernels say nothing about y, 64-bit ones nothing about overflow. */
static void check_texts(void) {
    kernel k;
    kernel_build(&k, case_map);
    kernel_decide(&k);
    const gw_func *check = kernel_check(&k);
    expect(check && check->assumptions.count == 5, "map assumes four lengths and no overflow");
    if (check && check->assumptions.count == 5)
        expect(strstr(gw_cstr(k.s, check->assumptions.at[4].condition),
                      "gridDim.x * blockDim.x <= 2147483648") != NULL,
               gw_cstr(k.s, check->assumptions.at[4].condition));
    kernel_free(&k);
    kernel_build(&k, case_long_index);
    kernel_decide(&k);
    check = kernel_check(&k);
    expect(check && check->assumptions.count == 4, "64-bit ids assume four lengths only");
    kernel_free(&k);
    kernel_build(&k, case_stencil);
    kernel_decide(&k);
    expect(!kernel_check(&k), "a kernel that keeps its atomics assumes nothing");
    kernel_free(&k);
}

/* ---- modes and other functions ---- */
static void check_forced(void) {
    kernel k;
    kernel_build(&k, case_update_indirect);
    k.s->options.accumulate = GW_RUNG_ATOMIC;
    expect(kernel_decide(&k), "forced atomics");
    expect(gw_op_at(k.grad, k.refs.at[0])->attr == GW_ACCUMULATE_ATOMIC, "forced: the update is atomic");
    expect(strcmp(kernel_note(&k, 0), "atomic: forced by --accumulate=atomic") == 0, kernel_note(&k, 0));
    expect(gw_op_at(k.grad, k.refs.at[1])->attr == GW_ACCUMULATE_PLAIN, "forced: the read is still proved");
    kernel_free(&k);
}

static void check_conflict(void) {
    kernel k;
    kernel_build(&k, case_write_indirect);
    for (uint32_t i = 0; i < k.refs.count; i++)
        gw_op_at(k.grad, k.refs.at[i])->origin = 0;
    expect(!kernel_decide(&k), "an unproved zeroing is an error");
    bool found = false;
    for (uint32_t i = 0; i < k.s->diagnostics.count; i++)
        found |= k.s->diagnostics.at[i].code == GW_DIAG_ADJOINT_CONFLICT &&
                 strstr(gw_cstr(k.s, k.s->diagnostics.at[i].message), "the adjoint of 'y'");
    expect(found, "the error names y");
    kernel_free(&k);
}

/* An update that was moved out of a loop may run where its origin does not. */
static void hoisted_in_grad(kernel *k) {
    V at = list_at(k, linear(k, 0, "i"));
    bool primal = k->b.f == k->primal;
    if (primal) begin_for(k, num(k, 0), k->n, num(k, 1), GW_OP_LT);
    use_y(k, at), define(k, at);
    if (primal) end_for(k);
}
/* As many conditions, but another one than the origin's; and the origin's own. */
static void updates(kernel *k, bool here, V condition, V at) {
    begin_if(k, condition);
    if (here) use_y(k, at), define(k, at);
    end_if(k);
}
static void under_another_branch(kernel *k) {
    V i = linear(k, 0, "i"), at = list_at(k, i);
    bool primal = k->b.f == k->primal;
    updates(k, !primal, op2(k, GW_OP_LT, i, k->n), at);
    updates(k, primal, op2(k, GW_OP_LT, i, k->w), at);
}
static void under_its_branch(kernel *k) {
    V i = linear(k, 0, "i"), at = list_at(k, i);
    updates(k, false, op2(k, GW_OP_LT, i, k->n), at);
    updates(k, true, op2(k, GW_OP_LT, i, k->w), at);
}
static void check_moved(void (*body)(kernel *k), bool covered, const char *what) {
    kernel k;
    kernel_build(&k, body);
    expect(kernel_decide(&k) == covered, what);
    kernel_free(&k);
}
static void check_hoisted(void) {
    check_moved(hoisted_in_grad, false, "a moved reference is not covered by the primal's stores");
    check_moved(under_another_branch, false, "nor is one that was moved under another condition");
    check_moved(under_its_branch, true, "one under its own condition is");
}

static void check_device(void) {
    kernel k;
    kernel_build(&k, case_update_indirect);
    k.primal->kind = k.grad->kind = GW_FUNC_DEVICE;
    expect(kernel_decide(&k), "device function");
    expect(gw_op_at(k.grad, k.refs.at[0])->attr == GW_ACCUMULATE_PLAIN,
           "device: written by the primal, so plain");
    kernel_free(&k);
    kernel_build(&k, case_map);
    k.primal->kind = k.grad->kind = GW_FUNC_DEVICE;
    kernel_decide(&k);
    expect(strcmp(kernel_note(&k, 0), "atomic: a device function does not know its caller's threads") == 0,
           kernel_note(&k, 0));
    kernel_free(&k);
    kernel_build(&k, case_scalar);
    k.primal->kind = k.grad->kind = GW_FUNC_DEVICE;
    gw_param *p = &k.grad->params.at[k.grad->params.count - 1];
    p->primal_index = 8;
    kernel_decide(&k);
    expect(strcmp(kernel_note(&k, 0), "owned: the caller's own variable") == 0, kernel_note(&k, 0));
    kernel_free(&k);
    kernel_build(&k, case_stencil);
    k.primal->kind = k.grad->kind = GW_FUNC_HOST;
    kernel_decide(&k);
    expect(strcmp(kernel_note(&k, 2), "owned: one thread") == 0, kernel_note(&k, 2));
    kernel_free(&k);
}

/* t*(s - b - 1) >= 0 follows from s > b only where t is not negative. */
static void check_sign(void) {
    kernel k;
    kernel_build(&k, case_map);
    gw_normal *n = gw_normal_new(k.grad);
    gw_context *c = gw_normal_context(n, k.grad->entry);
    gw_number s, b, t;
    uint64_t assumed = 0;
    gw_normal_exact(n, c, k.n, &s);
    gw_normal_exact(n, c, k.w, &b);
    gw_normal_exact(n, c, k.h, &t);
    gw_poly room = s.poly, product;
    gw_poly_add(&room, -1, NULL, &b.poly);
    gw_poly_add_constant(&room, -1);
    gw_context_add(c, &room, 0);
    gw_poly_multiply(&product, &room, &t.poly);
    expect(!gw_prove_nonnegative(n, &c->facts, &product, &assumed), "a factor of unknown sign");
    gw_context_add(c, &t.poly, 16);
    expect(gw_prove_nonnegative(n, &c->facts, &product, &assumed), "a factor that is not negative");
    expect(assumed == 16, "what the factor's sign assumes is told");
    gw_normal_free(n);
    kernel_free(&k);
}

int main(void) {
    for (size_t c = 0; c < ownership_case_count; c++)
        check_case(c);
    for (size_t c = 0; c < sizeof launches / sizeof *launches; c++)
        check_launch(&launches[c]);
    check_texts();
    check_forced();
    check_conflict();
    check_hoisted();
    check_device();
    check_sign();
    printf("%zu kernels, %zu launches, %d failures\n", ownership_case_count, sizeof launches / sizeof *launches,
           failures);
    return failures != 0;
}
