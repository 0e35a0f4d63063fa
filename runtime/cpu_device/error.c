/* Error codes: the calling thread's last error, and the lasting error that a failed kernel leaves.
 *
 * A kernel runs inside its launch, but its failure is reported as on a GPU: the launch succeeds,
 * and the next call that waits for the device returns the error, as does every call after it until
 * cudaDeviceReset. */
#include "device.h"
#include <stdatomic.h>

static _Thread_local cudaError_t last_error = cudaSuccess;
static atomic_int pending_error; /* a kernel failed, nobody has been told */
static atomic_int lasting_error; /* told: every call fails */

cudaError_t gw_cpu_error_return(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

void gw_cpu_error_kernel_failed(cudaError_t error) {
    int none = cudaSuccess;
    atomic_compare_exchange_strong(&pending_error, &none, (int)error);
}

cudaError_t gw_cpu_error_collect(void) {
    const int pending = atomic_load(&pending_error);
    if (pending != cudaSuccess) {
        int none = cudaSuccess;
        atomic_compare_exchange_strong(&lasting_error, &none, pending);
    }
    return gw_cpu_error_return((cudaError_t)atomic_load(&lasting_error));
}

void gw_cpu_error_reset(void) {
    atomic_store(&pending_error, cudaSuccess);
    atomic_store(&lasting_error, cudaSuccess);
    last_error = cudaSuccess;
}

GW_CPU_API cudaError_t cudaPeekAtLastError(void) {
    const cudaError_t lasting = (cudaError_t)atomic_load(&lasting_error);
    return lasting != cudaSuccess ? lasting : last_error;
}

GW_CPU_API cudaError_t cudaGetLastError(void) {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

typedef struct error_text {
    cudaError_t error;
    const char *name;
    const char *message;
} error_text;

static const error_text error_texts[] = {
#define GW_CPU_ERROR(name, value, message) {name, #name, message},
#include <cuda_errors.def>
#undef GW_CPU_ERROR
};

static const error_text *find_text(cudaError_t error) {
    for (size_t i = 0; i < sizeof error_texts / sizeof error_texts[0]; ++i)
        if (error_texts[i].error == error) return &error_texts[i];
    return NULL;
}

GW_CPU_API const char *cudaGetErrorString(cudaError_t error) {
    const error_text *text = find_text(error);
    return text ? text->message : "unrecognized error code";
}

GW_CPU_API const char *cudaGetErrorName(cudaError_t error) {
    const error_text *text = find_text(error);
    return text ? text->name : "unrecognized error code";
}
