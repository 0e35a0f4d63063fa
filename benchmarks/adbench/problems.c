/* problems.c - the table of problems, and how their derivatives are compared. */
#include "adbench.h"

#include <math.h>

const adbench_problem *const adbench_problems[] = {&gmm_problem, &ba_problem, &lstm_problem, &hand_problem,
                                                   NULL};

double adbench_difference(size_t count, const double *got, const double *want) {
    double largest = 0, worst = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(want[i]));
    for (size_t i = 0; i < count; i++) {
        double difference = fabs(got[i] - want[i]) / fmax(fabs(want[i]), 1e-3 * largest);
        if (got[i] != want[i] && !(difference <= worst)) worst = difference;
    }
    return worst;
}
