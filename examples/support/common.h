/*
 * common.h - what examples of devices and of hosts share: options, seeded numbers, and how a check is told.
 */
#ifndef GW_EXAMPLES_COMMON_H
#define GW_EXAMPLES_COMMON_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

/* The text behind "--name" on the command line, or "". */
inline const char *text_option(int argc, char **argv, const char *name) {
    for (int i = 1; i + 1 < argc; i++)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return "";
}
/* The value of "--name N" on the command line, or `otherwise`. */
inline long option(int argc, char **argv, const char *name, long otherwise) {
    const char *const text = text_option(argc, argv, name);
    return *text ? std::strtol(text, nullptr, 10) : otherwise;
}

/* Reproducible numbers in [low, high), representable as float. */
class numbers {
  public:
    explicit numbers(uint64_t seed) : state(seed) {}
    float next(double low, double high) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double unit = (double)(state >> 40) / 16777216.0;
        return (float)(low + (high - low) * unit);
    }
    std::vector<float> array(size_t count, double low, double high) {
        std::vector<float> values(count);
        for (float &v : values)
            v = next(low, high);
        return values;
    }

  private:
    uint64_t state;
};

/* Largest |got - want| / max(|want|, mean |want|): relative, but not to values that are zero by chance. */
inline double relative_error(const std::vector<double> &got, const std::vector<double> &want) {
    double mean = 0, worst = 0;
    for (double w : want)
        mean += std::fabs(w) / (double)want.size();
    for (size_t i = 0; i < want.size(); i++) {
        double error = std::fabs(got[i] - want[i]) / std::max(std::fabs(want[i]), mean);
        worst = error <= worst ? worst : error; /* a NaN becomes the worst */
    }
    return worst;
}

/* Prints a check and returns whether it holds. */
inline bool check(const char *what, double error, double tolerance) {
    bool holds = error <= tolerance;
    std::printf("check %s: largest relative error %.2e (at most %.0e): %s\n", what, error, tolerance,
                holds ? "ok" : "FAILED");
    return holds;
}

#endif
