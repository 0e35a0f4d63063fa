// What the three sources of one program share: declarations, inline functions, templates, a class.
#pragma once
#include <cassert>
#include <cmath>
#include <vector>

struct point {
    double x, y;
};

class tally {
  public:
    explicit tally(double weight);
    tally(const tally &other);
    ~tally();
    void add(const point &p);
    double total() const;

  private:
    double weight, sum;
};

inline double square(double x) { return x * x; }
template <class T> T cube(T x) {
    assert(x == x);
    return x * square(x);
}
template <class T> T blend(T a, T b, int n); // its body and its instances are in second.cpp
extern template double blend(double a, double b, int n);

extern const double rate; // in third.cpp
static const double pi = 4 * std::atan(1.0), parts[2] = {0.5, pi / 2}; // the same in each source
static double level = 1;                                              // first.cpp alone uses its own
extern double gauge;      // in third.cpp, and changes

double length(const point &p);
double length(const point &p, double stretch);
double sum(const std::vector<double> &x, double k);
void scale(double *y, const double *x, int n, double k);
double chained(double x, int depth);
double of_constants(double x);
namespace far {
double away(double x);
struct base {
    virtual ~base() = default;
    virtual double at(double x) const = 0;
};
struct bowl : base {
    double k;
    explicit bowl(double k);
    double at(double x) const override;
};
}
