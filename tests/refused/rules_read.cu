// Marks of custom derivatives that cannot be read, or are one too many.
#include <gradwright/gradwright.h>

double f(double x);
GW_DERIVATIVE_OF("pullback of f")
static void f_back(double x, double d_return, double *d_x) { *d_x += d_return * x; }
#ifndef OBEYED
GW_DERIVATIVE_OF("pullback of f")
static void f_again(double x, double d_return, double *d_x) { *d_x += d_return * x; }
#endif

double g(double x);
double g(float x);
#ifdef OBEYED
GW_DERIVATIVE_OF("pullback of g(double)")
#else
GW_DERIVATIVE_OF("pullback of g")
#endif
static void g_back(double x, double d_return, double *d_x) { *d_x += d_return * x; }

double h(double x);
#ifdef OBEYED
GW_DERIVATIVE_OF("pullback of h")
#else
GW_DERIVATIVE_OF("gradient of h")
#endif
static void h_back(double x, double d_return, double *d_x) { *d_x += d_return * x; }

GW_GRADIENT("wrt x")
double all(double x) { return f(x) * g(x) * h(x); }

// ---- on the device ----
#ifdef OBEYED
#define FOR(x) GW_ONLY_FOR(d_x)
#define ROOM
#else
#define FOR(x) GW_ONLY_FOR(x)
#define ROOM   GW_SCRATCH
#endif
int scaled(float *y, const float *x, float by, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of scaled")
void scaled_back(float *, FOR(d_bye) const float *x, float by, cudaStream_t stream, float *d_y, float *d_x,
                 float *d_by);
void worked(float *y, unsigned *room, unsigned *more, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of worked")
void worked_back(float *, GW_SCRATCH unsigned *room, ROOM unsigned *, cudaStream_t stream, float *d_y);
void stored(float *y, const float *x, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of stored")
void stored_back(ROOM float *, const float *x, cudaStream_t stream, float *d_y, float *d_x);

GW_GRADIENT("y wrt x")
void program(float *y, const float *x, unsigned *room, unsigned *more, cudaStream_t stream) {
    scaled(y, x, 2, stream);
    worked(y, room, more, stream);
    stored(y, x, stream);
}
// obeys: bad-rule rule-twice
// says: rules_read.cu:8:1: error: 'f' has another custom pullback already: 'f_back' [rule-twice]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: keep one of them
// says: rules_read.cu:17:1: error: cannot read 'pullback of g': several functions have this name [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of g")
// says: ^
// says:   way out: add the parameters: 'pullback of f(double, int)'
// says: rules_read.cu:25:1: error: cannot read 'gradient of h': it says neither 'pullback of' nor 'jvp of' [bad-rule]
// says: GW_DERIVATIVE_OF("gradient of h")
// says: ^
// says:   way out: write 'pullback of f' or 'jvp of f'
// says: rules_read.cu:41:1: error: cannot read 'pullback of scaled': GW_ONLY_FOR names no adjoint, or is said of no pointer [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of scaled")
// says: ^
// says:   way out: write it before a pointer, with the name that the adjoint has here: GW_ONLY_FOR(d_x)
// says: rules_read.cu:45:1: error: cannot read 'pullback of worked': two of its parameters are GW_SCRATCH [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of worked")
// says: ^
// says:   way out: mark the one that the pullback works in, and leave the other without a name
// says: rules_read.cu:48:1: error: cannot read 'pullback of stored': GW_SCRATCH is said of what is no pointer to integers to which the call writes [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of stored")
// says: ^
// says:   way out: take the mark away
