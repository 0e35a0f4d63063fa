// A pointer is an object and an index; references are the places themselves.
#include <gradwright/gradwright.h>

static void add(double &to, const double *from, int k) { to += from[k]; }
static double *skip(double *p, int n) {
    while (n-- > 0) ++p;
    return p;
}

GW_GRADIENT("y wrt x")
void pointers(double *y, const double *x, double &total, int n) {
    const double *p = x + n;
    double s = 0, *to = &s;
    for (int i = 0; i < n; i++) {
        *to += *p++;
        if (*p < 0) p++;
    }
    double row[4] = {1, 2, 3, 4}, &second = row[1];
    second += s;
    add(total, row, 1);
    *skip(y, n) = second - (double)(p - x);
}
