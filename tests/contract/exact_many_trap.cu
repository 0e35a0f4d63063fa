// More additions to a cell than its accumulator takes: counted, a message and a trap; as many as it takes are
// well. Nobody makes them here: the count is written down.
#include "../support/expect.cuh"

#include <gradwright/emitted/exact.cuh>

static cudaError_t sum_of(unsigned long long additions) {
    gw_exact<float> one = {};
    one.gw_word[4] = 1ull << 22;
    one.gw_word[gw_exact_format<float>::gw_digits] = additions * GW_EXACT_ONE;
    check::device_bytes sums(sizeof one);
    sums.put(&one);
    check::array<float> to(std::vector<float>(1, 1.0f));
    const gw_exact_column<float> column = {to.data(), (gw_exact<float> *)sums.data(), 1, true};
    if (gw_exact_sum("test", nullptr, column) != GW_OK) return cudaErrorUnknown;
    const cudaError_t ended = cudaDeviceSynchronize();
    /* digit 4 has the ones: 2^-149 times 2^128 times 2^22 is 2 */
    return ended == cudaSuccess && to.get()[0] != 3.0f ? cudaErrorUnknown : ended;
}

static __global__ void add(gw_exact_column<float> into, int n) {
    for (int i = 0; i < n; i++)
        gw_exact_add(into, into.gw_array, i % 3 == 0 ? 0.0f : 1.0f);
}

/* What is counted: not what adds nothing. */
static bool counts() {
    gw_exact<float> one = {};
    check::device_bytes sums(sizeof one);
    sums.put(&one);
    check::array<float> to(std::vector<float>(1, 1.0f));
    add<<<2, 5>>>({to.data(), (gw_exact<float> *)sums.data(), 1, true}, 6);
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    sums.get(&one);
    return one.gw_word[gw_exact_format<float>::gw_digits] == 40ull * GW_EXACT_ONE;
}

int main() {
    if (!counts()) return std::printf("FAIL counted\n"), 1;
    std::printf("ok counted\n");
    if (sum_of(GW_EXACT_ADDITIONS) != cudaSuccess)
        return std::printf("FAIL as_many_as_fit: %s\n", check::cuda_failure()), 1;
    std::printf("ok as_many_as_fit\n");
    if (sum_of(GW_EXACT_ADDITIONS + 1ull) == cudaSuccess) return std::printf("FAIL one_more_traps\n"), 1;
    std::printf("ok one_more_traps\n");
    return 0;
}
