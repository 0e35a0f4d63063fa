// Streams keep their order, events measure, stale handles are errors.
#include "check.h"

__global__ void add(int *p, int v) { *p = *p * 10 + v; }
__global__ void spin(float *p) {
    for (int i = 0; i < 200000; ++i)
        *p = *p * 0.5f + 1.0f;
}
static void CUDART_CB note(void *data) { *(int *)data = *(int *)data * 10 + 3; }

int main() {
    cudaStream_t a, b;
    cudaEvent_t start, end, untimed;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    int *p, back;
    OK(cudaMallocHost(&p, sizeof *p));
    OK(cudaMemsetAsync(p, 0, sizeof *p, a));
    add<<<1, 1, 0, a>>>(p, 1);
    OK(cudaEventRecord(untimed, a));
    OK(cudaStreamWaitEvent(b, untimed, 0));
    add<<<1, 1, 0, b>>>(p, 2);
    OK(cudaLaunchHostFunc(b, note, p));
    OK(cudaMemcpyAsync(&back, p, sizeof back, cudaMemcpyDeviceToHost, b));
    OK(cudaStreamSynchronize(b));
    CHECK(back == 123);
    float milliseconds = -1, *f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
    OK(cudaMallocManaged(&f, sizeof *f));
    *f = 0;
    OK(cudaEventRecord(start));
    spin<<<1, 1>>>(f);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&milliseconds, start, end));
    CHECK(milliseconds > 0.01f && milliseconds < 10000.0f && *f > 1.9f);
    OK(cudaEventQuery(end));
    OK(cudaStreamQuery(a));
    OK(cudaStreamDestroy(a));
    CHECK(cudaStreamSynchronize(a) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamDestroy(a) == cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(start));
    CHECK(cudaEventRecord(start) == cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(b));
    OK(cudaEventDestroy(end));
    OK(cudaEventDestroy(untimed));
    OK(cudaFreeHost(p));
}
