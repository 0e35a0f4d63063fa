/*
 * launch.c - what the facts about a launch say together (contract: facts.h).
 *
 * A subject's range begins as what the device or the type allows. Each fact narrows it, and a multiple rounds
 * its ends; so a contradiction is an empty range, or a block whose shortest form has too many threads.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/relations.h"

/* Largest block and grid on each axis: those of every CUDA device (compute capability 3.0 and later); a launch
 * beyond them does not run. */
static const int64_t longest[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};

static void add_multiple(gw_launch_range *r, int64_t n) {
    const int64_t all = r->multiple / gw_common_divisor(r->multiple, n) * n;
    r->multiple = (uint32_t)(all <= INT32_MAX ? all : n);
}

static void narrow(gw_launch_range *r, const gw_launch_fact *fact) {
    int64_t low = r->low, high = r->high;
    switch (fact->relation) {
    case GW_RELATION_EQUAL:
        low = high = fact->number;
        break;
    case GW_RELATION_AT_MOST:
        high = fact->number;
        break;
    case GW_RELATION_AT_LEAST:
        low = fact->number;
        break;
    case GW_RELATION_BELOW:
        high = fact->number - 1;
        break;
    case GW_RELATION_ABOVE:
        low = fact->number + 1;
        break;
    default:
        add_multiple(r, fact->number);
        break;
    }
    if (low > r->low) r->low = low;
    if (high < r->high) r->high = high;
}

static gw_launch_range of_dimension(const gw_func *f, uint32_t subject) {
    const bool grid = subject / 4 == GW_GRID_DIM;
    const uint32_t axis = subject % 4, bound = gw_launch_bound(f);
    gw_launch_range r = {1, longest[grid][axis], 1};
    if (!grid && bound && r.high > (int64_t)bound) r.high = bound;
    if (!grid && f->block_most[axis]) r = (gw_launch_range){f->block_least[axis], f->block_most[axis], 1};
    return r;
}

/* A coarsened gradient's blocks are no longer those of the launch. */
static bool is_other_block(const gw_func *f, uint32_t subject) {
    return f->coarse && subject < GW_LAUNCH_PARAM && subject / 4 == GW_BLOCK_DIM;
}

/* A fact is known of one form alone if a launch that breaks it has another form: not of the primal, which both
 * are made of. */
bool gw_launch_goes_by(const gw_func *f, const gw_launch_fact *fact) {
    return !fact->or_atomic || (f->primal && !gw_is_for_any_launch(f));
}

gw_launch_range gw_launch_known(const gw_func *f, const gw_launch_facts *also, uint32_t subject) {
    const gw_func *p = f->primal ? f->primal : f;
    gw_launch_range r = {.multiple = 1};
    if (subject < GW_LAUNCH_PARAM) r = of_dimension(f, subject);
    else gw_type_range(gw_typeof(p, p->params.at[subject - GW_LAUNCH_PARAM].value), &r.low, &r.high);
    if (is_other_block(f, subject)) return r;
    for (uint32_t i = 0; i < p->launch.count; i++)
        if (p->launch.at[i].subject == subject && gw_launch_goes_by(f, &p->launch.at[i]))
            narrow(&r, &p->launch.at[i]);
    for (uint32_t i = 0; also && i < also->count; i++)
        if (also->at[i].subject == subject) narrow(&r, &also->at[i]);
    if (r.low != INT64_MIN) r.low += (r.multiple - r.low % r.multiple) % r.multiple;
    if (r.high != INT64_MAX) r.high -= (r.high % r.multiple + r.multiple) % r.multiple;
    return r;
}

uint32_t gw_launch_subject(const gw_func *f, gw_value v) {
    const gw_func *p = f->primal ? f->primal : f;
    for (uint32_t i = 0; i < p->params.count && i < f->params.count; i++)
        if (f->params.at[i].value == v && p->params.at[i].value) return GW_LAUNCH_PARAM + i;
    return 0;
}

bool gw_launch_is_possible(const gw_func *f, const gw_launch_facts *also) {
    const gw_func *p = f->primal ? f->primal : f;
    const uint32_t bound = gw_launch_bound(f);
    int64_t threads = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        const gw_launch_range block = gw_launch_known(f, also, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis)),
                              grid = gw_launch_known(f, also, GW_SPECIAL_ATTR(GW_GRID_DIM, axis));
        if (block.low > block.high || grid.low > grid.high) return false;
        threads *= block.low;
    }
    for (uint32_t i = 0; i < p->params.count; i++) {
        if (!p->params.at[i].value || !gw_type_is_integer(gw_typeof(p, p->params.at[i].value))) continue;
        const gw_launch_range r = gw_launch_known(f, also, GW_LAUNCH_PARAM + i);
        if (r.low > r.high) return false;
    }
    return threads <= (bound ? (int64_t)bound : GW_MOST_THREADS);
}
