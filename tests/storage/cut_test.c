/*
 * cut_test.c - minimum cuts against all cuts of small graphs, and of the largest source sides among the
 * smallest cuts.
 *
 * usage: storage_cut
 */
#include "rewriters/adjoint/cut_private.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_NODES = 9, MOST_EDGES = 24, GRAPHS = 4000 };

typedef struct graph {
    uint32_t nodes, edges;
    uint32_t from[MOST_EDGES], to[MOST_EDGES];
    int64_t capacity[MOST_EDGES];
} graph;

static uint64_t state = 20261121;
static uint32_t below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static graph random_graph(void) {
    graph g = {.nodes = 2 + below(MOST_NODES - 1), .edges = below(MOST_EDGES + 1)};
    for (uint32_t i = 0; i < g.edges; i++) {
        g.from[i] = below(g.nodes);
        g.to[i] = below(g.nodes);
        g.capacity[i] = below(8) == 0 ? GW_CUT_NEVER : (int64_t)below(5);
    }
    return g;
}

/* The capacity of the cut whose source side is the set of bits; at most GW_CUT_NEVER. */
static int64_t capacity_of(const graph *g, uint32_t side) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < g->edges; i++) {
        if (side >> g->from[i] & 1 && !(side >> g->to[i] & 1)) sum += g->capacity[i];
        if (sum > GW_CUT_NEVER) sum = GW_CUT_NEVER;
    }
    return sum;
}

static bool is_cut(uint32_t side) { return (side >> GW_CUT_SOURCE & 1) && !(side >> GW_CUT_SINK & 1); }

static uint32_t solve(const graph *g, int64_t *capacity) {
    gw_cut *cut = gw_cut_new(g->nodes);
    uint32_t side = 0;
    for (uint32_t i = 0; i < g->edges; i++) gw_cut_edge(cut, g->from[i], g->to[i], g->capacity[i]);
    *capacity = gw_cut_solve(cut);
    for (uint32_t i = 0; i < g->nodes; i++) side |= (uint32_t)gw_cut_is_source_side(cut, i) << i;
    gw_cut_free(cut);
    return side;
}

static int fail(uint32_t number, const char *what) {
    printf("graph %u: %s\n", number, what);
    return 1;
}

static int check(const graph *g, uint32_t number) {
    int64_t got, least = GW_CUT_NEVER;
    uint32_t side = solve(g, &got), all = 0;
    for (uint32_t s = 0; s < 1u << g->nodes; s++)
        if (is_cut(s) && capacity_of(g, s) < least) least = capacity_of(g, s);
    if (least == GW_CUT_NEVER) return got >= GW_CUT_NEVER ? 0 : fail(number, "a cut where there is none");
    for (uint32_t s = 0; s < 1u << g->nodes; s++)
        if (is_cut(s) && capacity_of(g, s) == least) all |= s;
    if (got != least) return fail(number, "not the smallest capacity");
    if (!is_cut(side) || capacity_of(g, side) != least) return fail(number, "the sides are no smallest cut");
    return side == all ? 0 : fail(number, "not the cut that is nearest to the sink");
}

/* A path as long as a large function, and a value that everything is computed from. */
static int check_long(void) {
    enum { LONG = 100000 };
    gw_cut *cut = gw_cut_new(LONG);
    gw_cut_edge(cut, GW_CUT_SOURCE, GW_CUT_FIRST, GW_CUT_NEVER);
    for (uint32_t i = GW_CUT_FIRST; i + 1 < LONG; i++) {
        gw_cut_edge(cut, i, i + 1, i == LONG / 2 ? 3 : 4);
        gw_cut_edge(cut, i, GW_CUT_FIRST, GW_CUT_NEVER);
    }
    gw_cut_edge(cut, LONG - 1, GW_CUT_SINK, 5);
    bool good = gw_cut_solve(cut) == 3 && gw_cut_is_source_side(cut, LONG / 2) &&
                !gw_cut_is_source_side(cut, LONG / 2 + 1);
    gw_cut_free(cut);
    return good ? 0 : fail(0, "a long path");
}

int main(void) {
    int failed = check_long();
    for (uint32_t i = 1; i <= GRAPHS; i++) {
        graph g = random_graph();
        failed += check(&g, i);
    }
    return failed != 0;
}
