/* lstm.c - the loss of the LSTM, and its generated gradient. */
#include "lstm.h"

#include <math.h>

#include <gradwright/gradwright.h>

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* One step of a layer: its hidden state and cell from what they were and from its input. */
static void step(int width, const double *weight, const double *bias, double *hidden, double *cell,
                 const double *input) {
    for (int i = 0; i < width; i++) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double ingate = sigmoid(hidden[i] * weight[width + i] + bias[width + i]);
        double outgate = sigmoid(input[i] * weight[2 * width + i] + bias[2 * width + i]);
        double change = tanh(hidden[i] * weight[3 * width + i] + bias[3 * width + i]);
        cell[i] = cell[i] * forget + ingate * change;
        hidden[i] = outgate * tanh(cell[i]);
    }
}

/* The whole stack's prediction of what follows `input`; moves the state on. */
static void predict(int layers, int width, const double *weights, const double *extra, double *state,
                    const double *input, double *prediction) {
    double scaled[width];
    for (int i = 0; i < width; i++)
        scaled[i] = input[i] * extra[i];
    const double *below = scaled;
    for (int l = 0; l < layers; l++) {
        const double *weight = weights + 8 * l * width;
        double *hidden = state + 2 * l * width;
        step(width, weight, weight + 4 * width, hidden, hidden + width, below);
        below = hidden;
    }
    for (int i = 0; i < width; i++)
        prediction[i] = below[i] * extra[width + i] + extra[2 * width + i];
}

static double log_sum_exp(int n, const double *x) {
    double sum = 2;
    for (int i = 0; i < n; i++)
        sum += exp(x[i]);
    return log(sum);
}

GW_GRADIENT("loss wrt weights, extra")
void lstm_objective(int layers, int count, int width, const double *UNSHARED weights,
                    const double *UNSHARED extra, const double *UNSHARED state, const double *UNSHARED sequence,
                    double *UNSHARED loss) {
    double now[2 * layers * width], prediction[width];
    for (int i = 0; i < 2 * layers * width; i++)
        now[i] = state[i];
    double total = 0;
    for (int t = 0; t < count - 1; t++) {
        predict(layers, width, weights, extra, now, sequence + t * width, prediction);
        double norm = log_sum_exp(width, prediction);
        for (int i = 0; i < width; i++)
            total += sequence[(t + 1) * width + i] * (prediction[i] - norm);
    }
    *loss = -total / ((count - 1) * width);
}

#ifndef ADBENCH_REFUSED
#include "lstm.grad.h"

bool lstm_generated(int layers, int count, int width, const double *weights, const double *extra,
                    const double *state, const double *sequence, double *d_weights, double *d_extra) {
    double loss = 0, d_loss = 1;
    return lstm_objective_grad(layers, count, width, weights, extra, state, sequence, &loss, d_weights, d_extra,
                               &d_loss) == GW_OK;
}
#endif
