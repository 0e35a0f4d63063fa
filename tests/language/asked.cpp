// Text, tables and sets that a parameter leads to: what they say decides, and is read, as often as needed.
#include "language.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

struct weight {
    double factor;
    int at;
};
struct options {
    std::string mode;
    int power = 0;
    std::map<std::string, double> scale;
    std::map<int, weight> weights;
};
static const std::map<int, double> table = {{0, 0.5}, {2, 1.5}, {3, -1.0}};

static double shaped(const std::string &mode, double x) {
    if (mode == "cube") return x * x * x;
    return mode != "" && mode[0] == 's' ? x * x : std::sin(x);
}

#define ASKED(name, ...) \
    GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double name(const double *x, int n, __VA_ARGS__)

ASKED(by_text, const std::string &mode, std::string_view unit) {
    double s = 0;
    for (int i = 0; i < DOUBLES; i++) {
        s += shaped(mode, x[i]) * (i + 1);
        if (unit.empty() || unit == "half") s *= 0.5;
    }
    if (mode.size() > 3 && mode.find("q") != std::string::npos) s *= x[n];
    if (mode == "$1" || mode == "a;\"$0.x[2]") s *= 3;
    return mode < "d" ? s * s : s;
}

ASKED(by_options, const options &o) {
    double s = 0;
    const std::string &mode = o.mode;
    for (int i = 0; i < DOUBLES; i++) {
        double p = 1;
        for (int k = 0; k < o.power; k++) p *= x[i];
        s += p * (i - n);
    }
    if (o.scale.count("all")) s *= o.scale.at("all");
    for (int i = 0; i < DOUBLES; i++) {
        const auto found = o.weights.find(i % 5);
        if (found == o.weights.end()) continue;
        s += found->second.factor * x[i] * x[found->second.at];
    }
    return s + shaped(mode, x[n]) + shaped(o.mode, x[1]);
}

ASKED(by_sets, const std::unordered_map<int, int> &next, const std::set<int> &fixed,
      const std::unordered_set<int> &doubled) {
    double s = 0;
    int at = n;
    for (int k = 0; k < 20; k++) {
        if (fixed.count(at)) break;
        s += (doubled.count(at % 3) ? 2.0 : 1.0) * x[at] * x[k % DOUBLES];
        auto it = next.find(at);
        at = it != next.end() ? it->second : 0;
    }
    return s * (next.empty() ? 1.0 : (double)next.size());
}

class named {
    std::string own;

  public:
    explicit named(const char *name) : own(name) {}
    double of(double x, const std::string &name) const { return own == name ? x * x : x; }
};
ASKED(by_keys, const options &o, const std::string &key, const named &who) {
    double s = who.of(x[1], o.mode) + who.of(x[2], key) * x[3];
    for (int i = 0; i < n; i++) {
        const auto found = o.scale.find(key);
        s += found != o.scale.end() ? found->second * x[i] * x[i + 1] : std::sin(x[i]);
        if (o.scale.count(key) && o.scale.at(key) > 0.25) s *= x[4];
        if (o.mode != key.substr(0, 1 + (size_t)i)) s += x[i] * x[5];
    }
    return s;
}

/* What only says where text is, constants, and a struct by value. */
#define QUAD "qu" "ad\?"
constexpr std::string_view half_name = "half";
static const std::string cube_name = "cube";
static const char *const literal = "square";
constexpr char letters[] = "fast";
class record {
    std::string own;
    std::map<int, double> scales;

  public:
    record(const std::string &name, double scale) : own(name) { scales[1] = scale; }
    const std::string &name() const { return own; }
    const std::map<int, double> &table() const { return (scales); }
};
struct holder {
    int power = 2;
    std::string mode;
    record inner = record("square", 0.5);
    const record &part() const { return inner; }
};
static const std::string &name_of(const holder &h) { return h.part().name(); }

ASKED(by_getters, const holder &h, holder value, const record &r) {
    double s = x[n];
    const std::string key = "a$1";
    if (r.name() == literal || name_of(h) == r.name()) s *= x[1];
    if (r.table().count(1) && h.part().table().at(1) > 0.25) s += r.table().at(1) * x[2] * x[3];
    if (value.mode == QUAD || value.mode == letters) s *= x[4];
    if (value.mode != key) s += value.power * x[5] * x[5];
    if (value.mode == half_name || value.mode.size() > 5) s = s * s;
    if (value.mode == cube_name || r.name().empty()) s *= x[7];
    return !r.name().empty() && r.name().at(0) == 's' ? s * x[6] : s;
}

struct settings {
    const char *name;
    char kind[8];
};
ASKED(by_literals, const char *mode, const settings *s) {
    double sum = x[n];
    if (strcmp(mode, "cube") == 0) sum *= x[1] * x[2];
    if (!std::strncmp(s->name, "squad", 2 + (size_t)n)) sum *= x[3];
    return strlen(s->kind) > 3 && strcmp(s->kind, "fast") ? sum * sum : sum * (1 + atof(s->kind));
}

CASE(by_table) {
    double s = 0;
    for (int i = 0; i < DOUBLES; i++)
        if (table.count(i % 4)) s += table.at(i % 4) * x[i] * x[(i + n) % DOUBLES];
    return s;
}

/* Steps in conditions, and places beside one. */
static const std::map<int, double> steps = {{0, 0.5}, {2, 1.5}, {5, 2.5}, {7, 1}};
CASE(by_steps) {
    double s = x[n];
    auto it = steps.begin();
    while (++it != steps.end()) s += it->second * x[it->first] * x[n];
    for (auto at = steps.end(); --at != std::next(steps.begin());) s += at->second * x[0] * x[1];
    auto k = std::next(steps.begin());
    for (; k != std::prev(steps.end()); ++k) s *= k->second * x[2];
    it = steps.begin();
    while (it != steps.end() && ++it != steps.end()) {
        if (it->first == 2 + n) continue;
        auto behind = std::next(it);
        if (behind == steps.end()) break;
        s += behind->second * x[3] * x[3];
    }
    return s * (double)std::distance(steps.begin(), steps.end()) * std::next(steps.begin(), n % 3)->second;
}

/* A copy that the function changes is asked nothing. */
GW_GRADIENT("wrt x") double unasked(double x, std::string name, std::string_view view) {
    name += "!";
    view.remove_prefix(1);
    return x * x;
}

#include "asked.grad.hpp"

static options given;
static std::string mode, unit;
static settings held;
static holder held_by;
static record shown("", 0);
static const named who("square");
static std::unordered_map<int, int> next;
static std::set<int> fixed;
static std::unordered_set<int> doubled;

template <class F, class G, class T>
static void check(const char *name, language_case *f, F, G gradient, T tangent) {
    language_check(
        name, f, [&](auto x, auto, int n, double *d_x, float *) { gradient(x, n, d_x); },
        [&](auto x, auto, int n, double *t_x, float *, double *t) { return tangent(x, n, t_x, t); }, false);
}
#define CHECK_ASKED(name, ...)                                                                     \
    check(#name, [](const double *x, const float *, int n) { return name(x, n, __VA_ARGS__); }, 0, \
          [](auto x, int n, double *d_x) { name##_grad(x, n, __VA_ARGS__, d_x); },                 \
          [](auto x, int n, double *t_x, double *t) { return name##_jvp(x, n, __VA_ARGS__, t_x, t); })

int main() {
    for (const char *m : {"cube", "square", "q", "$1", "", "squad", "a;\"$0.x[2]"})
        for (const char *u : {"", "half", "fast"}) {
            mode = m, unit = u;
            CHECK_ASKED(by_text, mode, unit);
            given.mode = m;
            CHECK_ASKED(by_options, given);
            CHECK_ASKED(by_keys, given, mode, who);
            held.name = m;
            strcpy(held.kind, *u ? u : "0.5");
            CHECK_ASKED(by_literals, mode.c_str(), &held);
            held_by.mode = *u ? u : *m == '$' ? "quad?" : m;
            shown = record(m, given.power);
            CHECK_ASKED(by_getters, held_by, held_by, shown);
            given.power = (given.power + 1) % 3 + 1;
            given.weights[(int)given.weights.size()] = {0.25 * given.power, given.power};
            if (given.weights.size() > 3) given.scale["all"] = given.scale["squad"] = 0.5;
        }
    for (int i = 0; i < 6; i++) {
        CHECK_ASKED(by_sets, next, fixed, doubled);
        next[i] = (3 * i + 4) % DOUBLES;
        if (i > 3) fixed.insert(2 * i), doubled.insert(i - 3);
    }
    CHECK(by_table);
    CHECK(by_steps);
    double d_x = 0;
    unasked_grad(3, "name", "view", &d_x);
    language_compare("unasked", 0, "x", 0, d_x, 6, 0);
    return language_report();
}
