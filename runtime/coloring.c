/*
 * coloring.c - columns of a sparse matrix in few colours, so that no two of one colour have an entry in one row
 * (contract: sparse_private.h).
 *
 * Such columns can be told apart in their sum, so one run in the direction of the sum gives them all (Curtis,
 * Powell and Reid 1974; Coleman and More, "Estimation of sparse Jacobian matrices and graph coloring problems",
 * 1983). Two columns are neighbours if they share a row: colours are those of a partial distance-2 colouring of
 * the graph of rows and columns (Gebremedhin, Manne and Pothen, "What color is your Jacobian?", 2005), and
 * neighbours are found by way of the rows, without a graph of their own. Columns take the least colour that no
 * neighbour has, the smallest last: from what is left, that of the fewest neighbours is put last again and
 * again (Matula and Beck 1983), so a colour more than the most neighbours that one has among those before it is
 * enough.
 */
#include "sparse_private.h"

#include <stdlib.h>
#include <string.h>

void gw_lists_free(gw_lists *lists) {
    free(lists->begin);
    free(lists->item);
    *lists = (gw_lists){0};
}

bool gw_lists_turn(const gw_lists *lists, int count, gw_lists *turned) {
    const int entries = lists->begin[lists->count];
    *turned = (gw_lists){count, calloc((size_t)count + 2, sizeof(int)),
                         malloc(((size_t)entries + 1) * sizeof(int))};
    if (!turned->begin || !turned->item) {
        gw_lists_free(turned);
        return false;
    }
    int *next = turned->begin + 1; /* where the next of each goes; in the end where the following one begins */
    for (int e = 0; e < entries; e++) next[lists->item[e] + 1]++;
    for (int i = 0; i < count; i++) next[i + 1] += next[i];
    for (int i = 0; i < lists->count; i++)
        for (int e = lists->begin[i]; e < lists->begin[i + 1]; e++) turned->item[next[lists->item[e]]++] = i;
    return true;
}

int gw_lists_longest(const gw_lists *lists) {
    int longest = 0;
    for (int i = 0; i < lists->count; i++) {
        const int length = lists->begin[i + 1] - lists->begin[i];
        if (length > longest) longest = length;
    }
    return longest;
}

/* ---- the order ---- */
/* Those of one degree are a ring of `next` and `before`, through the degree's own place behind all things. */
typedef struct ordering {
    const gw_lists *things, *items;
    bool *repeats; /* items whose things are those of the item before: dense blocks have many, and long ones */
    int *degree, *next, *before, *mark;
    int marks;
} ordering;

static void leave(const ordering *o, int thing) {
    o->next[o->before[thing]] = o->next[thing];
    o->before[o->next[thing]] = o->before[thing];
}

static void enter(const ordering *o, int thing) {
    const int head = o->things->count + o->degree[thing];
    o->next[thing] = o->next[head], o->before[thing] = head;
    o->before[o->next[head]] = thing, o->next[head] = thing;
}

static void find_repeats(const ordering *o) {
    const gw_lists *items = o->items;
    for (int i = 1; i < items->count; i++) {
        const int *here = items->item + items->begin[i], *before = items->item + items->begin[i - 1];
        const size_t length = (size_t)(items->begin[i + 1] - items->begin[i]);
        o->repeats[i] = here - before == (ptrdiff_t)length && memcmp(before, here, length * sizeof *here) == 0;
    }
}

/* The begin of the item's things; their end if they were met already. */
static int first_of(const ordering *o, int item) {
    return o->repeats[item] ? o->items->begin[item + 1] : o->items->begin[item];
}

/* Neighbours that are not marked are marked: each is met once. */
static bool meets(ordering *o, int other) {
    if (o->mark[other] == o->marks) return false;
    o->mark[other] = o->marks;
    return true;
}

static void find_degrees(ordering *o) {
    const gw_lists *things = o->things, *items = o->items;
    for (int thing = 0; thing < things->count; thing++) {
        o->mark[thing] = ++o->marks;
        for (int k = things->begin[thing]; k < things->begin[thing + 1]; k++)
            for (int e = first_of(o, things->item[k]); e < items->begin[things->item[k] + 1]; e++)
                o->degree[thing] += meets(o, items->item[e]) ? 1 : 0;
    }
}

/* Its neighbours that are still there have one fewer. */
static void take_out(ordering *o, int thing) {
    const gw_lists *things = o->things, *items = o->items;
    leave(o, thing);
    o->degree[thing] = -1;
    o->mark[thing] = ++o->marks;
    for (int k = things->begin[thing]; k < things->begin[thing + 1]; k++)
        for (int e = first_of(o, things->item[k]); e < items->begin[things->item[k] + 1]; e++) {
            const int other = items->item[e];
            if (!meets(o, other) || o->degree[other] < 0) continue;
            leave(o, other);
            o->degree[other]--;
            enter(o, other);
        }
}

static void find_order(ordering *o, int *order) {
    const int count = o->things->count;
    int least = 0;
    find_degrees(o);
    for (int i = 0; i < 2 * count + 1; i++) o->next[i] = o->before[i] = i;
    for (int i = count; i-- > 0;) enter(o, i);
    for (int last = count; last-- > 0;) {
        while (o->next[count + least] == count + least) least++;
        order[last] = o->next[count + least];
        take_out(o, order[last]);
        if (least > 0) least--; /* nobody loses more than one neighbour at a time */
    }
}

/* ---- the colours ---- */
static int give_colors(ordering *o, const int *order, int *color) {
    const gw_lists *things = o->things, *items = o->items;
    int *const taken = o->next, colors = 0; /* of each colour, who has seen it with a neighbour last */
    for (int i = 0; i < things->count; i++) color[i] = -1, taken[i] = -1;
    for (int i = 0; i < things->count; i++) {
        const int thing = order[i];
        for (int k = things->begin[thing]; k < things->begin[thing + 1]; k++)
            for (int e = first_of(o, things->item[k]); e < items->begin[things->item[k] + 1]; e++)
                if (color[items->item[e]] >= 0) taken[color[items->item[e]]] = thing;
        int least = 0;
        while (taken[least] == thing) least++; /* ends: it has fewer neighbours than there are things */
        color[thing] = least;
        if (least >= colors) colors = least + 1;
    }
    return colors;
}

int gw_color(const gw_lists *things, const gw_lists *items, int *color) {
    const size_t count = (size_t)things->count;
    int *const memory = calloc(7 * count + 2, sizeof *memory), colors = -1;
    bool *const repeats = calloc((size_t)items->count + 1, sizeof *repeats);
    if (memory && repeats) {
        ordering o = {.things = things,
                      .items = items,
                      .repeats = repeats,
                      .degree = memory,
                      .mark = memory + count,
                      .next = memory + 3 * count,
                      .before = memory + 5 * count + 1};
        find_repeats(&o);
        find_order(&o, memory + 2 * count);
        colors = give_colors(&o, memory + 2 * count, color);
    }
    free(memory);
    free(repeats);
    return colors;
}
