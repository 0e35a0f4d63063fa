/*
 * binomial_test.c - the schedule of gw_binomial against the optimum: all chains of up to 150 steps with up to
 * 12 states are reversed as emitted loops do it, and never hold more states, nor run more steps, than the best
 * schedule of all (found by dynamic programming over every place of the next state) and the formula of Griewank
 * & Walther say.
 */
#include <stdio.h>

#include "gradwright/emitted/functions.h"

enum { MOST_STEPS = 150, MOST_STATES = 12 };

static long long best[MOST_STATES + 1][MOST_STEPS + 1];

/* Steps run before their turn, at least: one state is at the start. */
static void find_best(void) {
    for (int c = 1; c <= MOST_STATES; c++)
        for (int l = 0; l <= MOST_STEPS; l++) {
            best[c][l] = l ? (long long)l * (l - 1) / 2 : 0;
            for (int m = 1; c > 1 && m < l; m++) {
                long long sum = m + best[c - 1][l - m] + best[c][m];
                if (sum < best[c][l]) best[c][l] = sum;
            }
        }
}

/* r l - b(c + 1, r - 1), b(c, r) = (c + r)! / (c! r!), for the least r with l <= b(c, r). */
static long long by_formula(long long l, long long c) {
    long long r = 0, reach = 1, sum = 0;
    while (reach < l) {
        sum += reach; /* b(c, 0) + ... + b(c, r - 1) = b(c + 1, r - 1) */
        r++;
        reach = reach * (c + r) / r;
    }
    return r * l - sum;
}

typedef struct chain {
    long long at[MOST_STATES];
    int stored, most;
    long long runs;
    int bad;
} chain;

/* Runs from `from` to `to`, of steps up to `end`. */
static void run(chain *x, long long from, long long to, long long end, int states, long long next) {
    for (long long t = from; t < to; t++) {
        if (t == next) {
            if (x->stored == states) {
                x->bad++;
                return;
            }
            next = gw_binomial(t, end, states - x->stored);
            x->at[x->stored++] = t;
            if (x->stored > x->most) x->most = x->stored;
        }
        x->runs++;
    }
}

/* What follows the T steps is one more. */
static chain reverse(int steps, int states) {
    chain x = {.runs = 0};
    run(&x, 0, steps, steps + 1, states, 0);
    for (long long k = steps - 1; k >= 0; k--) {
        if (x.stored == 0 || x.at[x.stored - 1] > k) {
            x.bad++;
            break;
        }
        const long long from = x.at[x.stored - 1];
        const long long next = gw_binomial(from, k + 1, states - x.stored + 1);
        if (from == k) x.stored--;
        run(&x, from, k, k + 1, states, next);
    }
    if (x.stored) x.bad++;
    return x;
}

int main(void) {
    int failures = 0;
    find_best();
    for (int states = 1; states <= MOST_STATES; states++)
        for (int steps = 0; steps < MOST_STEPS; steps++) {
            const chain x = reverse(steps, states);
            const long long wanted = best[states][steps + 1];
            if (!x.bad && x.most <= states && x.runs == wanted && wanted == by_formula(steps + 1, states))
                continue;
            printf("%d steps, %d states: %d bad, %d stored, %lld runs, not %lld (formula %lld)\n", steps,
                   states, x.bad, x.most, x.runs, wanted, by_formula(steps + 1, states));
            failures++;
        }
    /* far away: no overflow, and progress */
    const long long far = 1ll << 62;
    for (int states = 1; states <= 65536; states *= 4) {
        const long long next = gw_binomial(5, far, states);
        if (next <= 5 || next > far || (states == 1 && next != far)) {
            printf("%d states, far: %lld\n", states, next);
            failures++;
        }
    }
    return failures != 0;
}
