/* gmm.h - fitting a mixture of `k` Gaussians in `d` dimensions to `n` points. */
#ifndef ADBENCH_GMM_H
#define ADBENCH_GMM_H

#include "adbench.h"

/*
 * alphas[k]: logarithms of the unnormalised weights. means[k][d]. icf[k][d (d + 1) / 2]: of each inverse
 * covariance's factor first the logarithms of the diagonal, then the columns below it. x[n][d]: the points.
 * gamma, m: the Wishart prior. *err is the logarithm of the posterior.
 */
void gmm_objective(int d, int k, int n, const double *UNSHARED alphas, const double *UNSHARED means,
                   const double *UNSHARED icf, const double *UNSHARED x, double gamma, int m,
                   double *UNSHARED err);

/* The gradient of *err, to be added to what the last three hold. */
bool gmm_generated(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                   const double *x, double gamma, int m, double *d_alphas, double *d_means, double *d_icf);
/* The same, and of the Hessian times the vector t; false: out of memory. */
bool gmm_product(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                 const double *x, double gamma, int m, const double *t, double *d_all, double *t_d_all);
void gmm_reference(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                   const double *x, double gamma, int m, double *d_alphas, double *d_means, double *d_icf);

#endif
