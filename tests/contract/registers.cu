// What is said of a launch that fails: where the block is larger than the registers of the kernel allow, what
// to do.
#include <cuda_runtime.h>

static cudaError_t fails(const void *, dim3, dim3, void **, size_t, cudaStream_t) {
    return cudaErrorLaunchOutOfResources;
}
static cudaError_t compiled(cudaFuncAttributes *is, const void *) {
    *is = cudaFuncAttributes();
    is->numRegs = 72, is->maxThreadsPerBlock = 896;
    return cudaSuccess;
}
#define cudaLaunchKernel fails
#define cudaFuncGetAttributes compiled
#include <gradwright/emitted/device.cuh>
#undef cudaLaunchKernel
#undef cudaFuncGetAttributes

#include "../support/expect.cuh"

__global__ void nothing() {}

static std::string said(dim3 block) {
    if (gw_launch("f_grad_launch", nothing, dim3(1), block, 0, nullptr) != GW_ERROR_CUDA) return "no error";
    return gw_last_error();
}

TEST(a_block_with_too_many_registers) {
    EXPECT(said(dim3(32, 32)) == "f_grad_launch: too many resources requested for launch: with 72 registers a "
                                 "thread a block has at most 896 threads, "
                                 "not 1024; declare the primal __launch_bounds__(1024)");
}
TEST(another_reason) {
    EXPECT(said(dim3(896)) == "f_grad_launch: too many resources requested for launch");
    EXPECT(said(dim3(2048)) == "f_grad_launch: too many resources requested for launch");
}
TEST_MAIN
