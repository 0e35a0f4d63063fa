#include <gradwright/gradwright.h>

struct data {
    const double *x;
    int n;
};
double sum(const double *x, int n) { return n == 0 ? 0 : x[0] * x[0] + sum(x + 1, n - 1); }

GW_GRADIENT("wrt d.x")
#ifdef OBEYED
double inside(data d) { double own[4] = {d.x[0], d.x[1], d.x[2], d.x[3]}; return sum(own, 4); }
#else
double inside(data d) { return sum(d.x, d.n); }
#endif
// obeys: unsupported
// says: call_of_member.cu:13:38: error: a pointer to a member that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says: double inside(data d) { return sum(d.x, d.n); }
// says:                                      ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
