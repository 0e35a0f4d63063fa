// Memory lies somewhere and is asked for: registration, advice, pools, boxes, peers, flags of streams.
#include "check.h"
#include <cstring>

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

static void registration() {
    static int own[64];
    int *device;
    CHECK(cudaMemcpy(own, own, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    CHECK(cudaHostRegister(own + 3, 8, 0) == cudaErrorHostMemoryAlreadyRegistered);
    cudaGetLastError();
    OK(cudaHostGetDevicePointer(&device, own, 0));
    add<<<1, 64>>>(device, 5);
    OK(cudaDeviceSynchronize());
    CHECK(own[63] == 5);
    CHECK(cudaFreeHost(own) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaHostUnregister(own));
    CHECK(cudaHostUnregister(own) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
}

__attribute__((annotate("another"))) __managed__ int both = 3; // not the first mark on it
__global__ void add_to_both(int v) { both += v; }

static void managed(cudaStream_t stream) {
    int *p;
    add_to_both<<<1, 1>>>(4);
    OK(cudaDeviceSynchronize());
    CHECK(both == 7);
    OK(cudaMallocManaged(&p, 64 * sizeof *p));
    memset(p, 0, 64 * sizeof *p);
    OK(cudaStreamAttachMemAsync(stream, p));
    OK(cudaMemAdvise(p, 64 * sizeof *p, cudaMemAdviseSetReadMostly, 0));
    OK(cudaMemPrefetchAsync(p, 64 * sizeof *p, cudaCpuDeviceId, stream));
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemPrefetchAsync(p, 64 * sizeof *p, place, 0, stream)); /* CUDA 13's form */
    CHECK(cudaMemPrefetchAsync(p, 64 * sizeof *p, 1, stream) == cudaErrorInvalidDevice);
    CHECK(cudaMemAdvise(&place, 4, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaFree(p));
}

static void pools(cudaStream_t stream) {
    cudaMemPool_t pool;
    unsigned long long threshold = 4096, back = 0;
    int *p, *q;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
    CHECK(back == threshold);
    OK(cudaMallocAsync(&p, 256, stream));
    OK(cudaMallocFromPoolAsync(&q, 256, pool, stream));
    OK(cudaMemsetAsync(p, 0, 256, stream));
    add<<<1, 64, 0, stream>>>(p, 3);
    OK(cudaMemcpyAsync(q, p, 256, cudaMemcpyDeviceToDevice, stream));
    int last;
    OK(cudaMemcpy(&last, q + 63, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(last == 3);
    OK(cudaFreeAsync(p, stream));
    OK(cudaFreeAsync(q, stream));
}

static void boxes() {
    cudaPitchedPtr box;
    const cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
    int from[3][4][5], back[2][2][5];
    for (int i = 0; i < 60; ++i)
        from[i / 20][i / 5 % 4][i % 5] = i;
    OK(cudaMalloc3D(&box, extent));
    OK(cudaMemset3D(box, 0xff, extent));
    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(from, sizeof from[0][0], 5, 4);
    in.dstPtr = box;
    in.extent = extent;
    in.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&in));
    cudaMemcpy3DParms out = {};
    out.srcPtr = box;
    out.srcPos = make_cudaPos(0, 1, 1);
    out.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], 5, 2);
    out.extent = make_cudaExtent(sizeof back[0][0], 2, 2);
    out.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3DAsync(&out));
    CHECK(back[0][0][0] == from[1][1][0] && back[1][1][4] == from[2][2][4]);
    OK(cudaFree(box.ptr));
}

static void devices() {
    int can = 1, value = 0, least = 1, greatest = 1, priority = 5;
    unsigned int flags = 0;
    cudaStream_t stream;
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
    CHECK(properties.cooperativeLaunch == value && value == 1 && properties.texturePitchAlignment != 0);
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK(can == 0 && cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest == 0);
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1));
    OK(cudaStreamGetFlags(stream, &flags));
    OK(cudaStreamGetPriority(stream, &priority));
    CHECK(flags == cudaStreamNonBlocking && priority == -1);
    OK(cudaStreamDestroy(stream));
}

int main() {
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    registration();
    managed(stream);
    pools(stream);
    boxes();
    devices();
    OK(cudaStreamDestroy(stream));
    return 0;
}
