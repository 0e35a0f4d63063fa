#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x, w")
void pick(double *y, const double *x, const double *w, int n) {
#ifdef OBEYED
    const double *rows[2] = {x, w};
    for (int i = 0; i < 2; i++) y[i] = rows[i][n];
#else
    const double *first = x, *second = w;
    const double **rows = n ? &first : &second;
    for (int i = 0; i < 2; i++) y[i] = rows[i][n];
#endif
}
// obeys: unsupported
// says: pointer_into_table.cu:11:40: error: arithmetic on a pointer into a table of pointers cannot be differentiated yet [unsupported]
// says:     for (int i = 0; i < 2; i++) y[i] = rows[i][n];
// says:                                        ^
// says:   way out: index the table by its name
