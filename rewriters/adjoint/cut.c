/*
 * cut.c - minimum cuts, by Dinic's maximum flow (E. A. Dinic 1970; Ford & Fulkerson 1956 for flow = cut).
 *
 * Phases of a breadth-first layering from the source and a depth-first search for augmenting paths in it. On
 * the graphs of adjoint/storage.c, where paths are as short as expressions, that is a few passes over the
 * edges. Nothing recurses: the path is an array. The result depends on the order of the calls only.
 */
#include "rewriters/adjoint/cut_private.h"

#include "analysis/ir/ir.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    uint32_t to;
    uint32_t next;   /* of the same node, 0 = none */
    int64_t residue; /* edge e and its reverse e ^ 1 */
} edge;

struct gw_cut {
    GW_VEC(edge) edges;  /* 0 and 1 are not used */
    uint32_t nodes;
    uint32_t *first;     /* edge, by node */
    uint32_t *current;   /* edge that the search stands at */
    uint32_t *layer;     /* distance from the source + 1, 0 = not reached */
    uint32_t *queue;     /* nodes; also the path, as edges */
    bool *behind;        /* the sink can be reached from here */
};

gw_cut *gw_cut_new(uint32_t nodes) {
    gw_cut *c = gw_alloc(sizeof *c);
    c->nodes = nodes;
    c->first = gw_alloc(nodes * sizeof *c->first);
    c->current = gw_alloc(nodes * sizeof *c->current);
    c->layer = gw_alloc(nodes * sizeof *c->layer);
    c->queue = gw_alloc(nodes * sizeof *c->queue);
    c->behind = gw_alloc(nodes * sizeof *c->behind);
    for (int i = 0; i < 2; i++) gw_push(&c->edges, ((edge){0}));
    return c;
}

void gw_cut_free(gw_cut *c) {
    gw_vec_free(&c->edges);
    free(c->first);
    free(c->current);
    free(c->layer);
    free(c->queue);
    free(c->behind);
    free(c);
}

static void add_half(gw_cut *c, uint32_t from, uint32_t to, int64_t residue) {
    gw_push(&c->edges, ((edge){to, c->first[from], residue}));
    c->first[from] = c->edges.count - 1;
}

void gw_cut_edge(gw_cut *c, uint32_t from, uint32_t to, int64_t capacity) {
    add_half(c, from, to, capacity < GW_CUT_NEVER ? capacity : GW_CUT_NEVER);
    add_half(c, to, from, 0);
}

/* Layers of the nodes that still have capacity from the source; whether the sink is one of them. */
static bool make_layers(gw_cut *c) {
    uint32_t done = 0, count = 0;
    memset(c->layer, 0, c->nodes * sizeof *c->layer);
    c->layer[GW_CUT_SOURCE] = 1;
    c->queue[count++] = GW_CUT_SOURCE;
    while (done < count) {
        uint32_t node = c->queue[done++];
        for (uint32_t e = c->first[node]; e; e = c->edges.at[e].next) {
            const edge *x = &c->edges.at[e];
            if (!x->residue || c->layer[x->to]) continue;
            c->layer[x->to] = c->layer[node] + 1;
            c->queue[count++] = x->to;
        }
    }
    return c->layer[GW_CUT_SINK] != 0;
}

/* Sends what fits along the path; the number of its edges in front of the first that is full now. */
static uint32_t augment(gw_cut *c, uint32_t length, int64_t *flow) {
    int64_t least = INT64_MAX;
    uint32_t full = 0;
    for (uint32_t i = 0; i < length; i++) {
        int64_t residue = c->edges.at[c->queue[i]].residue;
        if (residue < least) least = residue, full = i;
    }
    for (uint32_t i = 0; i < length; i++) {
        c->edges.at[c->queue[i]].residue -= least;
        c->edges.at[c->queue[i] ^ 1].residue += least;
    }
    *flow += least;
    return full;
}

/* All paths of one layering. */
static int64_t block(gw_cut *c) {
    int64_t flow = 0;
    uint32_t length = 0, node = GW_CUT_SOURCE;
    memcpy(c->current, c->first, c->nodes * sizeof *c->current);
    for (;;) {
        if (node == GW_CUT_SINK) {
            length = augment(c, length, &flow);
            node = c->edges.at[c->queue[length] ^ 1].to;
            if (flow >= GW_CUT_NEVER) return flow;
            continue;
        }
        uint32_t e = c->current[node];
        while (e && (!c->edges.at[e].residue || c->layer[c->edges.at[e].to] != c->layer[node] + 1))
            e = c->edges.at[e].next;
        c->current[node] = e;
        if (e) {
            c->queue[length++] = e;
            node = c->edges.at[e].to;
        } else if (length) {
            e = c->queue[--length];
            node = c->edges.at[e ^ 1].to;
            c->current[node] = c->edges.at[e].next;
        } else {
            return flow;
        }
    }
}

/* The nodes from which the sink can still be reached. */
static void find_behind(gw_cut *c) {
    uint32_t done = 0, count = 0;
    c->behind[GW_CUT_SINK] = true;
    c->queue[count++] = GW_CUT_SINK;
    while (done < count) {
        for (uint32_t e = c->first[c->queue[done++]]; e; e = c->edges.at[e].next) {
            uint32_t from = c->edges.at[e].to;
            if (c->behind[from] || !c->edges.at[e ^ 1].residue) continue;
            c->behind[from] = true;
            c->queue[count++] = from;
        }
    }
}

int64_t gw_cut_solve(gw_cut *c) {
    int64_t flow = 0;
    while (flow < GW_CUT_NEVER && make_layers(c)) flow += block(c);
    find_behind(c);
    return flow;
}

bool gw_cut_is_source_side(const gw_cut *c, uint32_t node) { return !c->behind[node]; }
