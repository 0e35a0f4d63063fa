/*
 * learn.h - a metric that is learned through soft k-means (clusters.h): four clusters lie side by side, and
 * high noise hides them until x counts more than y.
 *
 * Options: --points N, --rounds N; --out DIR for the misfit over the rounds, clusters_loss.svg.
 */
#ifndef CLUSTERS_LEARN_H
#define CLUSTERS_LEARN_H

#include "../support/common.h"
#include "../support/descent.h"
#include "../support/pictures.h"

enum { clusters_made = 4, rounds_of_means = 6 };

struct metric {
    double wide, high, sharpness;
};

struct slope {
    metric of;
    std::vector<place> start, points;
};

struct problem {
    int n;
    shared_array<place> start, points, wanted, ends;
    shared_array<double> loss;

    explicit problem(int count)
        : n(count), start(first_centres()), points(make_points(count)), wanted(true_centres()),
          ends(first_centres()), loss(std::vector<double>(1)) {}

    static std::vector<place> true_centres() {
        std::vector<place> all;
        for (int c = 0; c < clusters_made; c++)
            all.push_back({c - 1.5, 0});
        return all;
    }
    static std::vector<place> first_centres() { return {{-1.2, 0.9}, {-0.3, -0.8}, {0.7, 0.7}, {1.1, -1}}; }
    static std::vector<place> make_points(int count) {
        numbers random(3);
        std::vector<place> all;
        for (int i = 0; i < count; i++) {
            const double x = i % clusters_made - 1.5;
            double off = 0; // nearly normal
            for (int k = 0; k < 4; k++)
                off += random.next(-0.15, 0.15);
            all.push_back({x + off, random.next(-2, 2)});
        }
        return all;
    }
    double value(const metric &m) {
        cluster(loss.data(), ends.data(), start.data(), points.data(), m.wide, m.high, m.sharpness,
                wanted.data(), n, clusters_made, rounds_of_means);
        wait_for_all();
        return *loss.data();
    }
    bool gradient(const metric &m, slope &d) {
        shared_array<double> d_loss(std::vector<double>{1});
        shared_array<place> d_start(std::vector<place>(clusters_made, place{0, 0}));
        shared_array<place> d_points(std::vector<place>((size_t)n, place{0, 0}));
        d.of = {0, 0, 0};
        if (cluster_grad(loss.data(), ends.data(), start.data(), points.data(), m.wide, m.high, m.sharpness,
                         wanted.data(), n, clusters_made, rounds_of_means, d_loss.data(), d_start.data(),
                         d_points.data(), &d.of.wide, &d.of.high, &d.of.sharpness) != GW_OK) {
            std::fprintf(stderr, "%s\n", gw_last_error());
            return false;
        }
        wait_for_all();
        d.start.assign(d_start.begin(), d_start.end());
        d.points.assign(d_points.begin(), d_points.end());
        return true;
    }
};

static std::vector<place> directions(size_t count, uint64_t seed) {
    numbers random(seed);
    std::vector<place> all;
    for (size_t i = 0; i < count; i++)
        all.push_back({random.next(-1, 1), random.next(-1, 1)});
    return all;
}
static double along(const std::vector<place> &d, const std::vector<place> &direction) {
    double sum = 0;
    for (size_t i = 0; i < d.size(); i++)
        sum += d[i].x * direction[i].x + d[i].y * direction[i].y;
    return sum;
}
/* By how much the value changes when f(h) moves something by h. */
template <class F> static double difference(const F &value_at) {
    const double h = 1e-6;
    return (value_at(h) - value_at(-h)) / (2 * h);
}

/* Against differences, and beside what this and the other library gave when this was written. */
static bool check_gradient() {
    const double known[] = {-1.07992545642838, 8.63415346643356, 0.503440194500564, -0.632718896288326,
                            -0.310378355305532};
    problem p(1000);
    const metric at = {1, 0.3, 3};
    slope d;
    if (!p.gradient(at, d)) return false;
    const std::vector<place> of_start = directions(d.start.size(), 5),
                             of_points = directions(d.points.size(), 6);
    const std::vector<double> got = {d.of.wide, d.of.high, d.of.sharpness, along(d.start, of_start),
                                     along(d.points, of_points)};
    const auto moved = [&](shared_array<place> &all, const std::vector<place> &direction) {
        return difference([&](double h) {
            const std::vector<place> before(all.begin(), all.end());
            for (size_t i = 0; i < direction.size(); i++)
                all.data()[i].x += h * direction[i].x, all.data()[i].y += h * direction[i].y;
            const double value = p.value(at);
            std::copy(before.begin(), before.end(), all.begin());
            return value;
        });
    };
    const std::vector<double> want = {difference([&](double h) {
                                          return p.value({at.wide + h, at.high, at.sharpness});
                                      }),
                                      difference([&](double h) {
                                          return p.value({at.wide, at.high + h, at.sharpness});
                                      }),
                                      difference([&](double h) {
                                          return p.value({at.wide, at.high, at.sharpness + h});
                                      }),
                                      moved(p.start, of_start), moved(p.points, of_points)};
    const char *const names[] = {"wide", "high", "sharpness", "first centres", "points"};
    bool holds = true;
    for (size_t i = 0; i < got.size(); i++) {
        std::printf("derivative by %s: %.15g\n", names[i], got[i]);
        holds = check("beside differences", std::fabs(got[i] / want[i] - 1), 1e-5) && holds;
        holds = check("beside the other library's", std::fabs(got[i] / known[i] - 1), 1e-9) && holds;
    }
    return holds;
}

/* By the logarithms of how wide, how high and how sharp. */
static bool learn(int points, int rounds, const std::string &folder) {
    if (!rounds) return true;
    problem p(points);
    std::vector<float> now(3, 0);
    adam descent(now.size(), 0.1);
    std::vector<double> losses;
    const progress line(rounds);
    for (int round = 0; round < rounds; round++) {
        const metric m = {std::exp(now[0]), std::exp(now[1]), std::exp(now[2])};
        slope d;
        losses.push_back(p.value(m));
        if (!p.gradient(m, d)) return false;
        line.tell(round, "misfit %.3e, x counts %.2f, y %.2f, sharpness %.2f", losses.back(), m.wide, m.high,
                  m.sharpness);
        descent.step(now, {(float)(d.of.wide * m.wide), (float)(d.of.high * m.high),
                           (float)(d.of.sharpness * m.sharpness)});
    }
    if (!folder.empty() && !write_curve(folder + "/clusters_loss.svg", "misfit over rounds", losses))
        std::fprintf(stderr, "%s/clusters_loss.svg cannot be written\n", folder.c_str());
    return check("misfit beside the first one", losses.back() / losses.front(), 0.05);
}

int main(int argc, char **argv) {
    bool holds = check_gradient();
    holds = learn((int)option(argc, argv, "--points", 2000), (int)option(argc, argv, "--rounds", 40),
                  text_option(argc, argv, "--out")) &&
            holds;
    return holds ? 0 : 1;
}

#endif
