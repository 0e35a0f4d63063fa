#ifndef MODEL_H
#define MODEL_H
#ifdef __cplusplus
extern "C" {
#endif
/* The derivative of x*x*y with respect to x. */
double model_slope(double x, double y);
double spring_force(double stiffness, double x);
#ifdef __cplusplus
}
#endif
#endif
