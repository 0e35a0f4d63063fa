/*
 * tracks.cpp - particles through a magnetic field and planes of detectors: what a track's errors become on the
 * way, and where the planes stand.
 *
 * A track is (x, y, dx/dz, dy/dz, q/p) at some z, in metres and 1/GeV. `propagate` takes it on by Runge and
 * Kutta's fourth order; its Jacobian moves covariances. `misfit` goes from plane to plane and sums up the
 * squares of what is left; its gradient, in one sweep, is that with respect to the track and to the place and
 * the angle of each plane. All of it is compared with the helix of a uniform field, which has a closed form,
 * and with differences.
 *
 *     gwcc -std=c++17 -O2 tracks.cpp -o tracks && ./tracks
 */
#include <gradwright/gradwright.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 5, PLANES = 10, TRACKS = 60, ROUNDS = 150 };
static const double LIGHT = 0.299792458; // GeV / (T m)

/* A dipole's field along y, strongest at z = middle; uniform where there is no width. */
struct magnet {
    double strength, middle, width; // T, m, m
};

struct track {
    double x, y, tx, ty, q;
};

static double field(double x, double z, magnet m) {
    if (m.width == 0) return m.strength;
    const double away = (z - m.middle) / m.width;
    return m.strength * std::exp(-away * away) * (1 + 0.05 * x * x);
}

/* The equation of motion, with z as time. */
static track slope(track t, double z, magnet m) {
    const double bend = LIGHT * t.q * field(t.x, z, m) * std::sqrt(1 + t.tx * t.tx + t.ty * t.ty);
    return {t.tx, t.ty, -bend * (1 + t.tx * t.tx), -bend * t.tx * t.ty, 0};
}

static track moved(track t, track by, double h) {
    return {t.x + h * by.x, t.y + h * by.y, t.tx + h * by.tx, t.ty + h * by.ty, t.q};
}

static track carried(track t, double from, double to, magnet m, int steps) {
    const double h = (to - from) / steps;
    for (int i = 0; i < steps; i++) {
        const double z = from + i * h;
        const track a = slope(t, z, m), b = slope(moved(t, a, h / 2), z + h / 2, m),
                    c = slope(moved(t, b, h / 2), z + h / 2, m), d = slope(moved(t, c, h), z + h, m);
        t = moved(moved(moved(moved(t, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    return t;
}

GW_JACOBIAN("out[0:5] wrt in[0:5]")
void propagate(double *out, const double *in, double from, double to, magnet m, int steps) {
    const track t = carried({in[0], in[1], in[2], in[3], in[4]}, from, to, m, steps);
    out[0] = t.x, out[1] = t.y, out[2] = t.tx, out[3] = t.ty, out[4] = t.q;
}

/* The same in a uniform field: p_x falls by LIGHT q B for each metre of z, p_y and p_xz stay. */
GW_JACOBIAN("out[0:5] wrt in[0:5]") GW_ERROR("out wrt in")
void helix(double *out, const double *in, double length, double strength) {
    const double p = 1 / std::sqrt(1 + in[2] * in[2] + in[3] * in[3]), round = std::hypot(p * in[2], p),
                 bend = LIGHT * in[4] * strength, along = p * in[2] - bend * length,
                 ahead = std::sqrt(round * round - along * along);
    out[0] = in[0] + (ahead - p) / bend;
    out[1] = in[1] + p * in[3] / bend * (std::asin(p * in[2] / round) - std::asin(along / round));
    out[2] = along / ahead;
    out[3] = p * in[3] / ahead;
    out[4] = in[4];
}

/* A plane that measures one coordinate, x turned by the angle. */
struct plane {
    double z, shift, angle;
};

GW_GRADIENT("wrt first, planes")
double misfit(const double *first, const plane *planes, const double *measured, double sigma, magnet m) {
    track t = {first[0], first[1], first[2], first[3], first[4]};
    double z = 0, sum = 0;
    for (int k = 0; k < PLANES; k++) {
        t = carried(t, z, planes[k].z, m, 4);
        z = planes[k].z;
        const double seen = t.x * std::cos(planes[k].angle) + t.y * std::sin(planes[k].angle) + planes[k].shift,
                     left = (seen - measured[k]) / sigma;
        sum += left * left;
    }
    return sum;
}

#include "tracks.grad.hpp"

#include "../support/descent.h"

static int failures;
static void expect(bool good, const char *what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    failures++;
}

/* ---- Jacobians and covariances ---- */
struct matrix {
    double at[N][N] = {};
};

static matrix product(const matrix &a, const matrix &b) {
    matrix c;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) c.at[i][j] += a.at[i][k] * b.at[k][j];
    return c;
}

static matrix transported(const matrix &jacobian, const matrix &covariance) {
    matrix turned;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) turned.at[i][j] = jacobian.at[j][i];
    return product(product(jacobian, covariance), turned);
}

static double distance(const matrix &a, const matrix &b) {
    double most = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            most = std::fmax(most, std::fabs(a.at[i][j] - b.at[i][j]) / (1 + std::fabs(b.at[i][j])));
    return most;
}

static matrix jacobian_of(const double *in, double from, double to, magnet m, int steps) {
    matrix j;
    double out[N];
    expect(propagate_jacobian(out, in, from, to, m, steps, &j.at[0][0]) == GW_OK, "memory");
    return j;
}

static matrix differences(const double *in, double from, double to, magnet m, int steps) {
    matrix j;
    for (int k = 0; k < N; k++) {
        const double h = 1e-4;
        double at[N], out[4][N];
        static const double by[4] = {1, -1, 2, -2};
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < N; c++) at[c] = in[c];
            at[k] += by[i] * h;
            propagate(out[i], at, from, to, m, steps);
        }
        for (int i = 0; i < N; i++)
            j.at[i][k] = (8 * (out[0][i] - out[1][i]) - (out[2][i] - out[3][i])) / (12 * h);
    }
    return j;
}

static void check_jacobians(const double *in) {
    const magnet uniform = {1.2, 0, 0}, dipole = {1.1, 2.5, 0.9};
    double out[N], ends[N], seeds[N] = {1, 1, 1, 1, 1}, bound = 0;
    matrix of_helix;
    expect(helix_jacobian(ends, in, 5, uniform.strength, &of_helix.at[0][0]) == GW_OK, "memory");
    propagate(out, in, 0, 5, uniform, 100);
    double worst = 0;
    for (int i = 0; i < N; i++) worst = std::fmax(worst, std::fabs(out[i] - ends[i]));
    const double apart = distance(jacobian_of(in, 0, 5, uniform, 100), of_helix);
    std::printf("uniform field: Runge-Kutta and helix differ by %.1e, their Jacobians by %.1e\n", worst, apart);
    expect(worst < 1e-8 && apart < 1e-8, "Runge-Kutta against the helix");
    expect(helix_error(ends, in, 5, uniform.strength, seeds, &bound) == GW_OK, "memory");
    std::printf("what the helix's numbers may be off by rounding, their sum: %.1e\n", bound);
    expect(bound > 1e-16 && bound < 1e-12, "the helix's rounding error");

    const matrix whole = jacobian_of(in, 0, 5, dipole, 40);
    expect(distance(whole, differences(in, 0, 5, dipole, 40)) < 1e-9, "the Jacobian against differences");
    double half[N];
    propagate(half, in, 0, 2, dipole, 16);
    const matrix second = jacobian_of(half, 2, 5, dipole, 24);
    expect(distance(product(second, jacobian_of(in, 0, 2, dipole, 16)), whole) < 1e-12, "the chain rule");

    matrix errors;
    const double sigma[N] = {1e-4, 1e-4, 1e-3, 1e-3, 1e-2};
    for (int i = 0; i < N; i++) errors.at[i][i] = sigma[i] * sigma[i];
    const matrix behind = transported(whole, errors);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            expect(std::fabs(behind.at[i][j] - behind.at[j][i]) < 1e-12, "a covariance is symmetric");
    /* back through the inverse way */
    propagate(out, in, 0, 5, dipole, 40);
    const matrix again = transported(jacobian_of(out, 5, 0, dipole, 40), behind);
    expect(distance(again, errors) < 1e-7, "covariances there and back");
    std::printf("errors at 5 m: x %.2f mm, y %.2f mm, dx/dz %.2e, correlation of x and q/p %.2f\n",
                1e3 * std::sqrt(behind.at[0][0]), 1e3 * std::sqrt(behind.at[1][1]), std::sqrt(behind.at[2][2]),
                behind.at[0][4] / std::sqrt(behind.at[0][0] * behind.at[4][4]));
}

/* ---- alignment ---- */
static double uniform_number() { return 2.0 * std::rand() / RAND_MAX - 1; }

struct sample {
    double first[N], measured[PLANES];
};

static std::vector<sample> measured_tracks(const plane *truth, double sigma, magnet m) {
    std::vector<sample> all(TRACKS);
    for (sample &s : all) {
        const double start[N] = {0.02 * uniform_number(), 0.02 * uniform_number(), 0.1 * uniform_number(),
                                 0.1 * uniform_number(), uniform_number() > 0 ? 0.1 : -0.1};
        track t = {start[0], start[1], start[2], start[3], start[4]};
        double z = 0;
        for (int k = 0; k < N; k++) s.first[k] = start[k];
        for (int k = 0; k < PLANES; k++) {
            t = carried(t, z, truth[k].z, m, 4);
            z = truth[k].z;
            s.measured[k] = t.x * std::cos(truth[k].angle) + t.y * std::sin(truth[k].angle) + truth[k].shift +
                            sigma * uniform_number();
        }
    }
    return all;
}

static double all_misfits(const std::vector<sample> &all, const plane *planes, double sigma, magnet m,
                          plane *d_planes) {
    double sum = 0;
    for (const sample &s : all) {
        double d_first[N] = {};
        sum += misfit(s.first, planes, s.measured, sigma, m);
        if (!d_planes) continue;
        const gw_status status = misfit_grad(s.first, planes, s.measured, sigma, m, d_first, d_planes);
        expect(status == GW_OK, "memory");
    }
    return sum / (TRACKS * PLANES);
}

static void check_gradient(const sample &s, const plane *planes, double sigma, magnet m) {
    double d_first[N] = {}, *numbers[2] = {};
    plane d_planes[PLANES] = {}, at[PLANES];
    double first[N];
    expect(misfit_grad(s.first, planes, s.measured, sigma, m, d_first, d_planes) == GW_OK, "memory");
    for (int k = 0; k < PLANES; k++) at[k] = planes[k];
    for (int k = 0; k < N; k++) first[k] = s.first[k];
    numbers[0] = first, numbers[1] = &at[0].z;
    const double *slopes[2] = {d_first, &d_planes[0].z};
    const int counts[2] = {N, 3 * PLANES};
    double worst = 0, largest[2] = {};
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < counts[of]; k++) largest[of] = std::fmax(largest[of], std::fabs(slopes[of][k]));
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < counts[of]; k++) {
            const double keep = numbers[of][k], h = 1e-6;
            double values[2];
            for (int up = 0; up < 2; up++) {
                numbers[of][k] = keep + (up ? h : -h);
                values[up] = misfit(first, at, s.measured, sigma, m);
            }
            numbers[of][k] = keep;
            const double off = (values[1] - values[0]) / (2 * h) - slopes[of][k];
            worst = std::fmax(worst, std::fabs(off) / largest[of]);
        }
    std::printf("gradient by %d numbers of a track and %d of planes: %.1e from differences\n", N, 3 * PLANES,
                worst);
    expect(worst < 1e-6, "the gradient against differences");
}

/* By Adam, in steps of 10 um along z, 100 um of shifts and 0.1 mrad; then in smaller ones. */
static void align(const std::vector<sample> &all, plane *planes, double sigma, magnet m) {
    static const double unit[3] = {1e-5, 1e-4, 1e-4};
    double *const numbers = &planes[0].z;
    std::vector<float> moved(3 * PLANES), slopes(3 * PLANES);
    const std::vector<double> start(numbers, numbers + 3 * PLANES);
    for (int phase = 0; phase < 3; phase++) {
        adam descent(moved.size(), std::pow(0.2, phase));
        for (int round = 0; round < ROUNDS; round++) {
            plane d_planes[PLANES] = {};
            all_misfits(all, planes, sigma, m, d_planes);
            for (int i = 0; i < 3 * PLANES; i++) slopes[i] = (float)((&d_planes[0].z)[i] * unit[i % 3]);
            descent.step(moved, slopes);
            for (int i = 0; i < 3 * PLANES; i++) numbers[i] = start[i] + unit[i % 3] * moved[i];
        }
    }
}

static double worst_of(const plane *a, const plane *b, int member) {
    double worst = 0;
    for (int k = 0; k < PLANES; k++)
        worst = std::fmax(worst, std::fabs((&a[k].z)[member] - (&b[k].z)[member]));
    return worst;
}

int main() {
    const double in[N] = {0.01, -0.02, 0.08, 0.05, 0.15}, sigma = 2e-5;
    const magnet dipole = {1.1, 2.5, 0.9};
    plane truth[PLANES], planes[PLANES];
    std::srand(1);
    for (int k = 0; k < PLANES; k++) {
        planes[k] = {0.3 + 0.5 * k, 0, k % 2 ? 0.1 : -0.1};
        truth[k] = {planes[k].z + 1e-3 * uniform_number(), 1e-4 * uniform_number(),
                    planes[k].angle + 1e-3 * uniform_number()};
    }
    check_jacobians(in);
    const std::vector<sample> all = measured_tracks(truth, sigma, dipole);
    check_gradient(all[0], planes, sigma, dipole);
    const double before = all_misfits(all, planes, sigma, dipole, nullptr), shift = worst_of(planes, truth, 1);
    align(all, planes, sigma, dipole);
    const double after = all_misfits(all, planes, sigma, dipole, nullptr);
    std::printf("alignment: squares of what is left, in sigma: %.1f before, %.2f after\n", before, after);
    std::printf("worst shift %.1f um before, %.1f um after; place along z %.0f um; angle %.2f mrad\n",
                1e6 * shift, 1e6 * worst_of(planes, truth, 1), 1e6 * worst_of(planes, truth, 0),
                1e3 * worst_of(planes, truth, 2));
    expect(after < 0.5 && worst_of(planes, truth, 1) < 2e-5, "planes that are found");
    return failures != 0;
}
