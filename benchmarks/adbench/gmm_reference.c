/*
 * gmm_reference.c - the mixture's gradient by hand.
 *
 * With p_c = softmax(terms)_c of a point, d likelihood / d term_c = p_c, and for a term with y = Q z,
 * z = point - mean: d term / d Q_rc = -y_r z_c, d term / d mean = Q^T y. The diagonal is exp(q), so that
 * d / dq = Q_ii d / dQ_ii, and q itself is in the term once. The products y of all components are kept for a
 * point, so that nothing is computed twice.
 */
#include "gmm.h"

#include <math.h>
#include <stdlib.h>

/* y = Q z */
static void multiply(int d, const double *restrict diagonal, const double *restrict below,
                     const double *restrict z, double *restrict y) {
    for (int i = 0; i < d; i++)
        y[i] = diagonal[i] * z[i];
    for (int c = 0; c < d; c++) {
        for (int r = c + 1; r < d; r++)
            y[r] += below[r - c - 1] * z[c];
        below += d - c - 1;
    }
}

/* Adds weight times the derivatives of -|Q z|^2 / 2. */
static void add_term(int d, double weight, const double *restrict diagonal, const double *restrict below,
                     const double *restrict z, const double *restrict y, double *restrict d_mean,
                     double *restrict d_logs, double *restrict d_below) {
    for (int c = 0; c < d; c++) {
        double sum = diagonal[c] * y[c], scaled = weight * z[c];
        d_logs[c] -= scaled * y[c] * diagonal[c];
        for (int r = c + 1; r < d; r++) {
            sum += below[r - c - 1] * y[r];
            d_below[r - c - 1] -= scaled * y[r];
        }
        below += d - c - 1;
        d_below += d - c - 1;
        d_mean[c] += weight * sum;
    }
}

/* x becomes softmax(x). */
static void softmax(int n, double *x) {
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++)
        sum += x[i] = exp(x[i] - largest);
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}

void gmm_reference(int d, int k, int n, const double *alphas, const double *means, const double *icf,
                   const double *x, double gamma, int m, double *d_alphas, double *d_means, double *d_icf) {
    int factor = d * (d + 1) / 2;
    double *diagonals = adbench_doubles((size_t)(3 * d + 2) * (size_t)k);
    double *z = diagonals + d * k, *y = z + d * k, *terms = y + d * k, *traces = terms + k;
    for (int c = 0; c < k; c++)
        for (int i = 0; i < d; i++) {
            traces[c] += icf[c * factor + i];
            diagonals[c * d + i] = exp(icf[c * factor + i]);
        }
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            double sum = 0;
            for (int i = 0; i < d; i++)
                z[c * d + i] = x[p * d + i] - means[c * d + i];
            multiply(d, diagonals + c * d, icf + c * factor + d, z + c * d, y + c * d);
            for (int i = 0; i < d; i++)
                sum += y[c * d + i] * y[c * d + i];
            terms[c] = alphas[c] + traces[c] - 0.5 * sum;
        }
        softmax(k, terms);
        for (int c = 0; c < k; c++) {
            d_alphas[c] += terms[c];
            for (int i = 0; i < d; i++)
                d_icf[c * factor + i] += terms[c];
            add_term(d, terms[c], diagonals + c * d, icf + c * factor + d, z + c * d, y + c * d,
                     d_means + c * d, d_icf + c * factor, d_icf + c * factor + d);
        }
    }
    for (int c = 0; c < k; c++) {
        terms[c] = alphas[c];
        for (int i = 0; i < d; i++)
            d_icf[c * factor + i] += gamma * gamma * diagonals[c * d + i] * diagonals[c * d + i] - m;
        for (int i = d; i < factor; i++)
            d_icf[c * factor + i] += gamma * gamma * icf[c * factor + i];
    }
    softmax(k, terms);
    for (int c = 0; c < k; c++)
        d_alphas[c] -= n * terms[c];
    free(diagonals);
}
