/*
 * harness.c - times the derivatives of ADBench's problems against their objectives.
 *
 * usage: harness [--quick] [--modes] [PROBLEM...]
 *
 * A time is the median of 5, each the mean over as many calls as take 50 ms. Everything of one line is measured
 * turn by turn, so that what else the machine does meets all of it. A forward derivative's time is that of
 * one direction. The last column is the largest relative difference of the generated derivative to the one by
 * hand. With --modes, whole Jacobians and Hessians times vectors beside the generated derivatives, and how long
 * the first call takes.
 */
#include "adbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5 };

typedef struct measured {
    const adbench_case *of;
    double *values, *derivative;
} measured;

typedef void action(const measured *m);

static void run_objective(const measured *m) { m->of->objective(m->of->data, m->values); }
static void run_reference(const measured *m) { m->of->reference(m->of->data, m->derivative); }
static void run_generated(const measured *m) {
    if (m->of->generated(m->of->data, m->derivative)) return;
    fprintf(stderr, "out of memory in a generated gradient\n");
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one call. */
static double time_of(action *run, const measured *m) {
    double start = now(), end = start;
    long calls = 0;
    for (; end - start < 0.05; end = now()) {
        run(m);
        calls++;
    }
    return (end - start) / (double)calls;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, ROUNDS, sizeof *times, ascending);
    return times[ROUNDS / 2];
}

static void print_name(const adbench_problem *problem, const int *size) {
    char name[64];
    snprintf(name, sizeof name, "%s %d %d %d", problem->name, size[0], size[1], size[2]);
    if (size[2] == 0) *strrchr(name, ' ') = 0;
    printf("%-24s", name);
}

static void measure(const adbench_problem *problem, const int *size) {
    adbench_case c = problem->make(size);
    double *values = adbench_doubles(c.value_count), times[3][ROUNDS];
    double *got = adbench_doubles(c.derivative_count), *want = adbench_doubles(c.derivative_count);
    measured by_hand = {&c, values, want}, by_tool = {&c, values, got};
    for (int k = -1; k < ROUNDS; k++) { /* the first round warms up; the second writes over it */
        int at = k < 0 ? 0 : k;
        times[0][at] = time_of(run_objective, &by_hand);
        times[1][at] = time_of(run_reference, &by_hand);
        times[2][at] = c.generated ? time_of(run_generated, &by_tool) : 0;
    }
    double objective = median(times[0]);
    double reference = median(times[1]) / c.directions, generated = median(times[2]) / c.directions;
    print_name(problem, size);
    printf("%12.4f %12.4f %7.2f", 1e3 * objective, 1e3 * reference, reference / objective);
    if (c.generated)
        printf(" %12.4f %7.2f %10.1e", 1e3 * generated, generated / objective,
               adbench_difference(c.derivative_count, got, want));
    printf("%s\n", c.generated ? "" : "      refused");
    fflush(stdout);
    free(values);
    free(got);
    free(want);
    c.release(c.data);
}

static void run_mode(const measured *m) {
    if (m->of->mode.run(m->of->data)) return;
    fprintf(stderr, "out of memory in a %s\n", m->of->mode.name);
    exit(1);
}

/* The generated derivative is all of it: in forward mode, all directions one by one. */
static void measure_mode(const adbench_problem *problem, const int *size) {
    adbench_case c = problem->make(size);
    double *values = adbench_doubles(c.value_count), times[4][ROUNDS];
    double *derivative = adbench_doubles(c.derivative_count);
    double *got = adbench_doubles(c.mode.count), *want = adbench_doubles(c.mode.count);
    measured of = {&c, values, derivative};
    double begin = now();
    run_mode(&of);
    double first = now() - begin;
    for (int k = -1; k < ROUNDS; k++) {
        int at = k < 0 ? 0 : k;
        times[0][at] = time_of(run_objective, &of);
        times[1][at] = time_of(run_generated, &of);
        times[2][at] = time_of(run_mode, &of);
        times[3][at] = time_of(run_reference, &of);
    }
    double objective = median(times[0]), generated = median(times[1]), whole = median(times[2]);
    c.mode.reference(c.data, want);
    c.mode.result(c.data, got);
    print_name(problem, size);
    printf("%12.4f %9.2f %9.2f %12.4f %9.2f %9.2f %10.1e  %s\n", 1e3 * objective,
           median(times[3]) / objective, generated / objective, 1e3 * whole, whole / objective, first / whole,
           adbench_difference(c.mode.count, got, want), c.mode.name);
    fflush(stdout);
    free(values);
    free(derivative);
    free(got);
    free(want);
    c.release(c.data);
}

static bool has_mode(const adbench_problem *problem) {
    adbench_case c = problem->make(problem->small[0]);
    bool has = c.mode.name;
    c.release(c.data);
    return has;
}

static bool chosen(const char *name, int argc, char **argv) {
    bool named = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) return true;
        named = named || argv[i][0] != '-';
    }
    return !named;
}

static bool is_given(const char *option, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], option) == 0) return true;
    return false;
}

static void print_head(bool modes) {
    if (modes) {
        printf("%-24s%12s %9s %9s %12s %9s %9s %10s\n", "", "objective", "by hand", "generated", "mode", "over",
               "first", "difference");
        printf("%-24s%12s %9s %9s %12s %9s %9s\n", "", "ms", "over it", "over it", "ms", "objective", "call");
    } else {
        printf("%-24s%12s %12s %7s %12s %7s %10s\n", "", "objective", "by hand", "ratio", "generated", "ratio",
               "difference");
        printf("%-24s%12s %12s %7s %12s\n", "", "ms", "ms", "", "ms");
    }
}

int main(int argc, char **argv) {
    bool quick = is_given("--quick", argc, argv), modes = is_given("--modes", argc, argv);
    print_head(modes);
    for (const adbench_problem *const *p = adbench_problems; *p; p++)
        for (int i = 0; chosen((*p)->name, argc, argv) && i < (quick ? 1 : (*p)->published_count); i++)
            if (!modes) measure(*p, (*p)->published[i]);
            else if (has_mode(*p)) measure_mode(*p, (*p)->published[i]);
    return 0;
}
