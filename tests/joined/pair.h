/* What one.c and two.c share. */
#ifndef PAIR_H
#define PAIR_H
struct pair {
    double u;
    int n;
};
double two(const double *x, int n);
double of_pair(const struct pair *p);
double power(double x, int n);
double large(double x, double y);
void fill(double *y, const double *x, int n);
#endif
