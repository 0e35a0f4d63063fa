#ifdef OBEYED
#include "cell.h"
#else
struct cell {
    double x;
};
#endif
static double total;
static int steps(int n) { return n == 0 ? 0 : 1 + steps(n - 1); }
double in_cells(const double *x, int n) {
    cell cells[4] = {};
    for (int i = 0; i < n; i++) cells[i % 4].x += x[i] * x[i];
    double s = 0;
    for (int i = 0; i < 4; i++) s += cells[(i * n) % 4].x * cells[i].x;
    return s;
}
double with_state(double x) { return total += x * x; }
double with_steps(double x, int n) { return x * x * steps(n); }
