// expect: 51.6673
// The C++ library beside device code: host headers of every kind, and <cmath> inside a kernel.
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <complex>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>
using namespace std;
__global__ void k(float *p, int n) {
    float a = max(p[0], 1.0f), b = std::max(p[1], 2.0f);
    int c = min(n, 3);
    array<float, 3> q{1, 2, 3};
    float big = std::numeric_limits<float>::max();
    auto t = std::make_tuple(1, 2.0f);
    p[2] = a + b + c + q[1] + pow(p[0], 2.0f) + pow(p[0], 2) + abs(p[0] - 5) + fabs(p[1]) + sqrt(p[0]) +
           isnan(p[0]) + std::get<1>(t) + (big > 1) + exp(p[0]) + std::exp(p[1]) + fminf(1, 2) + tanh(p[0]) +
           floorf(1.5f) + std::abs(-3) + fmod(3.0f, 2.0f) + round(p[0]) + copysignf(1, -1) + isfinite(p[0]) +
           signbit(p[0]) + lround(p[0]) + log1p(p[1]) + atan2(p[0], p[1]) + hypot(p[0], p[1]) +
           fma(1.f, 2.f, 3.f) + ldexp(p[0], 2);
}
int main() {
    float *p;
    cudaMallocManaged(&p, 12);
    p[0] = 1;
    p[1] = 2;
    k<<<1, 1>>>(p, 4);
    cout << p[2] << endl;
    vector<int> v{3, 1, 2};
    sort(v.begin(), v.end());
    return v[0] != 1;
}
