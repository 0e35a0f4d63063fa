/* Loops whose bounds are the least and the greatest numbers of their types, whether they run or not, with a
 * tape: nothing is subtracted from a bound before it is known that the loop runs. */
#include <gradwright/gradwright.h>
#include <limits.h>
#include <math.h>

#define STEP s = s * s * 0.5 + sin(s)
#define LOOPS(suffix, type)                                                                        \
    GW_GRADIENT("wrt x")                                                                           \
    double up_##suffix(double x, type low, type high) {                                            \
        double s = x;                                                                              \
        for (type k = low; k < high; k++) STEP;                                                    \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double down_##suffix(double x, type low, type high) {                                          \
        double s = x;                                                                              \
        for (type k = high; k > low; k--) STEP;                                                    \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double from_zero_##suffix(double x, type low, type high) {                                     \
        double s = x;                                                                              \
        for (type k = 0; k < low; k++) STEP;                                                       \
        for (type k = 0; k < low; k++) STEP;                                                       \
        return s * (double)(high > low);                                                           \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double closed_##suffix(double x, type low, type high) {                                        \
        double s = x;                                                                              \
        if (high - 1 < high)                                                                       \
            for (type k = low; k <= high - 1; k++) STEP;                                           \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double by_three_##suffix(double x, type low, type high) {                                      \
        double s = x;                                                                              \
        for (type k = low; k < high - 2; k += 3) STEP;                                             \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double while_##suffix(double x, type low, type high) {                                         \
        double s = x;                                                                              \
        while (low < high) {                                                                       \
            if (s > 100) break;                                                                    \
            STEP;                                                                                  \
            low++;                                                                                 \
        }                                                                                          \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double stored_##suffix(double x, type low, type high) {                                        \
        double s = x;                                                                              \
        GW_CHECKPOINT(2)                                                                           \
        for (type k = low; k < high; k++) STEP;                                                    \
        return s;                                                                                  \
    }                                                                                              \
    GW_GRADIENT("wrt x")                                                                           \
    double rarely_##suffix(double x, type low, type high) {                                        \
        double s = x;                                                                              \
        GW_CHECKPOINT_BINOMIAL(2)                                                                  \
        for (type k = low; k < high; k++) STEP;                                                    \
        return s;                                                                                  \
    }
LOOPS(i, int)
LOOPS(l, long long)

#include "limits.grad.h"

#include "difference.h"

#define CHECK(function, low, high)                                                                             \
    CHECK_CALL(function, low, high, EXPECT(function##_grad(at[0], low, high, &d_x) == GW_OK))
#define CHECK_CALL(function, low, high, call)                                                                 \
    do {                                                                                           \
        const double at[1] = {0.6};                                                                \
        double d_x = 0;                                                                            \
        from = low, to = high;                                                                     \
        call;                                                                                      \
        check(#function, function##_loss, at, 1, &d_x);                                            \
    } while (0)
#define LOSS(function) \
    static double function##_loss(const double *x) { return function(x[0], from, to); }

#define CHECKS(suffix, type, least, greatest)                                                      \
    static type from, to;                                                                          \
    LOSS(up_##suffix) LOSS(down_##suffix) LOSS(closed_##suffix) LOSS(by_three_##suffix)            \
    LOSS(while_##suffix) LOSS(stored_##suffix) LOSS(rarely_##suffix) LOSS(from_zero_##suffix)      \
    static void check_all_##suffix(void) {                                                         \
        const type lows[] = {least, least, 3, 3, greatest - 3, greatest, greatest, 0, -2};         \
        const type highs[] = {least, least + 3, least, 2, greatest, greatest, least, least, 2};    \
        for (int i = 0; i < 9; i++) {                                                              \
            const type low = lows[i], high = highs[i];                                             \
            CHECK(up_##suffix, low, high);                                                         \
            CHECK(down_##suffix, low, high);                                                       \
            CHECK(while_##suffix, low, high);                                                      \
            CHECK(stored_##suffix, low, high);                                                     \
            CHECK_CALL(rarely_##suffix, low, high, rarely_##suffix##_grad(at[0], low, high, &d_x));  \
            if (high > least) CHECK(closed_##suffix, low, high);                                   \
            if (high > least + 2) CHECK(by_three_##suffix, low, high);                             \
        }                                                                                          \
        CHECK(from_zero_##suffix, least, 0);                                                       \
    }

#define from from_i
#define to to_i
CHECKS(i, int, INT_MIN, INT_MAX)
#undef from
#undef to
#define from from_l
#define to to_l
CHECKS(l, long long, LLONG_MIN, LLONG_MAX)

int main(void) {
    check_all_i();
    check_all_l();
    return difference_report();
}
