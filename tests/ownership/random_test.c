/*
 * random_test.c - the adversary of the ownership pass: random kernels, each run thread by thread on small
 * launches. Whenever the pass calls a reference plain, the launch keeps what <f>_check asks for, the primal's
 * arithmetic is defined and the primal itself has no race, no other thread may reach a cell of it.
 *
 *   random_test [cases [seed]]
 *
 * Some have facts about the launch stated, which most launches have; <f>_check must refuse the others.
 *
 * The default seed is fixed; a second, fresh one is used for a tenth of the cases and printed on failure.
 * The share of references that never met another thread and were proved is printed, and has a floor: a pass
 * that proves nothing would be sound too.
 */
#include "analysis/ir/rungs.h"
#include "classes.h"
#include "enumerate.h"
#include "analysis/facts/facts.h"
#include "kernel.h"
#include "random_kernel.h"
#include "analysis/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LAUNCHES = 12, SOLVED_OF = 40, /* the solver takes part in one case of so many */ FLOOR_PERCENT = 35 };

/* ---- one case ---- */
static uint64_t owned, proved, refused, launches_run, plain_checked, with_facts;

static void report(kernel *k, const launch *at, gw_op op) {
    gw_text text = {0};
    gw_print_func(k->grad, &text);
    printf("FAIL case seed %llu: threads meet where the pass says they do not\n%s\n%s\n",
           (unsigned long long)case_seed, kernel_note_of(k, op), text.at);
    printf("block %u %u %u, grid %u %u %u, n w h k m = %lld %lld %lld %lld %lld\n", at->dim[2][0],
           at->dim[2][1], at->dim[2][2], at->dim[3][0], at->dim[3][1], at->dim[3][2], (long long)at->params[0],
           (long long)at->params[1], (long long)at->params[2], (long long)at->params[3],
           (long long)at->params[4]);
    gw_text_free(&text);
}

static bool check_launch(kernel *k, uint8_t *ever, trace *primal, trace *grad, launch *at) {
    uint8_t *race = gw_alloc(k->primal->ops.count), *meets = gw_alloc(k->grad->ops.count);
    bool racy = false, good = true;
    if (enumerate(primal, at, race)) {
        for (gw_op op = 0; op < k->primal->ops.count; op++)
            racy |= race[op] != 0;
        if (!racy && enumerate(grad, at, meets)) {
            bool checked = check_accepts(kernel_check(k), at), true_facts = facts_hold(k->primal, at);
            with_facts += checked && k->primal->launch.count;
            if (checked && !true_facts) report(k, at, k->refs.count ? k->refs.at[0] : 0);
            good = !checked || true_facts;
            gw_op broken = checked ? broken_promise(k->grad, meets) : 0;
            launches_run++;
            for (uint32_t i = 0; i < k->refs.count; i++) {
                ever[i] |= meets[k->refs.at[i]];
                plain_checked += checked && gw_op_at(k->grad, k->refs.at[i])->attr == GW_ACCUMULATE_PLAIN;
            }
            if (broken) report(k, at, broken);
            good &= !broken;
        }
    }
    free(race);
    free(meets);
    return good;
}

static bool any_promise(const kernel *k) {
    for (uint32_t i = 0; i < k->refs.count; i++)
        if (gw_exclusive_to(k->grad, k->refs.at[i]) != GW_EXCLUSIVE_GRID) return true;
    return false;
}

static bool check_case(uint64_t seed) {
    kernel k;
    bool good = true;
    case_seed = seed;
    kernel_build(&k, random_body);
    if (chance(40)) state_facts(k.primal);
    k.s->options.smt_off = seed % SOLVED_OF != 0;
    if (!kernel_decide(&k)) {
        refused++;
        kernel_free(&k);
        return true;
    }
    uint8_t *ever = gw_alloc(k.refs.count + 1);
    launch at = {0};
    trace primal, grad;
    trace_start(&primal, k.primal, &at);
    trace_start(&grad, k.grad, &at);
    int runs = any_promise(&k) ? LAUNCHES : 2;
    for (int i = 0; i < runs && good; i++) {
        random_launch(&at);
        if (chance(85)) keep_facts(k.primal, &at);
        good = check_launch(&k, ever, &primal, &grad, &at);
    }
    for (uint32_t i = 0; i < k.refs.count; i++) {
        owned += !ever[i];
        proved += !ever[i] && gw_op_at(k.grad, k.refs.at[i])->attr == GW_ACCUMULATE_PLAIN;
    }
    free(ever);
    trace_end(&primal);
    trace_end(&grad);
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
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 8000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool good = check_cases(seed, count) && (argc > 2 || check_cases((uint64_t)time(NULL), count / 10));
    uint64_t percent = owned ? proved * 100 / owned : 0;
    printf("%llu launches, %llu with facts, %llu plain references checked; of %llu that met nobody %llu proved "
           "(%llu %%); %llu refused\n",
           (unsigned long long)launches_run, (unsigned long long)with_facts,
           (unsigned long long)plain_checked, (unsigned long long)owned,
           (unsigned long long)proved, (unsigned long long)percent, (unsigned long long)refused);
    return !good || percent < FLOOR_PERCENT || with_facts * 2 < count;
}
