// obeys: bad-numeric
#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_NUMERIC("wrt x, y[0:n]") double given(double x, const double *y, int n);
GW_GRADIENT("wrt x") double asked(double x) { return given(x, &x, 1); }
#else
GW_NUMERIC("f with respect to x")
double f(double x);
GW_NUMERIC("wrt x, missing")
double g(double x);
GW_NUMERIC("wrt x")
double array(const double *x, int n);
GW_NUMERIC("wrt x[0:n + s]")
double extent(const double *x, int n, double s);
GW_NUMERIC("wrt n")
double integer(double x, int n);
GW_NUMERIC("wrt x")
void writes(double *y, double x);
GW_NUMERIC("y[0:3] wrt x")
void scratch(double *y, double *work, double x);
GW_NUMERIC("y[0:3] wrt x")
void counts(double *y, int *steps, double x);
GW_NUMERIC("x[0:3] wrt x[0:3]")
void reads(const double *x, double *y);
GW_NUMERIC("y[0:3] wrt y[0:4]")
void lengths(double *y);
GW_NUMERIC("wrt x step 2")
double step(double x);
GW_NUMERIC("wrt x[0:1]")
double by_reference(const double &x);
GW_NUMERIC("wrt x")
__device__ double on_device(double x);
GW_NUMERIC("wrt x") GW_NONDIFFERENTIABLE
double none(double x);
GW_NUMERIC("wrt x") GW_NUMERIC("twice wrt x")
double twice(double x);
struct object {
    GW_NUMERIC("wrt x") double member(double x) const;
};
#endif
// says: numeric.cu:8:1: error: GW_NUMERIC("f with respect to x") of 'f': it has no 'wrt' [bad-numeric]
// says: GW_NUMERIC("f with respect to x")
// says: ^
// says:   way out: write 'f wrt x, y[0:n]', with the names of this declaration
// says: numeric.cu:10:1: error: GW_NUMERIC("wrt x, missing") of 'g': 'missing' is no parameter of it [bad-numeric]
// says: GW_NUMERIC("wrt x, missing")
// says: ^
// says:   way out: name parameters, as this declaration has them
// says: numeric.cu:12:1: error: GW_NUMERIC("wrt x") of 'array': it does not say how many numbers 'x' leads to [bad-numeric]
// says: GW_NUMERIC("wrt x")
// says: ^
// says:   way out: say how many it leads to, in numbers and the function's integers: 'x[0:n]'
// says: numeric.cu:14:1: error: GW_NUMERIC("wrt x[0:n + s]") of 'extent': the extent of 'x' is made of other things than numbers, + - * / % and its integer parameters [bad-numeric]
// says: GW_NUMERIC("wrt x[0:n + s]")
// says: ^
// says:   way out: give the function a parameter that says it
// says: numeric.cu:16:1: error: GW_NUMERIC("wrt n") of 'integer': 'n' is no floating-point number [bad-numeric]
// says: GW_NUMERIC("wrt n")
// says: ^
// says:   way out: name those that carry a derivative
// says: numeric.cu:18:1: error: GW_NUMERIC("wrt x") of 'writes': it returns no floating-point number [bad-numeric]
// says: GW_NUMERIC("wrt x")
// says: ^
// says:   way out: name what it writes: 'y[0:n] wrt x'
// says: numeric.cu:20:1: error: GW_NUMERIC("y[0:3] wrt x") of 'scratch': it may write through 'work', which it does not name [bad-numeric]
// says: GW_NUMERIC("y[0:3] wrt x")
// says: ^
// says:   way out: name it as an output, with its extent, or make that pointer const
// says: numeric.cu:22:1: error: GW_NUMERIC("y[0:3] wrt x") of 'counts': it may write integers through 'steps' [bad-numeric]
// says: GW_NUMERIC("y[0:3] wrt x")
// says: ^
// says:   way out: make that pointer const
// says: numeric.cu:24:1: error: GW_NUMERIC("x[0:3] wrt x[0:3]") of 'reads': 'x' leads to what is const [bad-numeric]
// says: GW_NUMERIC("x[0:3] wrt x[0:3]")
// says: ^
// says:   way out: name what it writes
// says: numeric.cu:26:1: error: GW_NUMERIC("y[0:3] wrt y[0:4]") of 'lengths': 'y' has two extents [bad-numeric]
// says: GW_NUMERIC("y[0:3] wrt y[0:4]")
// says: ^
// says:   way out: write one of them
// says: numeric.cu:28:1: error: GW_NUMERIC("wrt x step 2") of 'step': what follows 'step' is no number between 0 and 1 [bad-numeric]
// says: GW_NUMERIC("wrt x step 2")
// says: ^
// says:   way out: write 'step 1e-4', or leave it out
// says: numeric.cu:30:1: error: GW_NUMERIC("wrt x[0:1]") of 'by_reference': it takes a reference: take a pointer [bad-numeric]
// says: GW_NUMERIC("wrt x[0:1]")
// says: ^
// says:   way out: call it in a function of the host of your own, of scalars and pointers to scalars, and write it before that
// says: numeric.cu:32:1: error: GW_NUMERIC("wrt x") of 'on_device': it works on the device [bad-numeric]
// says: GW_NUMERIC("wrt x")
// says: ^
// says:   way out: write its derivative (GW_DERIVATIVE_OF), or call it in a function of the host
// says: numeric.cu:34:1: error: GW_NUMERIC("wrt x") of 'none': it is GW_NONDIFFERENTIABLE, too [bad-numeric]
// says: GW_NUMERIC("wrt x") GW_NONDIFFERENTIABLE
// says: ^
// says:   way out: keep one of them
// says: numeric.cu:36:21: error: GW_NUMERIC("twice wrt x") of 'twice': another one stands before it [bad-numeric]
// says: GW_NUMERIC("wrt x") GW_NUMERIC("twice wrt x")
// says:                     ^
// says:   way out: keep one of them
// says: numeric.cu:39:5: error: GW_NUMERIC("wrt x") of 'object::member': it is a member of a class [bad-numeric]
// says:     GW_NUMERIC("wrt x") double member(double x) const;
// says:     ^
// says:   way out: call it in a function of the host of your own, of scalars and pointers to scalars, and write it before that
