// Functions without a body that are no timers: they may write the program's memory, or what they give is needed.
#include <gradwright/gradwright.h>

struct state {
    double *x;
};
static double *kept;
#ifdef OBEYED
#define HERE(does)                                                                                             \
    { does; }
#else
#define HERE(does) ;
#endif
void step(double *x, int n) HERE((void)(x + n))
void step_of(const state *s) HERE((void)s)
void step_of_all(double *const *tables) HERE((void)tables)
void step_by(void *memory) HERE((void)memory)
double norm(const double *x, int n) HERE(return n * x[0])
double scaled(double x) HERE(return 2 * x)
long ticks() HERE(return 4)
void step_at(unsigned long address) HERE((void)address)
void step_kept(int n, double *x = kept) HERE((void)(x + n))
double now() HERE(return 0.5)

__global__ void square(double *y, const double *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }

GW_GRADIENT("y wrt x") void one(double *y, double *x, int n) {
    step(x, n);
    square<<<1, n>>>(y, x);
}
GW_GRADIENT("y wrt x") void two(double *y, double *x, int n) {
    state s{x};
    step_of(&s);
    square<<<1, n>>>(y, x);
}
GW_GRADIENT("y wrt x") void three(double *y, double *x, int n) {
    double *tables[1] = {x};
    step_of_all(tables);
    square<<<1, n>>>(y, x);
}
GW_GRADIENT("y wrt x") void four(double *y, double *x, int n) {
    step_by(x);
    square<<<1, n>>>(y, x);
}
GW_GRADIENT("y wrt x") void at_number(double *y, double *x, int n) {
    unsigned long at = n;
    for (int i = 0; i < 2; i++) {
        step_at(at);
        at = (unsigned long)x;
    }
    square<<<1, n>>>(y, (double *)at);
}
#ifndef OBEYED
GW_GRADIENT("y wrt x") void at_address(double *y, double *x, int n) {
    step_at((unsigned long)(x + 1));
    square<<<1, n>>>(y, x);
}
GW_GRADIENT("y wrt x") void by_default(double *y, double *x, int n) {
    step_kept(n);
    square<<<1, n>>>(y, x);
}
#endif
GW_GRADIENT("y wrt x") void five(double *y, double *x, int n) {
    square<<<1, ticks()>>>(y, x);
}
GW_GRADIENT("wrt x") double six(double *y, double *x, int n) {
    square<<<1, n>>>(y, x);
    return y[0] * now();
}
GW_GRADIENT("wrt x") double seven(double x) { return scaled(x); }
GW_GRADIENT("wrt x") double eight(const double *x, int n) { return norm(x, n); }
// obeys: no-rule passed-over
// says: bodiless.cu:28:5: error: function 'step' has neither a body nor a derivative rule [no-rule]
// says:     step(x, n);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of step"), or have it made of differences: GW_NUMERIC("step wrt ...")
// says: bodiless.cu:33:5: error: function 'step_of' has neither a body nor a derivative rule [no-rule]
// says:     step_of(&s);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: bodiless.cu:38:5: error: function 'step_of_all' has neither a body nor a derivative rule [no-rule]
// says:     step_of_all(tables);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: bodiless.cu:42:5: error: function 'step_by' has neither a body nor a derivative rule [no-rule]
// says:     step_by(x);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: bodiless.cu:48:9: warning: 'step_at' has no body here: the derivative does not call it, and takes it to leave alone what the function works on [passed-over]
// says:         step_at(at);
// says:         ^
// says:   way out: define it in this translation unit if it does not
// says: bodiless.cu:48:17: error: a number that may be an address, given to a function without a body cannot be differentiated yet [unsupported]
// says:         step_at(at);
// says:                 ^
// says:   way out: give it the pointer, or define the function in this translation unit
// says: bodiless.cu:55:5: error: function 'step_at' has neither a body nor a derivative rule [no-rule]
// says:     step_at((unsigned long)(x + 1));
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: bodiless.cu:59:5: error: function 'step_kept' has neither a body nor a derivative rule [no-rule]
// says:     step_kept(n);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of step_kept"), or have it made of differences: GW_NUMERIC("step_kept wrt ...")
// says: bodiless.cu:64:17: warning: 'ticks' has no body here: the derivative does not call it, and takes it to leave alone what the function works on [passed-over]
// says:     square<<<1, ticks()>>>(y, x);
// says:                 ^
// says:   way out: define it in this translation unit if it does not
// says: bodiless.cu:64:17: error: what ticks gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     square<<<1, ticks()>>>(y, x);
// says:                 ^
// says:   way out: call it outside of the function, and pass what it gives
// says: bodiless.cu:68:19: warning: 'now' has no body here: the derivative does not call it, and takes it to leave alone what the function works on [passed-over]
// says:     return y[0] * now();
// says:                   ^
// says:   way out: define it in this translation unit if it does not
// says: bodiless.cu:68:19: error: what now gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return y[0] * now();
// says:                   ^
// says:   way out: call it outside of the function, and pass what it gives
// says: bodiless.cu:70:54: error: function 'scaled' has neither a body nor a derivative rule [no-rule]
// says: GW_GRADIENT("wrt x") double seven(double x) { return scaled(x); }
// says:                                                      ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of scaled"), or have it made of differences: GW_NUMERIC("scaled wrt ...")
// says: bodiless.cu:71:68: error: function 'norm' has neither a body nor a derivative rule [no-rule]
// says: GW_GRADIENT("wrt x") double eight(const double *x, int n) { return norm(x, n); }
// says:                                                                    ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of norm"), or have it made of differences: GW_NUMERIC("norm wrt ...")
