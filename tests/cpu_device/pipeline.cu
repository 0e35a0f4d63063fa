// seeds: 1 2 3
// cuda::barrier, cuda::pipeline and asynchronous copies.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

enum { threads = 96, rounds = 5 };
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* Half of the threads fill, the others read: split arrival and waiting. */
__global__ void barriers(int *out) {
    __shared__ block_barrier ready, done;
    __shared__ int cell[threads / 2];
    if (threadIdx.x == 0) {
        init(&ready, threads);
        init(&done, threads);
    }
    __syncthreads();
    const int half = threads / 2, i = threadIdx.x % half;
    const bool fills = threadIdx.x < half;
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        if (fills) cell[i] = 100 * r + i;
        block_barrier::arrival_token token = ready.arrive();
        if (!fills) {
            ready.wait(std::move(token));
            sum += cell[half - 1 - i];
        }
        done.arrive_and_wait();
    }
    if (!fills) out[i] = sum;
}

__global__ void dropped(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 32) {
        b.arrive_and_drop();
        return;
    }
    b.arrive_and_wait();
    b.arrive_and_wait(); /* of those that are left */
    out[threadIdx.x] = 1;
}

template <int Stages> __global__ void stages(int *out, const int *from, int count) {
    __shared__ int buffer[Stages][threads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, next = 0;
    for (int i = 0; i < count; ++i) {
        for (; next < count && next < i + Stages; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[next % Stages], from + next * threads, sizeof(int) * threads,
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += buffer[i % Stages][threads - 1 - block.thread_rank()];
        pipe.consumer_release();
    }
    out[block.thread_rank()] = sum;
}

/* The first warp copies, the others add. */
__global__ void roles(int *out, const int *from, int count) {
    __shared__ int buffer[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    const bool copies = block.thread_rank() < 32;
    auto pipe = cuda::make_pipeline(block, &state,
                                    copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        if (copies) {
            pipe.producer_acquire();
            for (int k = block.thread_rank(); k < 64; k += 32)
                cuda::memcpy_async(&buffer[i % 2][k], from + 64 * i + k, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += buffer[i % 2][block.thread_rank() - 32];
            pipe.consumer_release();
        }
    }
    if (!copies) out[block.thread_rank() - 32] = sum;
}

__global__ void plain(int *out, const int *from) {
    __shared__ int a[threads], b[threads];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, a, from, sizeof a);
    cg::wait(block);
    __pipeline_memcpy_async(&b[threadIdx.x], &from[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&b[threadIdx.x], &b[threadIdx.x], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[threadIdx.x] = a[threads - 1 - threadIdx.x] + b[threadIdx.x];
    pipe.consumer_release();
}

int main() {
    int *out, *from;
    OK(cudaMallocManaged(&out, threads * sizeof *out));
    OK(cudaMallocManaged(&from, rounds * threads * sizeof *from));
    for (int i = 0; i < rounds * threads; ++i)
        from[i] = i;
    barriers<<<1, threads>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < threads / 2; ++i)
        CHECK(out[i] == 1000 + rounds * (threads / 2 - 1 - i));
    dropped<<<1, threads>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == 1 && out[31] == 1);
    stages<2><<<1, threads>>>(out, from, rounds);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < threads; ++t)
        CHECK(out[t] == threads * 10 + rounds * (threads - 1 - t));
    stages<4><<<1, threads>>>(out, from, rounds);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == threads * 10 + rounds * (threads - 1));
    roles<<<1, 96>>>(out, from, 4);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 64; ++t)
        CHECK(out[t] == 64 * 6 + 4 * t);
    plain<<<1, threads>>>(out, from);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < threads; ++t)
        CHECK(out[t] == threads - 1);
    return 0;
}
