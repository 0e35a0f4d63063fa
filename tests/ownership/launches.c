/* launches.c - random launches for the random kernels (contract: classes.h). */
#include "analysis/ir/promises.h"
#include "analysis/ir/relations.h"
#include "classes.h"
#include "analysis/facts/facts.h"
#include "random_kernel.h"

enum { THREADS_MOST = 64 };

static uint32_t length(uint32_t most) { return chance(35) ? 1 : 1 + draw(most); }

static uint32_t threads(const launch *at) {
    const uint32_t (*d)[3] = at->dim;
    return d[3][0] * d[3][1] * d[3][2] * d[2][0] * d[2][1] * d[2][2];
}

void random_launch(launch *at) {
    uint32_t (*d)[3] = at->dim;
    do {
        for (int a = 0; a < 3; a++) {
            d[GW_BLOCK_DIM][a] = a && chance(50) ? 1 : length(a ? 3 : 6);
            d[GW_GRID_DIM][a] = a && chance(50) ? 1 : length(a ? 3 : 4);
        }
    } while (threads(at) > THREADS_MOST);
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

static void permute(int64_t *list) {
    for (uint32_t i = 0; i < 64; i++)
        list[i] = i;
    for (uint32_t i = 63; i > 0; i--) {
        uint32_t k = draw(i + 1);
        int64_t held = list[i];
        list[i] = list[k];
        list[k] = held;
    }
}

void keep_promises(const gw_func *primal, launch *at) {
    for (uint32_t i = 0; i < primal->promises.count; i++) {
        if (primal->promises.at[i].kind == GW_PROMISE_INJECTIVE) permute(at->list);
        if (primal->promises.at[i].kind != GW_PROMISE_SORTED) continue;
        at->list[0] = draw(4);
        for (uint32_t k = 1; k < 64; k++)
            at->list[k] = at->list[k - 1] + draw(4);
    }
}

/* ---- what is stated of launches ---- */
enum { FIRST_NUMBER = 3 }; /* of f's parameters: behind x, y, list */

static uint32_t draw_subject(void) {
    if (chance(60)) return GW_SPECIAL_ATTR(GW_BLOCK_DIM + draw(2), draw(3));
    return GW_LAUNCH_PARAM + FIRST_NUMBER + draw(5);
}

void state_facts(gw_func *primal) {
    for (uint32_t i = 1 + draw(3); i > 0; i--) {
        gw_launch_fact fact = {.subject = draw_subject(), .relation = (gw_relation)draw(GW_RELATION_COUNT)};
        const bool size = fact.subject >= GW_LAUNCH_PARAM && fact.relation != GW_RELATION_MULTIPLE;
        fact.number = size ? (int64_t)draw(14) - 2 : 1 + (int64_t)draw(4);
        gw_push(&primal->launch, fact);
        if (!gw_launch_is_possible(primal, NULL)) primal->launch.count--;
    }
}

static void set_subject(launch *at, uint32_t subject, int64_t value) {
    if (subject >= GW_LAUNCH_PARAM) at->params[subject - GW_LAUNCH_PARAM - FIRST_NUMBER] = value;
    else at->dim[subject / 4][subject % 4] = (uint32_t)value;
}

static int64_t subject_of(const launch *at, uint32_t subject) {
    return subject >= GW_LAUNCH_PARAM ? at->params[subject - GW_LAUNCH_PARAM - FIRST_NUMBER]
                                      : (int64_t)at->dim[subject / 4][subject % 4];
}

static bool holds(const gw_launch_fact *fact, int64_t value) {
    const int64_t n = fact->number;
    if (fact->relation == GW_RELATION_MULTIPLE) return value % n == 0;
    const bool all[GW_RELATION_COUNT] = {
        [GW_RELATION_EQUAL] = value == n,    [GW_RELATION_AT_MOST] = value <= n,
        [GW_RELATION_AT_LEAST] = value >= n, [GW_RELATION_BELOW] = value < n,
        [GW_RELATION_ABOVE] = value > n};
    return all[fact->relation];
}

bool facts_hold(const gw_func *primal, const launch *at) {
    bool all = true;
    for (uint32_t i = 0; i < primal->launch.count; i++)
        all &= holds(&primal->launch.at[i], subject_of(at, primal->launch.at[i].subject));
    return all;
}

/* By numbers that are near, tried by all facts themselves. */
void keep_facts(const gw_func *primal, launch *at) {
    const launch was = *at;
    for (uint32_t i = 0; i < primal->launch.count; i++) {
        const uint32_t subject = primal->launch.at[i].subject;
        for (uint32_t tries = 0; tries < 40 && !facts_hold(primal, at); tries++)
            set_subject(at, subject, subject < GW_LAUNCH_PARAM ? 1 + draw(6) : (int64_t)draw(16) - 3);
    }
    if (threads(at) > THREADS_MOST || at->params[4] < 0) *at = was;
}

void class_launch(launch *at, unsigned axes) {
    static const uint32_t longest[3] = {16, 4, 3};
    uint32_t (*d)[3] = at->dim;
    do {
        for (unsigned a = 0; a < 3; a++) {
            d[GW_BLOCK_DIM][a] = a < axes ? 1 + draw(axes == 1 ? longest[0] : longest[axes - 1]) : 1;
            d[GW_GRID_DIM][a] = a < axes ? 1 + draw(axes == 1 ? 6 : 3) : 1;
        }
    } while (threads(at) > THREADS_MOST);
    uint32_t all = threads(at);
    int64_t across[3];
    for (unsigned a = 0; a < 3; a++)
        across[a] = d[2][a] * d[3][a];
    at->params[0] = axes > 1 && chance(60) ? across[2] : chance(30) ? draw(2 * all) : all; /* n */
    at->params[1] = axes > 1 && chance(60) ? across[0] : 1 + draw(8);                      /* w */
    at->params[2] = axes > 1 && chance(60) ? across[1] : 1 + draw(8);                      /* h */
    at->params[3] = 1 + draw(5);                                                           /* k */
    at->params[4] = chance(50) ? all : 1 + draw(12);                                       /* m */
    permute(at->list);
}
