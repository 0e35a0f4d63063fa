/*
 * test.c - asserts, for every problem at small sizes, that the derivative by hand is the objective's difference
 * quotient in the direction of each parameter, and that the generated derivative is the one by hand.
 */
#include "adbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void fail(const adbench_problem *problem, const int *size, const char *what, double difference) {
    printf("%s %d %d %d: %s, by %g\n", problem->name, size[0], size[1], size[2], what, difference);
    failures++;
}

/* The five-point formula along parameter i, into change. */
static void differentiate(const adbench_case *c, size_t i, double *values, double *change) {
    static const double weights[] = {1, -8, 0, 8, -1};
    double at = c->parameters[i], h = 0x1p-10;
    memset(change, 0, c->value_count * sizeof *change);
    for (int k = 0; k < 5; k++) {
        c->parameters[i] = at + (k - 2) * h;
        c->objective(c->data, values);
        for (size_t v = 0; v < c->value_count; v++)
            change[v] += weights[k] * values[v] / (12 * h);
    }
    c->parameters[i] = at;
}

static void check_reference(const adbench_problem *problem, const int *size, const adbench_case *c,
                            const double *derivative) {
    double *direction = adbench_doubles(c->parameter_count), *values = adbench_doubles(3 * c->value_count);
    double *change = values + c->value_count, *want = change + c->value_count;
    bool moved = false;
    for (size_t i = 0; i < c->parameter_count; i++) {
        direction[i] = 1;
        c->product(c->data, derivative, direction, change);
        direction[i] = 0;
        differentiate(c, i, values, want);
        for (size_t v = 0; v < c->value_count; v++) {
            double difference = fabs(change[v] - want[v]) / (1 + fabs(want[v]) + 1e-3 * fabs(values[v]));
            moved = moved || want[v] != 0;
            if (!(difference < 1e-8)) fail(problem, size, "by hand and difference quotient differ", difference);
        }
    }
    if (!moved) fail(problem, size, "nothing depends on the parameters", 0);
    free(direction);
    free(values);
}

/* Twice: what it has kept of the first time must do for the second. */
static void check_mode(const adbench_problem *problem, const int *size, const adbench_case *c) {
    double *want = adbench_doubles(c->mode.count), *got = adbench_doubles(c->mode.count);
    c->mode.reference(c->data, want);
    for (int time = 0; time < 2; time++) {
        if (!c->mode.run(c->data)) fail(problem, size, c->mode.name, HUGE_VAL);
        c->mode.result(c->data, got);
        double difference = adbench_difference(c->mode.count, got, want);
        if (!(difference <= c->mode.tolerance)) fail(problem, size, c->mode.name, difference);
    }
    free(want);
    free(got);
}

static void check(const adbench_problem *problem, const int *size) {
    adbench_case c = problem->make(size);
    double *want = adbench_doubles(c.derivative_count), *got = adbench_doubles(c.derivative_count);
    c.reference(c.data, want);
    check_reference(problem, size, &c, want);
    if (c.generated) {
        if (!c.generated(c.data, got)) fail(problem, size, "the gradient ran out of memory", 0);
        double difference = adbench_difference(c.derivative_count, got, want);
        if (!(difference <= 1e-10)) fail(problem, size, "generated and by hand differ", difference);
    }
    if (c.mode.name) check_mode(problem, size, &c);
    free(want);
    free(got);
    c.release(c.data);
}

int main(int argc, char **argv) {
    int checked = 0;
    for (const adbench_problem *const *p = adbench_problems; *p; p++)
        for (int i = 0; i < (*p)->small_count; i++)
            if (argc < 2 || strcmp(argv[1], (*p)->name) == 0) {
                check(*p, (*p)->small[i]);
                checked++;
            }
    printf("%d cases, %d failures\n", checked, failures);
    return failures > 0 || checked == 0;
}
