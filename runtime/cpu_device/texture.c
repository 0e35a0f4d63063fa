/* Textures and surfaces: how a texel is found and read, as CUDA's programming guide says.
 *
 * A linear filter weighs its neighbours in steps of 1/256, two and three axes together as well, and normalized
 * coordinates are cut to 21 bits behind the point, 22 along more than 8192 texels: as an H100 does, found out
 * by fetches from known texels. Mipmapped arrays are read at one level, the nearest, or between two. */
#include "array.h"
#include "block.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct texture {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    struct cudaArray plain; /* a view of linear or pitched memory */
    size_t row_bytes;       /* of the view, where rows are pitched */
} texture;

/* What a fetch gives: floating point or integer channels, by the texture's format and read mode. */
typedef union texel {
    float f[4];
    int i[4];
} texel;

/* What the header's functions ask for. */
enum shape { shape_1d = 1, shape_2d = 2, shape_3d = 3, shape_cube = 4 };
GW_CPU_API void gw_cpu_texture_get(cudaTextureObject_t object, int shape, float x, float y, float z, int layer,
                                   float level, void *result);
GW_CPU_API void gw_cpu_texture_fetch(cudaTextureObject_t object, int index, void *result);
GW_CPU_API void gw_cpu_texture_gather(cudaTextureObject_t object, float x, float y, int component,
                                      void *result);
GW_CPU_API void *gw_cpu_surface_at(cudaSurfaceObject_t object, int x_bytes, int y, int z, int size, int mode);

static float of_half(unsigned short h) {
    const unsigned int exponent = h >> 10 & 0x1fu, digits = h & 0x3ffu;
    const float sign = h & 0x8000u ? -1.0f : 1.0f;
    if (exponent == 31) return digits ? NAN : sign * INFINITY;
    return sign *
           (exponent ? ldexpf((float)(digits | 0x400u), (int)exponent - 25) : ldexpf((float)digits, -24));
}

static bool gives_floats(const struct cudaChannelFormatDesc *c, enum cudaTextureReadMode mode) {
    return c->f == cudaChannelFormatKindFloat || (mode == cudaReadModeNormalizedFloat && c->x < 32);
}

static texel decode(const struct cudaChannelFormatDesc *c, enum cudaTextureReadMode mode, const char *at) {
    texel t = {.i = {0, 0, 0, 0}};
    const size_t bytes = (size_t)c->x / 8, count = gw_cpu_texel_bytes(c) / bytes;
    const bool is_signed = c->f == cudaChannelFormatKindSigned;
    for (size_t k = 0; k < count; ++k, at += bytes) {
        unsigned int bits = 0;
        memcpy(&bits, at, bytes);
        int value = (int)bits;
        if (is_signed && bytes == 1) value = (signed char)bits;
        if (is_signed && bytes == 2) value = (short)bits;
        if (c->f == cudaChannelFormatKindFloat && bytes == 2)
            t.f[k] = of_half((unsigned short)bits);
        else if (c->f == cudaChannelFormatKindFloat || !gives_floats(c, mode))
            t.i[k] = value;
        else if (is_signed)
            t.f[k] = fmaxf(-1.0f, (float)value / (bytes == 1 ? 127.0f : 32767.0f));
        else
            t.f[k] = (float)bits / (bytes == 1 ? 255.0f : 65535.0f);
    }
    return t;
}

/* What a coordinate leads to: one or two texels, -1 for the border, and the second one's weight in 1/256. */
typedef struct place {
    long first, second;
    int weight;
} place;

static long clamped(long i, long size) {
    if (i < 0) return 0;
    return i >= size ? size - 1 : i;
}

static long resolve(long i, long size, enum cudaTextureAddressMode mode) {
    switch (mode) {
    case cudaAddressModeWrap:
        return (i % size + size) % size;
    case cudaAddressModeMirror:
        i = (i % (2 * size) + 2 * size) % (2 * size);
        return i < size ? i : 2 * size - 1 - i;
    case cudaAddressModeBorder:
        return i < 0 || i >= size ? -1 : i;
    case cudaAddressModeClamp:
        break;
    }
    return clamped(i, size);
}

static place find(float x, size_t size, const struct cudaTextureDesc *how, unsigned int axis, bool linear) {
    enum cudaTextureAddressMode mode = how->addressMode[axis];
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    if (repeats && !how->normalizedCoords) mode = cudaAddressModeClamp;
    const float most = how->normalizedCoords ? 0x1p+23f : 1e9f; /* beyond, there are no fractions */
    if (!(fabsf(x) < most)) x = isnan(x) ? 0 : copysignf(most, x);
    const int bits = how->normalizedCoords && size > 8192 ? 22 : 21;
    const long long one = 1LL << bits; /* a texel */
    long long at = (long long)floorf(ldexpf(x, bits));
    if (how->normalizedCoords) at *= (long long)size;
    if (linear) at += one / 512 - one / 2;
    const long low = (long)(at >> bits);
    const int weight = linear ? (int)((at & (one - 1)) >> (bits - 8)) : 0;
    place found = {resolve(low, (long)size, mode), resolve(low + 1, (long)size, mode), weight};
    if (found.first == found.second && mode == cudaAddressModeClamp) found.weight = 0; /* no fraction */
    return found;
}

static const char *texel_at(const texture *t, const struct cudaArray *a, long x, long y, long slice) {
    if (t->row_bytes) return a->data + (size_t)y * t->row_bytes + (size_t)x * a->texel_bytes;
    return gw_cpu_array_at(a, (size_t)x, (size_t)y, (size_t)slice);
}

static texel read(const texture *t, const struct cudaArray *a, long x, long y, long slice) {
    texel border;
    memcpy(border.f, t->how.borderColor, sizeof border.f);
    if (x < 0 || y < 0 || slice < 0) {
        if (!gives_floats(&a->channels, t->how.readMode))
            for (unsigned int k = 0; k < 4; ++k)
                border.i[k] = (int)t->how.borderColor[k];
        return border;
    }
    return decode(&a->channels, t->how.readMode, texel_at(t, a, x, y, slice));
}

static texel mix(texel a, texel b, float weight) {
    for (unsigned int k = 0; k < 4; ++k)
        a.f[k] += weight * (b.f[k] - a.f[k]);
    return a;
}

static int part(int weight, int of) { return (weight * of + 128) / 256; }

/* Weighs the corners, whose bits say which texel along x, y and z; in 1/256, 256 together. In a box x takes its
 * part of z's weight, and y its part of both: that decides where halves are rounded to. */
static void weigh(place x, place y, place z, bool box, int weight[8]) {
    for (int k = 0; k < 2; ++k) {
        const int of_z = k ? z.weight : 256 - z.weight;
        const int second = part(of_z, x.weight), first = of_z - second;
        int *w = weight + 4 * k;
        w[3] = part(second, y.weight);
        w[1] = second - w[3];
        w[2] = box ? first - part(first, 256 - y.weight) : part(of_z, y.weight) - w[3];
        w[0] = first - w[2];
    }
}

static texel read_corners(const texture *t, const struct cudaArray *a, place x, place y, place z, bool box) {
    if (x.weight == 0 && y.weight == 0 && z.weight == 0) return read(t, a, x.first, y.first, z.first);
    int weight[8];
    weigh(x, y, z, box, weight);
    texel sum = {.i = {0, 0, 0, 0}};
    for (int corner = 0; corner < 8; ++corner) {
        if (weight[corner] == 0) continue;
        const texel one = read(t, a, corner & 1 ? x.second : x.first, corner & 2 ? y.second : y.first,
                               corner & 4 ? z.second : z.first);
        for (unsigned int k = 0; k < 4; ++k)
            sum.f[k] += (float)weight[corner] / 256.0f * one.f[k];
    }
    return sum;
}

/* The face of a cube that a direction meets, and where on it, from 0 to 1. */
static int face_of(float x, float y, float z, float *u, float *v) {
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    int face;
    float m, s, w;
    if (ax >= ay && ax >= az)
        face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, w = -y;
    else if (ay >= az)
        face = y >= 0 ? 2 : 3, m = ay, s = x, w = y >= 0 ? z : -z;
    else
        face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, w = -y;
    *u = (s / m + 1) / 2;
    *v = (w / m + 1) / 2;
    return face;
}

/* A negative one leads to the last. */
static place at_slice(const struct cudaArray *a, int layer) {
    const long slice = clamped((long)(unsigned int)layer, (long)a->slices);
    return (place){slice, slice, 0};
}

static texel sample(const texture *t, const struct cudaArray *a, int shape, float x, float y, float z,
                    int layer) {
    const bool linear =
        t->how.filterMode == cudaFilterModeLinear && gives_floats(&a->channels, t->how.readMode);
    if (shape == shape_cube) {
        struct texture face = *t;
        face.how.normalizedCoords = 1;
        face.how.addressMode[0] = face.how.addressMode[1] = cudaAddressModeClamp;
        float u, v;
        const int slice = 6 * layer + face_of(x, y, z, &u, &v);
        return read_corners(&face, a, find(u, a->width, &face.how, 0, linear),
                            find(v, a->height, &face.how, 1, linear), at_slice(a, slice), false);
    }
    const place none = {0, 0, 0};
    /* A line is a plane's row, fetched from at y = 0: a border beyond it takes half of the weights. Not so a
     * layered one's. */
    const place px = find(x, a->width, &t->how, 0, linear);
    const bool alone = shape == shape_1d && (a->flags & cudaArrayLayered);
    const place py = alone ? none : find(shape >= shape_2d ? y : 0, a->height, &t->how, 1, linear);
    const place pz = shape == shape_3d ? find(z, a->slices, &t->how, 2, linear) : at_slice(a, layer);
    return read_corners(t, a, px, py, pz, shape == shape_3d);
}

static texel sample_levels(const texture *t, int shape, float x, float y, float z, int layer, float level) {
    const struct cudaMipmappedArray *all = t->resource.res.mipmap.mipmap;
    level += t->how.mipmapLevelBias;
    level = fminf(fmaxf(level, t->how.minMipmapLevelClamp), t->how.maxMipmapLevelClamp);
    const float most = (float)(all->levels - 1);
    level = level > 0 ? fminf(level, most) : 0;
    if (t->how.mipmapFilterMode != cudaFilterModeLinear)
        return sample(t, all->level[(unsigned int)rintf(level)], shape, x, y, z, layer);
    const unsigned int low = (unsigned int)level, high = low + 1 < all->levels ? low + 1 : low;
    return mix(sample(t, all->level[low], shape, x, y, z, layer),
               sample(t, all->level[high], shape, x, y, z, layer), level - (float)low);
}

void gw_cpu_texture_get(cudaTextureObject_t object, int shape, float x, float y, float z, int layer,
                        float level, void *result) {
    const texture *t = (const texture *)(uintptr_t)object;
    texel r;
    if (t->resource.resType == cudaResourceTypeMipmappedArray)
        r = sample_levels(t, shape, x, y, z, layer, level);
    else
        r = sample(t, t->plain.data ? &t->plain : t->resource.res.array.array, shape, x, y, z, layer);
    memcpy(result, &r, sizeof r);
}

/* The texel of linear memory; 0 outside. */
void gw_cpu_texture_fetch(cudaTextureObject_t object, int index, void *result) {
    const texture *t = (const texture *)(uintptr_t)object;
    const struct cudaArray *a = t->plain.data ? &t->plain : t->resource.res.array.array;
    texel r = {.i = {0, 0, 0, 0}};
    if (index >= 0 && (size_t)index < a->width) r = read(t, a, index, 0, 0);
    memcpy(result, &r, sizeof r);
}

/* One channel of the four texels that a linear filter would weigh. */
void gw_cpu_texture_gather(cudaTextureObject_t object, float x, float y, int component, void *result) {
    const texture *t = (const texture *)(uintptr_t)object;
    const struct cudaArray *a = t->plain.data ? &t->plain : t->resource.res.array.array;
    const place px = find(x, a->width, &t->how, 0, true), py = find(y, a->height, &t->how, 1, true);
    const texel four[4] = {read(t, a, px.first, py.second, 0), read(t, a, px.second, py.second, 0),
                           read(t, a, px.second, py.first, 0), read(t, a, px.first, py.first, 0)};
    for (unsigned int k = 0; k < 4; ++k)
        memcpy((char *)result + 4 * k, &four[k].i[component & 3], 4);
}

static bool view(texture *t) {
    const struct cudaResourceDesc *r = &t->resource;
    switch (r->resType) {
    case cudaResourceTypeArray:
        return r->res.array.array != NULL;
    case cudaResourceTypeMipmappedArray:
        return r->res.mipmap.mipmap != NULL;
    case cudaResourceTypeLinear:
        t->plain.channels = r->res.linear.desc;
        t->plain.data = r->res.linear.devPtr;
        break;
    case cudaResourceTypePitch2D:
        t->plain.channels = r->res.pitch2D.desc;
        t->plain.data = r->res.pitch2D.devPtr;
        t->row_bytes = r->res.pitch2D.pitchInBytes;
    }
    const size_t bytes = t->plain.texel_bytes = gw_cpu_texel_bytes(&t->plain.channels);
    if (!t->plain.data || bytes == 0) return false;
    t->plain.slices = t->plain.height = 1;
    t->plain.width =
        r->resType == cudaResourceTypeLinear ? r->res.linear.sizeInBytes / bytes : r->res.pitch2D.width;
    if (r->resType == cudaResourceTypePitch2D) t->plain.height = r->res.pitch2D.height;
    const size_t size = r->resType == cudaResourceTypeLinear
                            ? r->res.linear.sizeInBytes
                            : (t->plain.height - 1) * t->row_bytes + t->plain.width * bytes;
    return t->plain.width != 0 && t->plain.height != 0 && gw_cpu_memory_is_device(t->plain.data, size);
}

static const struct cudaChannelFormatDesc *channels_of(const texture *t) {
    if (t->plain.data) return &t->plain.channels;
    return t->resource.resType == cudaResourceTypeArray ? &t->resource.res.array.array->channels
                                                        : &t->resource.res.mipmap.mipmap->level[0]->channels;
}

GW_CPU_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                               const struct cudaResourceDesc *resource,
                                               const struct cudaTextureDesc *how,
                                               const struct cudaResourceViewDesc *other_view) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if (!object || !resource || !how) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (other_view && other_view->format != 0) return gw_cpu_error_return(cudaErrorNotSupported);
    if (how->sRGB) return gw_cpu_error_return(cudaErrorNotSupported);
    texture *t = calloc(1, sizeof *t);
    if (!t) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    t->resource = *resource;
    t->how = *how;
    bool good = view(t);
    /* As on a GPU: integers are not interpolated. */
    if (good && how->filterMode == cudaFilterModeLinear && !gives_floats(channels_of(t), how->readMode))
        good = false;
    if (!good) {
        free(t);
        return gw_cpu_error_return(cudaErrorInvalidValue);
    }
    *object = (cudaTextureObject_t)(uintptr_t)t;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    free((texture *)(uintptr_t)object);
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                        cudaTextureObject_t object) {
    if (!resource || !object) return gw_cpu_error_return(cudaErrorInvalidValue);
    *resource = ((const texture *)(uintptr_t)object)->resource;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how,
                                                       cudaTextureObject_t object) {
    if (!how || !object) return gw_cpu_error_return(cudaErrorInvalidValue);
    *how = ((const texture *)(uintptr_t)object)->how;
    return cudaSuccess;
}

/* A surface is its array. */
GW_CPU_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                               const struct cudaResourceDesc *resource) {
    if (!object || !resource || resource->resType != cudaResourceTypeArray || !resource->res.array.array ||
        !(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    *object = (cudaSurfaceObject_t)(uintptr_t)resource->res.array.array;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    (void)object;
    return gw_cpu_error_collect();
}

/* Null for nothing to read or write there; outside, the mode says what happens. */
void *gw_cpu_surface_at(cudaSurfaceObject_t object, int x_bytes, int y, int z, int size, int mode) {
    const struct cudaArray *a = (const struct cudaArray *)(uintptr_t)object;
    const long row = (long)(a->width * a->texel_bytes);
    const bool inside = x_bytes >= 0 && x_bytes + (long)size <= row && y >= 0 && y < (long)a->height &&
                        z >= 0 && z < (long)a->slices;
    if (inside) return gw_cpu_array_at(a, 0, (size_t)y, (size_t)z) + x_bytes;
    if (mode == cudaBoundaryModeZero) return NULL;
    gw_cpu_block *block = gw_cpu_block_current();
    if (mode == cudaBoundaryModeTrap && block)
        gw_cpu_misuse(block, (gw_cpu_site){"?", 0, 0},
                      "a surface is accessed at byte %d of row %d, slice %d, outside it", x_bytes, y, z);
    return gw_cpu_array_at(a, 0, (size_t)clamped(y, (long)a->height), (size_t)clamped(z, (long)a->slices)) +
           clamped(x_bytes, row - size + 1);
}
