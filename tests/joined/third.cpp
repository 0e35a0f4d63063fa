// What second.cpp calls, and a class whose members first.cpp calls.
#include "common.hpp"

const double rate = 0.75;
double gauge = 1.25;

namespace {
double helper(double x) { return 1 / (1 + x * x); }
}

double far::away(double x) { return std::sin(x) + helper(x); }
far::bowl::bowl(double k) : k(k) {}
double far::bowl::at(double x) const { return k * x * x + helper(k); }

tally::tally(double weight) : weight(weight), sum(0) {}
tally::tally(const tally &other) = default;
tally::~tally() {}
void tally::add(const point &p) { sum += weight * helper(p.x) * p.y; }
double tally::total() const { return sum; }
