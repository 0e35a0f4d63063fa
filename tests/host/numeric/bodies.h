/* Functions of another file, of which numeric.c has derivatives by differences. */
#ifndef BODIES_H
#define BODIES_H

extern int numeric_calls;
double energy(double, int, double);
double blend(const double *x, const double *w, int n);
void spread(double *y, const double *x, int i, double s);
double smooth(double *y, int n, double s);
int lookup(float *out, const float *table, const int *at, int n, float held);
float coarse(float x, float held);
double origin(double x);

#endif
