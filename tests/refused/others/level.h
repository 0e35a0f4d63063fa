#pragma once
#ifdef OBEYED
extern double level, levels[2];
extern const double edge;
double counted();
extern const double drawn;
#else
static double level = 1, levels[2] = {1, 2};
static const double edge = 2;
double counted();
static const double drawn = counted();
#endif
namespace {
double scaled(double x) { return x * level; }
}
double at_level(double x);
double at_levels(double x);
double at_drawn(double x);
double by_header(double x);
const double *edge_of_other();
