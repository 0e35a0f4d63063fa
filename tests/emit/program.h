/*
 * program.h - functions of the IR that the emission tests compile and run.
 *
 * Each has the parameters (int n, unsigned u, long long k, float x, double y, float *a, double *b, int *c,
 * float *d_x) with PROGRAM_CELLS cells behind each pointer, and writes its results there.
 */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "analysis/ir/ir.h"

enum { PROGRAM_CELLS = 16 };
enum { PROGRAM_A, PROGRAM_B, PROGRAM_C, PROGRAM_D, PROGRAM_ARRAYS };

typedef struct program {
    gw_session *s;
    gw_func *f;
    gw_builder b;
    gw_value n, u, k, x, y;
    gw_object arrays[PROGRAM_ARRAYS];
} program;

program program_new(gw_session *s, const char *name);
void program_end(program *p); /* returns */
gw_value program_named(program *p, gw_value v, const char *name);
gw_value program_load(program *p, int array, gw_value index);
void program_store(program *p, int array, gw_value index, gw_value v);
void program_store_at(program *p, int array, int index, gw_value v);

typedef void program_maker(program *p);
extern const struct program_row {
    const char *name;
    program_maker *make;
} program_rows[];
extern const uint32_t program_count;

void program_random(program *p, uint64_t seed); /* random.c */
void program_random_expressions(program *p, uint64_t seed);
#endif
