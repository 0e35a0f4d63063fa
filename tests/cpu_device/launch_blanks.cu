// Launches with blanks inside of their brackets, which nvcc reads; what looks alike stays as it is.
#include "launches/launch.h"
#include <gradwright/gradwright.h>
#include <sstream>
#include <vector>
#include "check.h"

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
#include "launch_blanks.grad.cuh"

struct printed {};
template <class T> std::ostream &operator<< (std::ostream &out, printed) { return out << sizeof(T); }
template <int N> int counted(std::vector<std::vector<std::vector<int> > >) { return N; }
__global__ void store(int *p, int value) { *p = value; }

int main() {
    int *p, line = __LINE__;
    float *x;
    OK(cudaMallocManaged(&p, 64));
    OK(cudaMallocManaged(&x, 64));
    const std::string text = "k<< <1, 1>> >(p)", raw = R"(k<< <1, 1>> >(p))"; // k<< <1, 1>> >(p)
    CHECK(text.size() == 16 && text == raw && text[3] == ' ');
    store<< <1, 1>> >(p, 5);
    OK(cudaDeviceSynchronize());
    CHECK(*p == 5);
    store << < dim3(1), /* >> >( */ 1 >>
        > (p, counted<7>(std::vector<std::vector<std::vector<int> > >()));
    OK(cudaDeviceSynchronize());
    CHECK(*p == 7 && __LINE__ == line + 12);
    fill_three(p);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 3 && p[1] == 4);
    x[0] = 3, x[1] = 0, x[2] = 1, x[3] = 0;
    square_grad<< <(4 + 3) / 4, 4>> >(x + 1, x, 1, x + 2, x + 3);
    OK(cudaDeviceSynchronize());
    CHECK(x[3] == 6);
    std::ostringstream out;
    operator<< <double>(out, printed());
    CHECK(out.str() == "8");
    return 0;
}
