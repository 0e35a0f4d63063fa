/*
 * lstm_reference.c - the LSTM's gradient by hand: backpropagation through time.
 *
 * The forward sweep keeps, for each step and layer, the four gates, tanh(cell), the former cell and hidden
 * state, and the layer's input, in one record of 8 rows; and the weights of the loss in each prediction.
 */
#include "lstm.h"

#include <math.h>
#include <stdlib.h>

enum { FORGET, INGATE, OUTGATE, CHANGE, SQUASHED, CELL, HIDDEN, INPUT, ROWS };

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* Fills the record of a layer's step; the new hidden state and cell replace the old. */
static void forward(int width, const double *restrict w, const double *input, double *restrict state,
                    double *restrict record) {
    const double *bias = w + 4 * width;
    for (int i = 0; i < width; i++) {
        double *r = record + i, x = input[i], hidden = state[i], cell = state[width + i];
        r[FORGET * width] = sigmoid(x * w[i] + bias[i]);
        r[INGATE * width] = sigmoid(hidden * w[width + i] + bias[width + i]);
        r[OUTGATE * width] = sigmoid(x * w[2 * width + i] + bias[2 * width + i]);
        r[CHANGE * width] = tanh(hidden * w[3 * width + i] + bias[3 * width + i]);
        r[CELL * width] = cell;
        r[HIDDEN * width] = hidden;
        r[INPUT * width] = x;
        state[width + i] = cell * r[FORGET * width] + r[INGATE * width] * r[CHANGE * width];
        r[SQUASHED * width] = tanh(state[width + i]);
        state[i] = r[OUTGATE * width] * r[SQUASHED * width];
    }
}

/* d_state holds the adjoints of the state after the step, and then of the state before; d_input is written. */
static void backward(int width, const double *restrict w, const double *restrict record, double *restrict d_w,
                     double *restrict d_state, double *restrict d_input) {
    double *d_bias = d_w + 4 * width;
    for (int i = 0; i < width; i++) {
        const double *r = record + i;
        double forget = r[FORGET * width], ingate = r[INGATE * width], outgate = r[OUTGATE * width];
        double change = r[CHANGE * width], squashed = r[SQUASHED * width], d_hidden = d_state[i];
        double d_cell = d_state[width + i] + d_hidden * outgate * (1 - squashed * squashed);
        double a = d_cell * r[CELL * width] * forget * (1 - forget);
        double b = d_cell * change * ingate * (1 - ingate);
        double c = d_hidden * squashed * outgate * (1 - outgate);
        double e = d_cell * ingate * (1 - change * change);
        d_w[i] += a * r[INPUT * width];
        d_w[width + i] += b * r[HIDDEN * width];
        d_w[2 * width + i] += c * r[INPUT * width];
        d_w[3 * width + i] += e * r[HIDDEN * width];
        d_bias[i] += a;
        d_bias[width + i] += b;
        d_bias[2 * width + i] += c;
        d_bias[3 * width + i] += e;
        d_input[i] = a * w[i] + c * w[2 * width + i];
        d_state[i] = b * w[width + i] + e * w[3 * width + i];
        d_state[width + i] = d_cell * forget;
    }
}

/* The loss's derivatives by the prediction, from top to d_prediction: softmax with 2 more in its sum. */
static void weigh(int width, const double *extra, const double *top, const double *gold, double scale,
                  double *d_prediction) {
    double sum = 2, mass = 0;
    for (int i = 0; i < width; i++) {
        sum += d_prediction[i] = exp(top[i] * extra[width + i] + extra[2 * width + i]);
        mass += gold[i];
    }
    for (int i = 0; i < width; i++)
        d_prediction[i] = scale * (gold[i] - mass * d_prediction[i] / sum);
}

void lstm_reference(int layers, int count, int width, const double *weights, const double *extra,
                    const double *state, const double *sequence, double *d_weights, double *d_extra) {
    int layer = 2 * width, record = ROWS * width, steps = count - 1;
    double *now = adbench_doubles((size_t)(2 * layers * layer + 2 * width));
    double *d_now = now + layers * layer, *scaled = d_now + layers * layer, *d_below = scaled + width;
    double *tape = adbench_doubles((size_t)steps * (size_t)(layers * record + 2 * width));
    double *tops = tape + (size_t)steps * (size_t)(layers * record), *d_predictions = tops + steps * width;
    double scale = -1.0 / (steps * width);
    for (int i = 0; i < layers * layer; i++)
        now[i] = state[i];
    for (int t = 0; t < steps; t++) {
        const double *below = scaled;
        for (int i = 0; i < width; i++)
            scaled[i] = sequence[t * width + i] * extra[i];
        for (int l = 0; l < layers; l++) {
            forward(width, weights + 4 * layer * l, below, now + l * layer, tape + (t * layers + l) * record);
            below = now + l * layer;
        }
        for (int i = 0; i < width; i++)
            tops[t * width + i] = below[i];
        weigh(width, extra, below, sequence + (t + 1) * width, scale, d_predictions + t * width);
    }
    for (int t = steps - 1; t >= 0; t--) {
        for (int i = 0; i < width; i++) {
            double d_prediction = d_predictions[t * width + i];
            d_extra[width + i] += d_prediction * tops[t * width + i];
            d_extra[2 * width + i] += d_prediction;
            d_below[i] = d_prediction * extra[width + i];
        }
        for (int l = layers - 1; l >= 0; l--) {
            for (int i = 0; i < width; i++)
                d_now[l * layer + i] += d_below[i];
            backward(width, weights + 4 * layer * l, tape + (t * layers + l) * record,
                     d_weights + 4 * layer * l, d_now + l * layer, d_below);
        }
        for (int i = 0; i < width; i++)
            d_extra[i] += d_below[i] * sequence[t * width + i];
    }
    free(now);
    free(tape);
}
