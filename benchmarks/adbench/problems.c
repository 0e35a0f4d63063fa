/* problems.c - the table of problems. */
#include "adbench.h"

const adbench_problem *const adbench_problems[] = {&gmm_problem, &ba_problem, &lstm_problem, &hand_problem,
                                                   NULL};
