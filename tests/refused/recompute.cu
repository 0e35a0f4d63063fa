// GW_RECOMPUTE of what would not be the same again.
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double carried(double *x, int n) {
    double v = x[0];
    for (int k = 0; k < n; k++) {
        GW_RECOMPUTE(v);
        v = v * v * 0.5;
    }
    return v;
}

GW_GRADIENT("y wrt x")
void behind_a_loop(double *y, const double *x, int n) {
    double state[9] = {0};
    for (int i = 0; i < n; i++) state[i] = x[i];
    for (int t = 0; t < n; t++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += state[i] * x[i];
        GW_RECOMPUTE(sum);
        for (int i = 0; i < n; i++) state[i] = tanh(state[i] * sum);
    }
    *y = state[0];
}

GW_GRADIENT("y wrt x")
void overwritten(double *y, const double *x, int n) {
    double state[4] = {1, 2, 3, 4};
    for (int t = 0; t < n; t++) {
        double former = state[t % 4];
        GW_RECOMPUTE(former);
        state[t % 4] = former * former * x[t];
    }
    *y = state[0];
}

GW_GRADIENT("y wrt x")
void decided(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double e = exp(v);
        bool large = e * x[k] > 0.3;
        GW_RECOMPUTE(large);
        if (large) v = tanh(e * e);
        else v = x[k] * sin(e);
    }
    *y = v;
}
// says: recompute.cu:8:9: error: GW_RECOMPUTE of 'v', but computed again it might not be the same: a loop carries it [not-the-same]
// says:         GW_RECOMPUTE(v);
// says:         ^
// says:   way out: take the mark away, or mark values that it is computed from
// says: recompute.cu:21:9: error: GW_RECOMPUTE of 'sum', but computed again it might not be the same: a branch or loop makes it [not-the-same]
// says:         GW_RECOMPUTE(sum);
// says:         ^
// says:   way out: take the mark away, or mark values that it is computed from
// says: recompute.cu:32:9: error: GW_RECOMPUTE of 'former', but computed again it might not be the same: its cell is overwritten [not-the-same]
// says:         GW_RECOMPUTE(former);
// says:         ^
// says:   way out: take the mark away, or mark values that it is computed from
// says: recompute.cu:44:9: error: GW_RECOMPUTE of 'large', but computed again it might not be the same: rounded again it might decide otherwise [not-the-same]
// says:         GW_RECOMPUTE(large);
// says:         ^
// says:   way out: take the mark away, or mark values that it is computed from
