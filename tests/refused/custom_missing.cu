#include <gradwright/gradwright.h>

double f(double x);
GW_DERIVATIVE_OF("jvp of f")
#ifdef OBEYED
double f_forward(double x, double t_x, double *t_return);
GW_DERIVATIVE_OF("pullback of f") void f_back(double x, double d_return, double *d_x);
#else
double f_forward(double x, double t_x, double *t_return);
#endif

GW_GRADIENT("wrt x")
double uses(double x) { return f(x) * x; }

int product(float *y, const float *x, cudaStream_t stream);
GW_DERIVATIVE_OF("jvp of product")
int product_jvp(float *y, const float *x, cudaStream_t stream, float *t_y, const float *t_x);
#ifdef OBEYED
GW_DERIVATIVE_OF("pullback of product")
int product_back(float *y, const float *x, cudaStream_t stream, float *d_y, float *d_x);
#endif
GW_GRADIENT("y wrt x") void back(float *y, const float *x, cudaStream_t stream) { product(y, x, stream); }
// obeys: missing-rule
// says: custom_missing.cu:13:32: error: 'f' has no custom pullback, which this derivative needs, and no body here [missing-rule]
// says: double uses(double x) { return f(x) * x; }
// says:                                ^
// says:   way out: write one: GW_DERIVATIVE_OF("pullback of f")
// says: custom_missing.cu:22:83: error: 'product' has no custom pullback, which this derivative needs, and no body here [missing-rule]
// says: GW_GRADIENT("y wrt x") void back(float *y, const float *x, cudaStream_t stream) { product(y, x, stream); }
// says:                                                                                   ^
// says:   way out: write one: GW_DERIVATIVE_OF("pullback of product")
