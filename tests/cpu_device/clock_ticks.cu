// clock() counts as the device's clock rate says: a wait of ten milliseconds is one.
#include "check.h"
#include <chrono>
__global__ void wait_for(clock_t ticks) {
    const clock_t start = clock();
    while (clock() - start < ticks) {}
}
int main() {
    int kilohertz;
    OK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
    const auto start = std::chrono::steady_clock::now();
    wait_for<<<1, 1>>>((clock_t)kilohertz * 10);
    OK(cudaDeviceSynchronize());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(seconds >= 0.0099 && seconds < 5);
    return 0;
}
