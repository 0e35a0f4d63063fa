/*
 * descent.h - what examples descend with: Adam, and a line that tells how far they are.
 */
#ifndef GW_EXAMPLES_DESCENT_H
#define GW_EXAMPLES_DESCENT_H

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <vector>

#include <unistd.h>

/* Adam: each number has a step of its own. */
class adam {
  public:
    adam(size_t count, double step_size) : mean(count), square(count), size(step_size) {}
    void step(std::vector<float> &x, const std::vector<float> &gradient) {
        round++;
        for (size_t i = 0; i < x.size(); i++) {
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
            square[i] = 0.999 * square[i] + 0.001 * (double)gradient[i] * gradient[i];
            const double m = mean[i] / (1 - std::pow(0.9, round)), s = square[i] / (1 - std::pow(0.999, round));
            x[i] -= (float)(size * m / (std::sqrt(s) + 1e-12));
        }
    }

  private:
    std::vector<double> mean, square;
    double size;
    int round = 0;
};

/* At a terminal one line that is written again in every round, else a line for a tenth of the rounds. */
class progress {
  public:
    explicit progress(int count) : rounds(count), at_terminal(isatty(STDOUT_FILENO)) {}
    __attribute__((format(printf, 3, 4))) void tell(int round, const char *format, ...) const {
        const bool last = round + 1 == rounds;
        if (!at_terminal && !last && round % (rounds / 10 > 0 ? rounds / 10 : 1) != 0) return;
        va_list values;
        va_start(values, format);
        std::printf(at_terminal ? "\r\033[Kround %d of %d: " : "round %d of %d: ", round + 1, rounds);
        std::vprintf(format, values);
        if (!at_terminal || last) std::printf("\n");
        std::fflush(stdout);
        va_end(values);
    }

  private:
    int rounds;
    bool at_terminal;
};

#endif
