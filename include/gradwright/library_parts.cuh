/*
 * library_parts.cuh - what the pullbacks of NVIDIA's libraries have in common (cublas.cuh, cufft.cuh,
 * curand.cuh, cusolver.cuh, cusparse.cuh): memory until the end of a call, sizes of grids, statuses that are
 * handed on.
 */
#ifndef GRADWRIGHT_LIBRARY_PARTS_CUH
#define GRADWRIGHT_LIBRARY_PARTS_CUH

#include <cuda_runtime.h>

#include <stddef.h>

/* Returns from a function of that status type, unless the call was good. */
#define GW_LIBRARY_TRY(status, good, call)                                                                     \
    do {                                                                                                       \
        const status gw_library_status = (call);                                                               \
        if (gw_library_status != (good)) return gw_library_status;                                             \
    } while (0)

/* Room for numbers on the device until the end of a pullback; `at` is null where there is none. */
template <class T> struct gw_library_room {
    T *at = nullptr;
    cudaStream_t stream;
    gw_library_room(size_t count, cudaStream_t on) : stream(on) {
        if (cudaMallocAsync((void **)&at, count * sizeof(T) + (count == 0), on) != cudaSuccess) at = nullptr;
    }
    gw_library_room(const gw_library_room &) = delete;
    gw_library_room &operator=(const gw_library_room &) = delete;
    ~gw_library_room() {
        if (at) cudaFreeAsync(at, stream);
    }
};

/* Blocks of 256 threads for so many numbers, of which threads may take several. */
inline unsigned gw_library_blocks(size_t count) {
    return (unsigned)(count < 1u << 20 ? (count + 255) / 256 : 4096);
}

#endif
