/* lstm.h - the loss of a stack of diagonal LSTM cells that predicts the next vector of a sequence. */
#ifndef ADBENCH_LSTM_H
#define ADBENCH_LSTM_H

#include "adbench.h"

/*
 * weights[layers][2][4][width]: of each layer the weights, then the biases, of its forget, input and output
 * gates and of its change. extra[3][width]: weights of the input, weights and biases of the prediction.
 * state[layers][2][width]: hidden state and cell before the sequence. sequence[count][width].
 */
void lstm_objective(int layers, int count, int width, const double *UNSHARED weights,
                    const double *UNSHARED extra, const double *UNSHARED state, const double *UNSHARED sequence,
                    double *UNSHARED loss);

/* The gradient of *loss, to be added to what the last two hold. */
bool lstm_generated(int layers, int count, int width, const double *weights, const double *extra,
                    const double *state, const double *sequence, double *d_weights, double *d_extra);
void lstm_reference(int layers, int count, int width, const double *weights, const double *extra,
                    const double *state, const double *sequence, double *d_weights, double *d_extra);

#endif
