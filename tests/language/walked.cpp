// Loops over tables, sets and text that nobody changes, and iterators that move through them.
#include "language.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gradwright/tape.h>

typedef std::map<int, double> table;
struct mark {
    double factor;
    int at;
};
struct tables {
    table weights;
    std::map<std::string, int> named;
    std::unordered_map<std::string, double> scales;
    std::set<int> kept;
    std::unordered_set<int> hashed;
    std::multimap<int, double> several;
    std::map<int, std::string> names;
    std::map<int, table> rows;
    std::string letters;
    std::vector<std::string> words;
    std::array<std::string, 2> pair;
    std::map<int, std::vector<double>> curves;
    std::map<std::string, std::array<double, 3>> triples;
    std::map<int, std::vector<mark>> marks;
    const table &all() const { return weights; }
};
static const table fixed = {{0, 0.5}, {2, -1.5}, {7, 0.25}};

#define WALKED(name)                                                                                           \
    GW_GRADIENT("wrt x")                                                                                       \
    GW_DERIVATIVE("wrt x") GW_SPLIT_GRADIENT("wrt x") double name(const double *x, int n, const tables &t)

WALKED(by_parts) {
    double s = n;
    for (const auto &[k, v] : t.weights)
        s += v * x[k] * x[(k + n) % DOUBLES];
    for (auto &[name, at] : t.named)
        if (name != "skipped") s *= x[at];
    for (const auto &kv : t.scales)
        s += kv.second * x[kv.first.size()] * x[n];
    return s;
}
WALKED(by_value) {
    double s = 1;
    for (auto kv : t.several) {
        kv.second *= 2;
        s += kv.second * s * x[kv.first];
    }
    for (auto [k, v] : t.all()) {
        v += k;
        s += v * x[k] * x[n];
    }
    for (auto [k, name] : t.names)
        if (name == "sum" || name.size() > 4) s += x[k] * x[k];
    return s;
}
WALKED(by_keys) {
    double s = 0;
    for (int k : t.kept) {
        if (k == 5) continue;
        s = s * x[k] + x[n];
        if (k > 8) break;
    }
    for (const int &k : t.hashed)
        s += x[k] * x[k];
    for (long k : t.kept)
        s += (double)k * x[k];
    return s;
}
WALKED(by_letters) {
    double s = x[n];
    for (char c : t.letters)
        s = std::sin(s) + x[c - 'a'];
    return s;
}
WALKED(by_rows) {
    double s = 0;
    for (const auto &[k, row] : t.rows)
        for (const auto &[j, v] : row)
            s += v * x[k] * x[j];
    for (auto &kv : fixed)
        s += kv.second * x[kv.first] * s;
    for (int i = 0; i < 2; i++)
        for (auto it = t.rows.at(i).begin(); it != t.rows.at(i).end(); ++it)
            s += it->second * x[n] * x[it->first];
    return s;
}
WALKED(by_iterator) {
    double s = 1;
    for (auto it = t.weights.begin(), end = t.weights.end(); it != end; ++it)
        s = s * 0.5 + it->second * x[it->first];
    auto found = t.named.lower_bound("b");
    for (; found != t.named.end(); found++)
        s += x[found->second] * s;
    found = t.named.find("c");
    if (found != t.named.end()) s += x[found->second] * x[0];
    auto last = t.weights.end();
    while (last != t.weights.begin()) {
        --last;
        s += last->second * x[n] * x[last->first];
    }
    return s;
}
WALKED(by_pairs) {
    double s = 0;
    for (auto it = t.weights.begin(); it != t.weights.end(); ++it)
        for (auto other = it; other != t.weights.end(); ++other)
            s += it->second * other->second * x[it->first] * x[other->first];
    auto best = t.weights.begin();
    for (auto it = t.weights.begin(); it != t.weights.end(); ++it)
        if (it->second * x[it->first] > best->second * x[best->first]) best = it;
    return best != t.weights.end() ? s + best->second * x[best->first] * x[n] : s;
}
static double sum(const std::vector<double> &v) {
    double s = 0;
    for (size_t i = 0; i < v.size(); i++) s += v[i] * (double)(i + 1);
    return s;
}
WALKED(by_sequences) {
    double s = x[n];
    for (const auto &word : t.words)
        if (word == "sum" || word.size() > 3) s = s * x[1] + 1;
    for (size_t i = 0; i < t.words.size(); i++)
        if (t.words[i] == t.pair[1]) s += x[i % DOUBLES] * x[2];
    for (const auto &[k, curve] : t.curves) {
        s += sum(curve) * x[k] * x[3];
        for (double v : curve) s += v * v * x[4];
        if (!curve.empty()) s *= curve.front() * x[5] + curve.at(0);
    }
    const auto found = t.triples.find("sum");
    if (found != t.triples.end()) s += found->second[1] * x[6] * x[6] + t.triples.at("sum")[2];
    for (const auto &each : t.marks)
        for (const auto &m : each.second) s += m.factor * x[m.at] * x[7];
    const auto copy = t.triples.begin()->second;
    return s + copy[0] * x[8];
}
static void step(table::const_iterator &it) { ++it; }
WALKED(by_helpers) {
    if (t.weights.size() < 4) return x[n];
    auto it = t.weights.begin();
    double s = x[it->first];
    std::advance(it, 2);
    s += it->second * x[it->first] * x[0];
    step(it);
    return s + it->second * x[it->first] * x[1];
}
WALKED(by_others) { // names, references and captures of one iterator
    if (t.weights.size() < 4) return x[n];
    auto it = t.weights.begin();
    const auto &same = it;
    const auto here = it;
    auto step = [&](const auto &at) {
        ++it;
        return at->second;
    };
    double s = step(it) * x[0];
    s += step(same) * x[1] * x[same->first] + here->second * x[2];
    const auto &element = *it;
    const double *const value = &it->second;
    const auto old = it;
    ++it;
    return s + element.second * x[3] * x[it->first] + old->second * x[4] + *value * x[5];
}

#include "walked.grad.hpp"

static tables given;

template <class F, class B> static void halved(const double *x, int n, double *d_x, F fwd, B bwd) {
    gw_host_tape tape = GW_HOST_TAPE;
    double value = 0;
    if (fwd(x, n, &value, &tape) != GW_OK || bwd(x, n, d_x, &tape) != GW_OK) std::exit(3);
    gw_host_tape_free(&tape);
}

#define CHECK_WALKED(name)                                                                                     \
    language_check(                                                                                            \
        #name, [](const double *x, const float *, int n) { return name(x, n, given); },                        \
        [](auto x, auto, int n, double *d_x, float *) {                                                        \
            double halves[DOUBLES];                                                                            \
            std::copy(d_x, d_x + DOUBLES, halves);                                                             \
            halved(                                                                                            \
                x, n, halves,                                                                                  \
                [](auto v, int m, double *r, gw_host_tape *tape) { return name##_fwd(v, m, given, r, tape); }, \
                [](auto v, int m, double *d, gw_host_tape *tape) {                                             \
                    return name##_bwd(v, m, given, 1.0, d, tape);                                              \
                });                                                                                            \
            (void)name##_grad(x, n, given, d_x);                                                               \
            for (int i = 0; i < DOUBLES; i++)                                                                  \
                language_compare(#name, n, "halves of x", i, halves[i], d_x[i], 1e-13);                        \
        },                                                                                                     \
        [](auto x, auto, int n, double *t_x, float *, double *t) { return name##_jvp(x, n, given, t_x, t); },  \
        false)

int main() {
    for (int round = 0; round < 3; round++) {
        given.rows[0], given.rows[1];
        for (int i = 0; i < 2 + 3 * round; i++) {
            const std::string name = i % 3 ? std::string(1 + (size_t)i, (char)('a' + i)) : "skipped";
            given.weights[(5 * i + round) % DOUBLES] = 0.25 * (i - 1);
            given.named[name] = (3 * i + 1) % DOUBLES;
            given.scales[name] = 1.0 / (i + 2);
            given.kept.insert((7 * i + 4) % DOUBLES), given.hashed.insert((2 * i + 3) % DOUBLES);
            given.several.insert({i % 3, 0.125 * i});
            given.names[i] = i % 2 ? "sum" : name;
            given.words.push_back(name), given.pair[(size_t)i % 2] = name;
            given.curves[i % 4].push_back(0.25 * i - 0.5);
            given.triples[i % 2 ? "sum" : name] = {{0.5, 0.25 * i, -0.5}};
            given.marks[i % 2].push_back({0.125 * i, i % DOUBLES});
            given.rows[i % 3][(i + round) % DOUBLES] = 0.5 * i - 1;
            given.letters += (char)('a' + (i + round) % DOUBLES);
        }
        given.named["c"] = 2;
        CHECK_WALKED(by_parts);
        CHECK_WALKED(by_value);
        CHECK_WALKED(by_keys);
        CHECK_WALKED(by_letters);
        CHECK_WALKED(by_rows);
        CHECK_WALKED(by_iterator);
        CHECK_WALKED(by_pairs);
        CHECK_WALKED(by_sequences);
        CHECK_WALKED(by_helpers);
        CHECK_WALKED(by_others);
    }
    return language_report();
}
