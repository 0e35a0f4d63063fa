/*
 * caught.cpp - what is thrown and caught in one function: variables and memory at the handler are those of the
 * place where it was thrown.
 */
#include "language.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct failed {
    int code;
    double at;
};
struct worse : failed {};
static double checked(double v) {
    if (v > 1.2) throw failed{3, v * v};
    return v * v;
}
CASE(plain) {
    double s = x[0];
    try {
        s += x[1] * x[1];
        s *= checked(x[2]) + x[3];
        s += 5 * x[4];
    } catch (const failed &e) {
        s += e.code * e.at;
    }
    return s * x[5];
}
/* A try block at each depth of nested loops: the list of ways out grows where it is one more. */
#define NESTED(INNER)                                                                                          \
    for (;;) {                                                                                                 \
        INNER;                                                                                                 \
        s += x[7];                                                                                             \
        if (s > -9) break;                                                                                     \
    }
#define CAUGHT                                                                                                 \
    try {                                                                                                      \
        s += checked(x[1]) * x[2];                                                                             \
    } catch (...) {                                                                                            \
        s *= x[3];                                                                                             \
    }
CASE(deep) {
    double s = x[0];
    CAUGHT NESTED(CAUGHT NESTED(CAUGHT NESTED(CAUGHT
        NESTED(CAUGHT NESTED(CAUGHT NESTED(CAUGHT NESTED(CAUGHT NESTED(CAUGHT NESTED(CAUGHT)))))))))
    return s;
}
CASE(loops) {
    double s = 0, last = x[0];
    for (int i = 0; i < DOUBLES; i++) {
        try {
            last = x[i];
            if (i % 3 == n) continue;
            const double t = checked(x[i]), u = checked(x[(i + 1) % DOUBLES]) * t;
            s += u;
            if (i == 9) break;
        } catch (const failed &) {
            s += last * 0.5;
            if (i > 8) return s * last;
        }
    }
    return s * last;
}
CASE(loop_inside) {
    double s = 0;
    int i = 0;
    try {
        for (i = 0; i < DOUBLES; i++)
            s += checked(x[i]) * x[0];
        s += 1000;
    } catch (...) {
        s += i * x[i];
    }
    return s;
}
CASE(nested) {
    double s = x[0];
    try {
        try {
            s *= x[1];
            if (n == 1) throw x[2] * x[2];
            if (n == 2) throw std::out_of_range("n");
            if (n == 3) throw worse{{7, x[3]}};
            s *= x[4];
        } catch (double v) {
            s += v;
            throw failed{2, s};
        } catch (const std::logic_error &) {
            s *= x[5];
        }
        s *= x[6];
    } catch (const failed &) {
        s *= x[7];
    }
    return s;
}
CASE(at) {
    std::vector<double> v(x, x + 3);
    double s = 0;
    try {
        for (int i = 0;; i++)
            s += v.at(i) * x[i + n];
    } catch (const std::out_of_range &e) {
        std::printf("%s", e.what()[0] ? "" : " ");
        s *= x[0];
    }
    return s;
}
static double add(double *to, double v) {
    *to += v;
    return v;
}
// Objects around the block are destroyed where they would be.
struct guard {
    double *to;
    double by;
    guard(double *t, double b) : to(t), by(b) { *to *= 2; }
    ~guard() { *to += by * by; }
};
CASE(around) {
    double s = x[0];
    for (int i = 0; i < 3; i++) {
        guard a(&s, x[i]);
        try {
            s *= checked(x[i + n]);
            if (i == 2) throw i;
        } catch (const failed &e) {
            guard b(&s, e.at);
            if (i == 1) return s * x[7];
        } catch (int k) {
            s += k * x[8];
            continue;
        }
        s += x[9];
    }
    return s;
}
CASE(order) {
    double s = x[0], t = 1;
    double m[3] = {x[1], x[2], x[3]};
    try {
        m[n % 3] = 2 * s + checked(x[n]) * s;
        add(&s, x[1]);
        if (x[6] < 1) throw 5;
        if (x[5] > 1.1) throw failed{2, t};
        m[1] += t;
        add(&s, m[n % 3]), add(&t, x[9]);
        t *= checked(x[n + 2]);
    } catch (int k) {
        s *= k;
    } catch (...) {
        s *= x[8] * x[8];
    }
    return s * t * m[0] * m[1] * m[2];
}
static double finds(const std::vector<double> &v, double limit) {
    for (double each : v)
        if (each > limit) throw each;
    return v[0];
}
static double first_over(const std::vector<double> &v, double limit) {
    try {
        return finds(v, limit) + 1;
    } catch (double f) {
        return f * f;
    }
}
CASE(functions) {
    std::vector<double> v(x, x + 6);
    double s = 0;
    for (int i = 0; i < 4; i++) {
        try {
            s += first_over(v, 0.8 + 0.25 * i) * x[i];
            if (i == n) throw std::string("stop");
        } catch (const std::string &text) {
            std::printf("%s", text.size() ? "" : " ");
            break;
        }
    }
    return s;
}
CASE(switched) {
    double s = x[0];
    for (int k = 0; k < 6; k++)
        try {
            switch (k) {
            case 0:
                s += checked(x[k + n]);
                break;
            case 1:
                s *= x[1]; [[fallthrough]];
            case 2:
                if (n == 2) throw 4;
                s *= checked(x[k]);
                break;
            case 3:
                continue;
            default:
                s += x[k];
                if (k > 4) return s * x[2];
            }
            s *= 1.5;
        } catch (const failed &e) {
            s += e.at;
            if (n == 3) return s;
        } catch (int) {
            s -= x[3];
        }
    return s;
}
CASE(vectors) {
    double s = x[5];
    std::vector<double> w(3);
    const std::vector<double> v(x + n, x + n + 4);
    const auto p = std::make_unique<double>(v[2]);
    double &second = *p;
    try {
        for (double each : v)
            if (each > 1.3) throw std::runtime_error("x " + std::to_string(n));
        w[0] = v[0] * v[1];
        w[1] = second * checked(x[4]);
        w[2] = v[3];
    } catch (const std::runtime_error &e) {
        s += x[1] * x[2];
    } catch (const failed &) {
        s *= w[0];
    }
    return s + w[0] + w[1] * w[2];
}
// What a base of the class catches, if nobody asks for members; an exception over one of std's.
struct numbered : std::runtime_error {
    int number;
    explicit numbered(int k) : std::runtime_error("numbered"), number(k) {}
};
struct half {
    double a, b;
    half(double v) : a(0.5 * v), b(v) {}
};
CASE(classes) {
    double s = x[0];
    for (int i = 0; i < 5; i++)
        try {
            if (i == n) throw half(x[i] * s);
            if (x[i] > 1.2) throw numbered(i);
            if (x[i] > 1.06) throw worse{{i, s}};
            s += x[i] * x[i + 1];
        } catch (const half &h) {
            s += h.a * h.b;
        } catch (const std::exception &) {
            s *= x[8];
        } catch (const failed &) {
            s += x[9] * x[i];
        }
    return s;
}
CASE(outer) {
    double s = 0;
    try {
        for (int i = 0; i < 3; i++) {
            try {
                s += checked(x[i + n]);
                if (i == 2) throw 2.5f;
            } catch (int) {
                s += 100;
            }
            s *= x[i];
        }
    } catch (const failed &e) {
        s += e.at * e.code;
    } catch (float f) {
        s *= f;
    }
    return s;
}
static void copies(double *to, const double *from, int n) {
    double *t = new double[n];
    try {
        for (int i = 0; i < n; i++) {
            t[i] = checked(from[i]);
            to[i] += t[i];
        }
    } catch (const failed &e) {
        delete[] t;
        to[0] *= e.at;
        return;
    }
    to[n - 1] += t[0];
    delete[] t;
}
CASE(freed) {
    double m[5] = {x[0], x[1], x[2], x[3], x[4]};
    copies(m, x + n, 5);
    return m[0] * m[1] + m[2] * m[3] * m[4];
}

#include "caught.grad.hpp"

int main() {
    CHECK(plain);
    CHECK(loops);
    CHECK(loop_inside);
    CHECK(nested);
    CHECK(at);
    CHECK(around);
    CHECK(order);
    CHECK(functions);
    CHECK(switched);
    CHECK(vectors);
    CHECK(classes);
    CHECK(deep);
    CHECK(outer);
    CHECK(freed);
    return language_report();
}
