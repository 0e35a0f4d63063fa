/* semantics.h - what the cases of semantics_cases.cpp have in common: one signature, one record. */
#ifndef SEMANTICS_H
#define SEMANTICS_H
#ifdef __cplusplus
extern "C" {
#endif

enum { SEMANTICS_CELLS = 32, SEMANTICS_RECORDS = 4 };

typedef struct semantics_vector {
    float x, y;
} semantics_vector;
typedef struct semantics_record {
    semantics_vector position;
    double weight[3];
    int count;
    short small;
} semantics_record;

typedef double semantics_function(double *a, float *b, int *c, semantics_record *r, int n, unsigned u);
typedef struct semantics_row {
    const char *name;
    semantics_function *function;
} semantics_row;
extern const semantics_row semantics_rows[];
extern const int semantics_count;
void *semantics_global(const char *name);

#ifdef __cplusplus
}
#endif
#endif
