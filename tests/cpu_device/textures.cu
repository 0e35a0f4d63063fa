// Textures of arrays, layers, cubes, pitched and linear memory: filters, address modes, read modes; surfaces.
#include "check.h"
#include <cmath>

enum { width = 8, height = 4 };

static cudaTextureObject_t make(cudaResourceDesc resource, cudaTextureAddressMode mode,
                                cudaTextureFilterMode filter, cudaTextureReadMode read, bool normalized) {
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    how.borderColor[0] = -7;
    cudaTextureObject_t texture = 0;
    OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}
static cudaResourceDesc of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

enum fetch { one, two, three, layered, cube, element, bytes };
template <fetch Kind> __global__ void get(float *out, cudaTextureObject_t t, float x, float y, float z, int n) {
    if constexpr (Kind == one) *out = tex1D<float>(t, x);
    if constexpr (Kind == two) *out = tex2D<float>(t, x, y);
    if constexpr (Kind == three) *out = tex3D<float>(t, x, y, z);
    if constexpr (Kind == layered) *out = tex2DLayered<float>(t, x, y, n);
    if constexpr (Kind == cube) *out = texCubemap<float>(t, x, y, z);
    if constexpr (Kind == element) *out = tex1Dfetch<float>(t, n);
    if constexpr (Kind == bytes) {
        const uchar4 v = tex2D<uchar4>(t, x, y);
        *out = v.x + 1000.0f * v.w;
    }
}
template <fetch Kind> static float at(cudaTextureObject_t t, float x, float y = 0, float z = 0, int n = 0) {
    static float *out;
    if (!out) OK(cudaMallocManaged(&out, sizeof *out));
    get<Kind><<<1, 1>>>(out, t, x, y, z, n);
    OK(cudaDeviceSynchronize());
    return *out;
}

/* The value at (x, y, z) is x + 10 y + 100 z. */
static cudaArray_t fill(cudaExtent extent, unsigned int flags) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(&array, &format, extent, flags));
    const size_t h = extent.height ? extent.height : 1, d = extent.depth ? extent.depth : 1;
    float *values = (float *)malloc(extent.width * h * d * sizeof *values);
    for (size_t z = 0; z < d; ++z)
        for (size_t y = 0; y < h; ++y)
            for (size_t x = 0; x < extent.width; ++x)
                values[(z * h + y) * extent.width + x] = (float)(x + 10 * y + 100 * z);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values, extent.width * sizeof *values, extent.width, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    free(values);
    return array;
}

static void planes() {
    cudaArray_t array = fill(make_cudaExtent(width, height, 0), 0);
    const auto point =
        make(of(array), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    const auto linear =
        make(of(array), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
    CHECK(at<two>(point, 3.9f, 2.1f) == 23 && at<two>(point, -5, 99) == 30 && at<two>(point, 100, 0) == 7);
    CHECK(at<two>(linear, 3.5f, 2.5f) == 23 && at<two>(linear, 4, 2) == 3.5f + 15 &&
          at<two>(linear, 0, 0) == 0);
    /* Weights have steps of 1/256. */
    CHECK(at<two>(linear, 0.5f + 1.0f / 1024, 0.5f) == 0 &&
          at<two>(linear, 0.5f + 1.0f / 256, 0.5f) == 1.0f / 256);
    const auto wrap = make(of(array), cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeElementType, true);
    const auto mirror =
        make(of(array), cudaAddressModeMirror, cudaFilterModePoint, cudaReadModeElementType, true);
    const auto border =
        make(of(array), cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, false);
    CHECK(at<two>(wrap, 1 + 3.5f / width, -1 + 0.5f / height) == 3 && at<two>(wrap, -0.5f / width, 0.1f) == 7);
    CHECK(at<two>(mirror, -1.5f / width, 0.1f) == 1 && at<two>(mirror, 1 + 0.5f / width, 0.1f) == 7);
    CHECK(at<two>(border, -1, 1) == -7 && at<two>(border, 1, 1) == 11);
    for (auto t : {point, linear, wrap, mirror, border})
        OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

static void more_dimensions() {
    cudaArray_t line = fill(make_cudaExtent(width, 0, 0), 0), box = fill(make_cudaExtent(4, 3, 2), 0);
    cudaArray_t layers = fill(make_cudaExtent(4, 4, 3), cudaArrayLayered);
    cudaArray_t faces = fill(make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    const auto mode = cudaAddressModeClamp;
    const auto read = cudaReadModeElementType;
    const auto t1 = make(of(line), mode, cudaFilterModeLinear, read, false);
    const auto t3 = make(of(box), mode, cudaFilterModeLinear, read, false);
    const auto tl = make(of(layers), mode, cudaFilterModePoint, read, false);
    const auto tc = make(of(faces), mode, cudaFilterModePoint, read, true);
    CHECK(at<one>(t1, 2.75f) == 2.25f);
    CHECK(at<three>(t3, 1.5f, 1.5f, 1) == 1 + 10 + 50 && at<three>(t3, 2.5f, 0.5f, 1.5f) == 102);
    CHECK(at<layered>(tl, 1.5f, 2.5f, 0, 2) == 221);
    /* The texel of each face that is the same, whatever its orientation, is known by its hundreds. */
    CHECK(at<cube>(tc, 1, 0.1f, 0.1f) < 100 && at<cube>(tc, -1, 0.1f, 0.1f) >= 100 &&
          at<cube>(tc, 0, -1, 0) >= 300);
    CHECK(floorf(at<cube>(tc, 0.1f, 0.1f, 1) / 100) == 4 && floorf(at<cube>(tc, 0.1f, 0.1f, -1) / 100) == 5);
    cudaMipmappedArray_t levels;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 8, 0), 4));
    cudaArray_t third;
    cudaExtent extent;
    OK(cudaGetMipmappedArrayLevel(&third, levels, 2));
    OK(cudaArrayGetInfo(nullptr, &extent, nullptr, third));
    CHECK(extent.width == 2 && extent.height == 2);
    OK(cudaFreeMipmappedArray(levels));
}

static void memory() {
    unsigned char *pixels;
    size_t pitch;
    OK(cudaMallocPitch(&pixels, &pitch, 4 * width, height));
    unsigned char from[height][width][4];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            from[y][x][0] = (unsigned char)(x + 10 * y), from[y][x][3] = 255;
    OK(cudaMemcpy2D(pixels, pitch, from, sizeof from[0], sizeof from[0], height, cudaMemcpyHostToDevice));
    cudaResourceDesc plane = {};
    plane.resType = cudaResourceTypePitch2D;
    plane.res.pitch2D.devPtr = pixels;
    plane.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    plane.res.pitch2D.width = width;
    plane.res.pitch2D.height = height;
    plane.res.pitch2D.pitchInBytes = pitch;
    const auto raw = make(plane, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    CHECK(at<bytes>(raw, 3, 2) == 23 + 255000);
    const auto share =
        make(plane, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeNormalizedFloat, false);
    CHECK(fabsf(at<two>(share, 3.5f, 2.5f) - 23 / 255.0f) < 1e-6f);
    float *list;
    OK(cudaMallocManaged(&list, 4 * sizeof *list));
    list[3] = 5;
    cudaResourceDesc row = {};
    row.resType = cudaResourceTypeLinear;
    row.res.linear.devPtr = list;
    row.res.linear.desc = cudaCreateChannelDesc<float>();
    row.res.linear.sizeInBytes = 4 * sizeof *list;
    const auto t = make(row, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    CHECK(at<element>(t, 0, 0, 0, 3) == 5 && at<element>(t, 0, 0, 0, 4) == 0);
    /* Integers are not interpolated. */
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none;
    CHECK(cudaCreateTextureObject(&none, &plane, &how, nullptr) == cudaErrorInvalidValue);
    cudaGetLastError();
}

__global__ void turn(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
    float v;
    surf2Dread(&v, from, (int)(threadIdx.x * sizeof v), threadIdx.y);
    surf2Dwrite(v, to, (int)(threadIdx.y * sizeof v), threadIdx.x);
}
__global__ void outside(float *out, cudaSurfaceObject_t s, cudaSurfaceBoundaryMode mode) {
    *out = mode == cudaBoundaryModeClamp ? surf2Dread<float>(s, -4, 1, cudaBoundaryModeClamp)
           : mode == cudaBoundaryModeZero ? surf2Dread<float>(s, -4, 1, cudaBoundaryModeZero)
                                          : surf2Dread<float>(s, -4, 1);
}

static void surfaces() {
    cudaArray_t from = fill(make_cudaExtent(4, 3, 0), cudaArraySurfaceLoadStore);
    cudaArray_t to = fill(make_cudaExtent(3, 4, 0), cudaArraySurfaceLoadStore),
                plain = fill(make_cudaExtent(3, 4, 0), 0);
    cudaSurfaceObject_t a, b, none;
    cudaResourceDesc ra = of(from), rb = of(to), rp = of(plain);
    OK(cudaCreateSurfaceObject(&a, &ra));
    OK(cudaCreateSurfaceObject(&b, &rb));
    CHECK(cudaCreateSurfaceObject(&none, &rp) == cudaErrorInvalidValue);
    turn<<<1, dim3(4, 3)>>>(b, a);
    float back[4][3];
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], to, 0, 0, sizeof back[0], 4, cudaMemcpyDeviceToHost));
    CHECK(back[3][2] == 23 && back[1][2] == 21);
    float *out;
    OK(cudaMallocManaged(&out, sizeof *out));
    outside<<<1, 1>>>(out, a, cudaBoundaryModeClamp);
    OK(cudaDeviceSynchronize());
    CHECK(*out == 10);
    outside<<<1, 1>>>(out, a, cudaBoundaryModeZero);
    OK(cudaDeviceSynchronize());
    CHECK(*out == 0);
    outside<<<1, 1>>>(out, a, cudaBoundaryModeTrap);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}

int main() {
    planes();
    more_dimensions();
    memory();
    surfaces();
    return 0;
}
