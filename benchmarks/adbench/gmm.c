/* gmm.c - the objective of the Gaussian mixture, and its generated gradient. */
#include "gmm.h"

#include <math.h>

#include <gradwright/gradwright.h>

static double log_sum_exp(int n, const double *x) {
    double largest = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > largest) largest = x[i];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}

/* product = Q (point - mean), where Q is lower triangular. */
static void whiten(int d, const double *diagonal, const double *below, const double *point, const double *mean,
                   double *product) {
    double centered[d];
    for (int i = 0; i < d; i++) {
        centered[i] = point[i] - mean[i];
        product[i] = diagonal[i] * centered[i];
    }
    int next = 0;
    for (int column = 0; column < d; column++)
        for (int row = column + 1; row < d; row++)
            product[row] += below[next++] * centered[column];
}

static double square_norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* The logarithm of the multivariate gamma function. */
static double log_gamma(double a, int dimension) {
    double sum = 0.25 * dimension * (dimension - 1) * log(3.14159265358979323846);
    for (int j = 1; j <= dimension; j++)
        sum += lgamma(a + 0.5 * (1 - j));
    return sum;
}

static double log_wishart(int d, int k, double gamma, int m, const double *diagonals, const double *log_traces,
                          const double *icf) {
    int freedom = d + m + 1;
    int triangle = d * (d - 1) / 2;
    double norm = freedom * d * (log(gamma) - 0.5 * log(2)) - log_gamma(0.5 * freedom, d);
    double sum = 0;
    for (int c = 0; c < k; c++) {
        double frobenius =
            square_norm(d, diagonals + c * d) + square_norm(triangle, icf + c * (d + triangle) + d);
        sum += 0.5 * gamma * gamma * frobenius - m * log_traces[c];
    }
    return sum - k * norm;
}

GW_GRADIENT("err wrt alphas, means, icf") GW_HVP("err wrt alphas, means, icf")
void gmm_objective(int d, int k, int n, const double *UNSHARED alphas, const double *UNSHARED means,
                   const double *UNSHARED icf, const double *UNSHARED x, double gamma, int m,
                   double *UNSHARED err) {
    int factor = d * (d + 1) / 2;
    double diagonals[k * d], log_traces[k], terms[k], whitened[d];
    for (int c = 0; c < k; c++) {
        log_traces[c] = 0;
        for (int i = 0; i < d; i++) {
            log_traces[c] += icf[c * factor + i];
            diagonals[c * d + i] = exp(icf[c * factor + i]);
        }
    }
    double likelihood = 0;
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            whiten(d, diagonals + c * d, icf + c * factor + d, x + p * d, means + c * d, whitened);
            terms[c] = alphas[c] + log_traces[c] - 0.5 * square_norm(d, whitened);
        }
        likelihood += log_sum_exp(k, terms);
    }
    double constant = -0.5 * n * d * log(2 * 3.14159265358979323846);
    *err = constant + likelihood - n * log_sum_exp(k, alphas) +
           log_wishart(d, k, gamma, m, diagonals, log_traces, icf);
}

#ifndef ADBENCH_REFUSED
#include "gmm.grad.h"

bool gmm_generated(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                   const double *x, double gamma, int m, double *d_alphas, double *d_means, double *d_icf) {
    double err = 0, d_err = 1;
    return gmm_objective_grad(d, k, n, alphas, means, icf, x, gamma, m, &err, d_alphas, d_means, d_icf,
                              &d_err) == GW_OK;
}

bool gmm_product(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                 const double *x, double gamma, int m, const double *t, double *d_all, double *t_d_all) {
    const int at[2] = {k, k + k * d};
    double err = 0, t_err = 0, d_err = 1, t_d_err = 0;
    return gmm_objective_hvp(d, k, n, alphas, means, icf, x, gamma, m, &err, t, t + at[0], t + at[1], &t_err,
                             d_all, d_all + at[0], d_all + at[1], &d_err, t_d_all, t_d_all + at[0],
                             t_d_all + at[1], &t_d_err) == GW_OK;
}
#endif
