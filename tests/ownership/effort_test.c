/*
 * effort_test.c - what proofs cost, in steps of the provers: no question goes on for ever, all questions about
 * a kernel together stay within their budget, and kernels with twice the references do not take four times the
 * steps.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/rungs.h"
#include "analysis/prove/prove.h"
#include "kernel.h"

#include <stdio.h>
#include <string.h>

static int failures;
static uint32_t references;

static void expect(bool good, const char *name, const char *what) {
    if (good) return;
    failures++;
    printf("FAIL %s: %s\n", name, what);
}

/* ---- kernels ---- */

/* The digit of t ^ 1 was put together from t / 2, taken apart, and put together again. */
static void swapped_neighbours(kernel *k) {
    V t = thread_idx(k, 0), swapped = mul(k, op2(k, GW_OP_XOR, t, num(k, 1)), num(k, 2));
    use(k, add(k, swapped, block_idx(k, 0))), use(k, add(k, swapped, t));
}

/* Each thread has a row of cells of its own: every pair is asked and proved. */
static void own_row(kernel *k) {
    V row = mul(k, linear(k, 0, "i"), num(k, references));
    for (uint32_t c = 0; c < references; c++) use(k, add(k, row, num(k, c)));
}

static void stencil(kernel *k) {
    V i = linear(k, 0, "i");
    for (uint32_t c = 0; c < references; c++) use(k, add(k, i, num(k, c)));
}

/* Each reference under a condition of its own. */
static void guarded(kernel *k) {
    V i = linear(k, 0, "i"), row = mul(k, i, num(k, references));
    for (uint32_t c = 0; c < references; c++) {
        begin_if(k, lt(k, i, sub(k, k->n, num(k, c))));
        use(k, add(k, row, num(k, c)));
        end_if(k);
    }
}

/* Remainders by sizes that nothing is known of: no pair is proved. */
static void unknown(kernel *k) {
    V i = linear(k, 0, "i");
    for (uint32_t c = 0; c < references; c++) use(k, rem_(k, mul(k, i, num(k, c + 1)), k->n));
}

static const struct shape {
    const char *name;
    void (*body)(kernel *k);
    char decided; /* p plain, a atomic */
} shapes[] = {
    {"own row", own_row, 'p'}, {"stencil", stencil, 'a'}, {"guarded", guarded, 'p'}, {"unknown", unknown, 'a'}};

static uint64_t steps_of(const struct shape *shape, uint32_t n) {
    kernel k;
    bool good = true;
    references = n;
    kernel_build(&k, shape->body);
    k.s->options.smt_off = true;
    expect(kernel_decide(&k), shape->name, "refused");
    for (uint32_t i = 0; i < k.refs.count && good; i++) {
        good = (gw_op_at(k.grad, k.refs.at[i])->attr == GW_ACCUMULATE_PLAIN) == (shape->decided == 'p');
        expect(good, shape->name, kernel_note(&k, i));
    }
    uint64_t taken = k.s->effort.taken;
    kernel_free(&k);
    return taken;
}

/* Twice the references take no more than 2^1.5 times the steps. */
static void check_growth(const struct shape *shape) {
    const double most = 2.83;
    double few = (double)steps_of(shape, 50), more = (double)steps_of(shape, 100),
           many = (double)steps_of(shape, 200);
    printf("%-10s %8.0f %8.0f %8.0f steps\n", shape->name, few, more, many);
    expect(more < most * few && many < most * more, shape->name, "its steps grow faster than its references");
}

static void check_end(void) {
    kernel k;
    kernel_build(&k, swapped_neighbours);
    k.s->options.smt_off = true;
    expect(kernel_decide(&k), "swapped neighbours", "refused");
    expect(k.s->effort.taken < 20000, "swapped neighbours", "goes round in circles");
    kernel_free(&k);
}

/* What the budget leaves open is atomic, and says why; nobody takes more than the budget. */
static void check_budget(void) {
    const char *why =
        "atomic: not looked at to the end, since the proofs for this function have taken all of their steps";
    kernel k;
    references = 200;
    kernel_build(&k, own_row);
    k.s->options.smt_off = true;
    k.s->options.proof_budget = 2;
    expect(kernel_decide(&k), "budget", "refused");
    uint32_t plain = 0, cut = 0;
    for (uint32_t i = 0; i < k.refs.count; i++) {
        const gw_op_data *o = gw_op_at(k.grad, k.refs.at[i]);
        plain += o->attr == GW_ACCUMULATE_PLAIN;
        cut +=
            strcmp(kernel_note(&k, i), why) == 0 && k.s->decisions.at[o->decision].code == GW_DIAG_PROOF_BUDGET;
    }
    expect(plain == 0 && cut == references, "budget", kernel_note(&k, 0));
    expect(gw_effort_is_spent(&k.s->effort, GW_EFFORT_PROOFS), "budget", "not spent");
    kernel_free(&k);
}

/* The solver has a budget for all of its questions about a kernel; the last of them is not asked any more. */
static void check_solver(void) {
    const char *why = "atomic: not looked at to the end, since the solver's questions for this function have "
                      "taken all of their steps";
    kernel k;
    references = 50;
    kernel_build(&k, unknown);
    k.s->options.smt_budget = 1;
    expect(kernel_decide(&k), "solver", "refused");
    const gw_op_data *last = gw_op_at(k.grad, k.refs.at[k.refs.count - 1]);
    expect(strcmp(kernel_note(&k, k.refs.count - 1), why) == 0, "solver", kernel_note(&k, k.refs.count - 1));
    expect(k.s->decisions.at[last->decision].code == GW_DIAG_SOLVER_BUDGET, "solver",
           "its reason has another name");
    expect(gw_effort_is_spent(&k.s->effort, GW_EFFORT_SOLVER), "solver", "not spent");
    kernel_free(&k);
}

/* A question that the clock ends proves nothing, and its reason says that another build may find out. */
static void check_time(void) {
    const char *why = "atomic: not looked at to the end, since the time for a question to the solver was up; "
                      "another build may find out";
    kernel k;
    references = 8;
    kernel_build(&k, unknown);
    k.s->options.smt_budget = 4000000;
    k.s->options.smt_time = 1;
    expect(kernel_decide(&k), "time", "refused");
    uint32_t late = 0;
    for (uint32_t i = 0; i < k.refs.count; i++) {
        const gw_op_data *o = gw_op_at(k.grad, k.refs.at[i]);
        expect(o->attr == GW_ACCUMULATE_ATOMIC, "time", kernel_note(&k, i));
        late +=
            strcmp(kernel_note(&k, i), why) == 0 && k.s->decisions.at[o->decision].code == GW_DIAG_SOLVER_TIME;
    }
    expect(late > 0, "time", kernel_note(&k, 0));
    kernel_free(&k);
}

int main(void) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) check_growth(&shapes[i]);
    check_end();
    check_budget();
    if (gw_smt_is_built_in()) check_solver(), check_time();
    printf("%d failures\n", failures);
    return failures != 0;
}
