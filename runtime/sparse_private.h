/* sparse_private.h - what sparse.c, sparse_pattern.c, sparse_entries.c and coloring.c share. */
#ifndef GW_SPARSE_PRIVATE_H
#define GW_SPARSE_PRIVATE_H
#include "gradwright/sparse.h"

/* For each of `count` things a list of others: those of thing i are item[begin[i]] to item[begin[i + 1] - 1],
 * ascending. */
typedef struct gw_lists {
    int count;
    int *begin, *item;
} gw_lists;
void gw_lists_free(gw_lists *lists);
/* The same relation from the other side, of `count` things. False: out of memory, and there is none. */
bool gw_lists_turn(const gw_lists *lists, int count, gw_lists *turned);
int gw_lists_longest(const gw_lists *lists);

/* coloring.c: things that share an item get different colours, from 0. The number of colours; -1: out of
 * memory. */
int gw_color(const gw_lists *things, const gw_lists *items, int *color);

/* What is known of a pattern while it is found (sparse_pattern.c). */
typedef struct gw_search {
    size_t width;             /* columns of a group, a power of 2 */
    size_t parts;             /* that each group is divided into, a power of 2 */
    gw_lists groups;          /* of each row, those that it depends on */
    int *color;               /* of each group */
    size_t runs, run;         /* that tell all parts apart, 64 of them each */
    unsigned long long *seen; /* [run][row] */
} gw_search;

/* Columns that a row is said to have, one after another up to the next piece's. */
typedef struct gw_piece {
    int row;
    size_t first;
} gw_piece;

/* Entries as they are named (sparse_entries.c). */
typedef struct gw_naming {
    gw_piece *piece;
    int *column;
    size_t pieces, columns, piece_room, column_room;
    size_t *begin;  /* of each row, the first piece that counts */
    bool no_memory; /* and the rest is not there */
} gw_naming;

/* Some of the matrix's rows or columns, and the entries that a run with them gives. */
typedef struct gw_share {
    int first_seed, first_entry;
} gw_share;

typedef enum gw_phase {
    GW_PHASE_NONE,  /* there is no pattern */
    GW_PHASE_FIND,
    GW_PHASE_CHECK, /* is it still this one? */
    GW_PHASE_VALUES
} gw_phase;

typedef struct gw_sparse_work {
    gw_sparse_form form; /* its path is that of the pattern */
    gw_phase phase;
    bool knows_path;
    gw_search search;
    gw_naming naming;
    gw_lists pattern; /* the columns of each row */
    char *kept;       /* outputs as they were */
    float *floats;
    double *doubles;
    /* In the order of the runs: what is seeded in each, and which entries it gives. */
    int *color;      /* of each column, or row */
    int *seed;       /* columns or rows, by their run */
    int *entry;      /* by the run that gives it */
    int *place;      /* and where in what the run makes; before, the row of each entry */
    gw_share *share; /* runs + 1 */
    size_t run;
} gw_sparse_work;

void gw_search_free(gw_search *search);
bool gw_search_begin(gw_sparse *matrix);   /* nothing is known yet; false: out of memory */
void gw_search_prepare(gw_sparse *matrix); /* the seeds of its next run */
/* The result of a run; *done: the pattern is there. */
gw_status gw_search_take(gw_sparse *matrix, bool *done);
void gw_naming_free(gw_naming *naming);
bool gw_naming_begin(gw_sparse *matrix);   /* as above, of a function that names entries */
void gw_naming_prepare(gw_sparse *matrix); /* what it is given */
gw_status gw_naming_take(gw_sparse *matrix);
/* sparse.c: reports it. */
gw_status gw_sparse_no_memory(void);
#endif
