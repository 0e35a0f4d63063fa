// Structs without arrays are scalars; what holds an array is an object. A stored-to parameter is copied.
#include <gradwright/gradwright.h>

struct vec {
    double x, y = 2;
    vec operator+(const vec &o) const { return {x + o.x, y + o.y}; }
};
struct cell {
    vec at;
    double w[2];
};

GW_GRADIENT("out wrt p, c")
void structs(double *out, vec p, cell c, const cell *cells, int n) {
    vec q = {p.x};
    p.y += cells[n].w[1];
    q = q + p;
    cell t = c;
    double z[3] = {}, m[2][2] = {{1, q.x}, {2}};
    t.w[n & 1] += z[n] + m[1][0];
    out[0] = t.w[0] + q.y;
}
