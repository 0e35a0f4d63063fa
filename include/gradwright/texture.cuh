/*
 * texture.cuh - textures in derivatives: what holds the adjoints (or tangents) of texels, and what emitted text
 * asks of it.
 *
 * On a device nobody can ask a cudaTextureObject_t for its size or its filter. So the adjoint of a texture is a
 * struct that is passed by value: a pointer to cells in device memory, one float for each channel of each
 * texel, and how the texture is read. gw_texture_shadow_of fills it on the host. Cells lie row by row, without
 * gaps:
 *
 *     cells[channels * ((slice * height + y) * pitch + x) + channel]
 *
 * a slice being a layer or a depth; pitch is width, but where a program has textures over memory with a pitch.
 * `cells` may be null: then texels get no adjoint (have the tangent 0).
 *
 * A linear filter weighs its texels in steps of 1/256, as the hardware does; so do the adjoints of texels (how
 * weights are rounded was found out on an H100, by fetches from texels of which one is 1). The derivative along
 * a coordinate is the slope of the interpolation without that rounding.
 */
#ifndef GRADWRIGHT_TEXTURE_CUH
#define GRADWRIGHT_TEXTURE_CUH

#include <limits.h>
#include <stdio.h>

#include <cuda_runtime.h>

#include "gradwright/runtime.h"

struct gw_texture_shadow {
    float *cells;
    int width, height, slices; /* at least 1 each */
    int channels, pitch; /* texels from one row to the next */
    cudaTextureAddressMode address[3];
    bool linear, normalized;
};

/* ---- on the host ---- */
namespace gw_texture {

inline int channels_of(const cudaChannelFormatDesc &gw_format) {
    return (gw_format.x != 0) + (gw_format.y != 0) + (gw_format.z != 0) + (gw_format.w != 0);
}

/* Width, height, slices and the channels of what is behind a texture. */
inline gw_status find_extent(const cudaResourceDesc &gw_resource, cudaExtent *gw_extent,
                             cudaChannelFormatDesc *gw_format) {
    *gw_extent = make_cudaExtent(0, 0, 0);
    if (gw_resource.resType == cudaResourceTypeArray) {
        unsigned int gw_flags = 0;
        if (cudaArrayGetInfo(gw_format, gw_extent, &gw_flags, gw_resource.res.array.array) != cudaSuccess)
            return gw_report(GW_ERROR_ARGUMENT, "a texture's array cannot be asked for its extent");
        if (gw_flags & cudaArrayCubemap)
            return gw_report(GW_ERROR_ARGUMENT, "the texture is a cube map, which has no shadow");
    } else if (gw_resource.resType == cudaResourceTypeLinear) {
        *gw_format = gw_resource.res.linear.desc;
        const int gw_bits = gw_format->x + gw_format->y + gw_format->z + gw_format->w;
        if (gw_bits >= 8) gw_extent->width = gw_resource.res.linear.sizeInBytes / (size_t)(gw_bits / 8);
    } else if (gw_resource.resType == cudaResourceTypePitch2D) {
        *gw_format = gw_resource.res.pitch2D.desc;
        gw_extent->width = gw_resource.res.pitch2D.width;
        gw_extent->height = gw_resource.res.pitch2D.height;
    } else {
        return gw_report(GW_ERROR_ARGUMENT, "the texture has levels (a mip-map), and no shadow");
    }
    return GW_OK;
}

} // namespace gw_texture

/* How `gw_object` is read, and `gw_cells` for its texels: device memory, gw_texture_shadow_bytes of it. */
inline gw_status gw_texture_shadow_of(gw_texture_shadow *gw_shadow, cudaTextureObject_t gw_object,
                                      float *gw_cells) {
    cudaResourceDesc gw_resource;
    cudaTextureDesc gw_how;
    cudaExtent gw_extent;
    cudaChannelFormatDesc gw_format;
    if (cudaGetTextureObjectResourceDesc(&gw_resource, gw_object) != cudaSuccess ||
        cudaGetTextureObjectTextureDesc(&gw_how, gw_object) != cudaSuccess)
        return gw_report(GW_ERROR_ARGUMENT, "no texture object");
    const gw_status gw_found = gw_texture::find_extent(gw_resource, &gw_extent, &gw_format);
    if (gw_found != GW_OK) return gw_found;
    const size_t gw_height = gw_extent.height ? gw_extent.height : 1,
                 gw_slices = gw_extent.depth ? gw_extent.depth : 1;
    const int gw_channels = gw_texture::channels_of(gw_format);
    if (gw_extent.width * gw_height * gw_slices > (size_t)INT_MAX / 4)
        return gw_report(GW_ERROR_ARGUMENT, "the texture has more than 2^29 texels, too many for a shadow");
    gw_shadow->cells = gw_cells;
    gw_shadow->width = (int)gw_extent.width;
    gw_shadow->height = (int)gw_height;
    gw_shadow->slices = (int)gw_slices;
    gw_shadow->channels = gw_channels;
    gw_shadow->pitch = gw_shadow->width;
    gw_shadow->normalized = gw_how.normalizedCoords != 0;
    gw_shadow->linear = gw_how.filterMode == cudaFilterModeLinear;
    for (int gw_axis = 0; gw_axis < 3; gw_axis++) {
        cudaTextureAddressMode gw_mode = gw_how.addressMode[gw_axis];
        const bool gw_repeats = gw_mode == cudaAddressModeWrap || gw_mode == cudaAddressModeMirror;
        if (gw_repeats && !gw_shadow->normalized) gw_mode = cudaAddressModeClamp; /* as the hardware does */
        gw_shadow->address[gw_axis] = gw_mode;
    }
    return GW_OK;
}

/* The bytes that the cells take. */
inline size_t gw_texture_shadow_bytes(const gw_texture_shadow &gw_shadow) {
    const size_t gw_texels = (size_t)gw_shadow.width * (size_t)gw_shadow.height * (size_t)gw_shadow.slices;
    return gw_texels * (size_t)gw_shadow.channels * sizeof(float);
}

/* ---- on the device, for emitted text ---- */
namespace gw_texture {

/* The texel that number `gw_i` leads to; negative: the border. */
__device__ __forceinline__ int resolve(int gw_i, int gw_size, cudaTextureAddressMode gw_mode) {
    if (gw_mode == cudaAddressModeWrap) {
        gw_i %= gw_size;
        return gw_i < 0 ? gw_i + gw_size : gw_i;
    }
    if (gw_mode == cudaAddressModeMirror) {
        gw_i %= 2 * gw_size;
        if (gw_i < 0) gw_i += 2 * gw_size;
        return gw_i < gw_size ? gw_i : 2 * gw_size - 1 - gw_i;
    }
    if (gw_mode == cudaAddressModeBorder) return gw_i < gw_size ? gw_i : -1; /* below 0 it is negative itself */
    return gw_i < 0 ? 0 : min(gw_i, gw_size - 1);
}

/* What a coordinate leads to along one axis: the lower texel, and the weight of the next in 1/256, below 256.
 */
struct place {
    int low, weight;
};

/* Normalized coordinates are cut to 21 bits behind the point, along more than 8192 texels to 22. What is too
 * far away for an int has no fraction either; where the texture repeats, whole repetitions are left out. */
__device__ __forceinline__ place find(const gw_texture_shadow &gw_s, float gw_x, int gw_size, int gw_axis) {
    const int gw_bits = gw_s.normalized && gw_size > 8192 ? 22 : 21;
    const long long gw_one = 1LL << gw_bits; /* a texel */
    const float gw_most = gw_s.normalized ? 8388608.0f : 1e9f;
    long long gw_at = (long long)floorf(fminf(fmaxf(gw_x, -gw_most), gw_most) * (float)gw_one);
    if (gw_s.normalized) {
        const cudaTextureAddressMode gw_mode = gw_s.address[gw_axis];
        if (gw_mode == cudaAddressModeWrap || gw_mode == cudaAddressModeMirror)
            gw_at &= (gw_mode == cudaAddressModeWrap ? 1 : 2) * gw_one - 1;
        else
            gw_at = min(max(gw_at, -8192 * gw_one), 8192 * gw_one); /* so that `low` fits */
        gw_at *= gw_size;
    }
    if (!gw_s.linear) return {(int)(gw_at >> gw_bits), 0};
    gw_at += gw_one / 512 - gw_one / 2; /* from a center, rounded */
    const place gw_p = {(int)(gw_at >> gw_bits), (int)(gw_at & (gw_one - 1)) >> (gw_bits - 8)};
    if (gw_s.address[gw_axis] != cudaAddressModeClamp) return gw_p;
    if (gw_p.low < 0) return {0, 0}; /* a coordinate that is clamped has no fraction */
    return gw_p.low < gw_size - 1 ? gw_p : place{gw_size - 1, 0};
}

__device__ __forceinline__ int part(int gw_weight, int gw_of) { return (gw_weight * gw_of + 128) >> 8; }

/* The weight of a corner of the filter; the four, or eight, are 256 together. */
__device__ __forceinline__ int weight(int gw_corner, int gw_x, int gw_y) {
    const int gw_both = part(gw_x, gw_y), gw_of_y = gw_corner & 2 ? gw_y : 256 - gw_y;
    const int gw_second = gw_corner & 2 ? gw_both : gw_x - gw_both;
    return gw_corner & 1 ? gw_second : gw_of_y - gw_second;
}
/* The second texel along x takes its part of z's weight, and y its part of both. */
__device__ __forceinline__ int weight(int gw_corner, int gw_x, int gw_y, int gw_z) {
    const int gw_of_z = gw_corner & 4 ? gw_z : 256 - gw_z, gw_second = part(gw_of_z, gw_x);
    const int gw_both = gw_corner & 1 ? gw_second : gw_of_z - gw_second;
    const int gw_rounded = part(gw_both, gw_corner & 1 ? gw_y : 256 - gw_y); /* halves go to the corners 3, 0 */
    return (gw_corner & 1) == (gw_corner >> 1 & 1) ? gw_rounded : gw_both - gw_rounded;
}

/* Along one axis; negative where there is no texel or it has no weight. */
__device__ __forceinline__ int texel(const gw_texture_shadow &gw_s, bool gw_second, float gw_x, int gw_size,
                                     int gw_axis) {
    const place gw_p = find(gw_s, gw_x, gw_size, gw_axis);
    if (gw_second && gw_p.weight == 0) return -1;
    return resolve(gw_p.low + gw_second, gw_size, gw_s.address[gw_axis]);
}

__device__ __forceinline__ int layer(const gw_texture_shadow &gw_s, int gw_layer) {
    return (int)min((unsigned int)gw_layer, (unsigned int)gw_s.slices - 1); /* a negative one is the last */
}

__device__ inline void say_channels(int gw_fetched, int gw_there) {
    printf("gradwright: %d channels are fetched from a texture that has %d: fetch as many as there are\n",
           gw_fetched, gw_there);
}

/* The cell of the first of the channels that are fetched. */
template <int Channels>
__device__ __forceinline__ int cell(const gw_texture_shadow &gw_s, int gw_x, int gw_y, int gw_slice) {
    if (!gw_s.cells || gw_x < 0 || gw_y < 0 || gw_slice < 0) return -1;
    if (Channels > gw_s.channels) {
        say_channels(Channels, gw_s.channels);
        __trap();
    }
    return gw_s.channels * ((gw_slice * gw_s.height + gw_y) * gw_s.pitch + gw_x);
}

/* ---- slopes ---- */
__device__ __forceinline__ float slope(float gw_low, float gw_high, float gw_scale) {
    return gw_scale != 0.0f ? (gw_high - gw_low) * gw_scale : 0.0f; /* of texels that are no numbers, too */
}
__device__ __forceinline__ float2 slope(float2 gw_low, float2 gw_high, float gw_scale) {
    return make_float2(slope(gw_low.x, gw_high.x, gw_scale), slope(gw_low.y, gw_high.y, gw_scale));
}
__device__ __forceinline__ float4 slope(float4 gw_low, float4 gw_high, float gw_scale) {
    return make_float4(slope(gw_low.x, gw_high.x, gw_scale), slope(gw_low.y, gw_high.y, gw_scale),
                       slope(gw_low.z, gw_high.z, gw_scale), slope(gw_low.w, gw_high.w, gw_scale));
}

/* The two centers of texels around a coordinate, in its own unit, and what the difference of the texels is to
 * be multiplied by; without a branch, so that a compiler sees the channels' fetches as one. */
struct step {
    float low, high, scale;
};
__device__ __forceinline__ step step_along(const gw_texture_shadow &gw_s, float gw_x, int gw_size) {
    const float gw_unit = gw_s.normalized ? (float)gw_size : 1.0f;
    const float gw_at = fminf(fmaxf(gw_x * gw_unit, -1e9f), 1e9f);
    const float gw_low = floorf(gw_at - 0.5f) + 0.5f;
    return {gw_low / gw_unit, (gw_low + 1.0f) / gw_unit, gw_s.linear ? gw_unit : 0.0f};
}

} // namespace gw_texture

/* gw_texture_cell_*: of a corner of the filter, whose bits say which texel along x, y and z, the cell of the
 * first channel; negative: none. gw_texture_weight_*: its weight. */
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_element(const gw_texture_shadow &gw_s, int, int gw_x) {
    return gw_texture::cell<Channels>(gw_s, gw_x < gw_s.width ? gw_x : -1, 0, 0);
}
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_1d_layered(const gw_texture_shadow &gw_s, int gw_corner,
                                                          float gw_x, int gw_layer) {
    return gw_texture::cell<Channels>(gw_s, gw_texture::texel(gw_s, gw_corner & 1, gw_x, gw_s.width, 0), 0,
                                      gw_texture::layer(gw_s, gw_layer));
}
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_1d(const gw_texture_shadow &gw_s, int gw_corner, float gw_x) {
    return gw_texture_cell_1d_layered<Channels>(gw_s, gw_corner, gw_x, 0);
}
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_2d_layered(const gw_texture_shadow &gw_s, int gw_corner,
                                                          float gw_x, float gw_y, int gw_layer) {
    return gw_texture::cell<Channels>(gw_s, gw_texture::texel(gw_s, gw_corner & 1, gw_x, gw_s.width, 0),
                                      gw_texture::texel(gw_s, gw_corner & 2, gw_y, gw_s.height, 1),
                                      gw_texture::layer(gw_s, gw_layer));
}
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_2d(const gw_texture_shadow &gw_s, int gw_corner, float gw_x,
                                                  float gw_y) {
    return gw_texture_cell_2d_layered<Channels>(gw_s, gw_corner, gw_x, gw_y, 0);
}
template <int Channels>
__device__ __forceinline__ int gw_texture_cell_3d(const gw_texture_shadow &gw_s, int gw_corner, float gw_x,
                                                  float gw_y, float gw_z) {
    return gw_texture::cell<Channels>(gw_s, gw_texture::texel(gw_s, gw_corner & 1, gw_x, gw_s.width, 0),
                                      gw_texture::texel(gw_s, gw_corner & 2, gw_y, gw_s.height, 1),
                                      gw_texture::texel(gw_s, gw_corner & 4, gw_z, gw_s.slices, 2));
}

__device__ __forceinline__ float gw_texture_weight_element(const gw_texture_shadow &, int, int) { return 1.0f; }
__device__ __forceinline__ float gw_texture_weight_1d_layered(const gw_texture_shadow &gw_s, int gw_corner,
                                                              float gw_x, int) {
    const int gw_weight = gw_texture::find(gw_s, gw_x, gw_s.width, 0).weight;
    return (float)(gw_corner & 1 ? gw_weight : 256 - gw_weight) / 256.0f;
}
/* A line is a plane's row, fetched from at y = 0: a border beyond it takes half of the weights. */
__device__ __forceinline__ float gw_texture_weight_1d(const gw_texture_shadow &gw_s, int gw_corner,
                                                      float gw_x) {
    if (!gw_s.linear || gw_s.address[1] != cudaAddressModeBorder)
        return gw_texture_weight_1d_layered(gw_s, gw_corner, gw_x, 0);
    const int gw_a = gw_texture::find(gw_s, gw_x, gw_s.width, 0).weight;
    return (float)gw_texture::weight(gw_corner | 2, gw_a, 128) / 256.0f;
}
__device__ __forceinline__ float gw_texture_weight_2d(const gw_texture_shadow &gw_s, int gw_corner, float gw_x,
                                                      float gw_y) {
    const int gw_a = gw_texture::find(gw_s, gw_x, gw_s.width, 0).weight;
    return (float)gw_texture::weight(gw_corner, gw_a, gw_texture::find(gw_s, gw_y, gw_s.height, 1).weight) /
           256.0f;
}
__device__ __forceinline__ float gw_texture_weight_3d(const gw_texture_shadow &gw_s, int gw_corner, float gw_x,
                                                      float gw_y, float gw_z) {
    const int gw_a = gw_texture::find(gw_s, gw_x, gw_s.width, 0).weight,
              gw_b = gw_texture::find(gw_s, gw_y, gw_s.height, 1).weight;
    return (float)gw_texture::weight(gw_corner, gw_a, gw_b,
                                     gw_texture::find(gw_s, gw_z, gw_s.slices, 2).weight) /
           256.0f;
}
__device__ __forceinline__ float gw_texture_weight_2d_layered(const gw_texture_shadow &gw_s, int gw_corner,
                                                              float gw_x, float gw_y, int) {
    return gw_texture_weight_2d(gw_s, gw_corner, gw_x, gw_y);
}

/* gw_texture_read_*: what a fetch from the cells themselves gives, of one channel. In the border they are 0. */
#define GW_TEXTURE_PARAMETERS(...) __VA_ARGS__
#define GW_TEXTURE_READ(suffix, corners, parameters, ...)                                                      \
    __device__ __forceinline__ float gw_texture_read_##suffix(const gw_texture_shadow &gw_s, int gw_channel,   \
                                                              parameters) {                                    \
        float gw_sum = 0.0f;                                                                                   \
        for (int gw_corner = 0; gw_corner < corners; gw_corner++) {                                            \
            const int gw_cell = gw_texture_cell_##suffix<1>(gw_s, gw_corner, __VA_ARGS__);                     \
            if (gw_cell >= 0 && gw_channel < gw_s.channels)                                                    \
                gw_sum += gw_texture_weight_##suffix(gw_s, gw_corner, __VA_ARGS__) *                           \
                          gw_s.cells[gw_cell + gw_channel];                                                    \
        }                                                                                                      \
        return gw_sum;                                                                                         \
    }
GW_TEXTURE_READ(element, 1, GW_TEXTURE_PARAMETERS(int gw_x), gw_x)
GW_TEXTURE_READ(1d, 2, GW_TEXTURE_PARAMETERS(float gw_x), gw_x)
GW_TEXTURE_READ(2d, 4, GW_TEXTURE_PARAMETERS(float gw_x, float gw_y), gw_x, gw_y)
GW_TEXTURE_READ(3d, 8, GW_TEXTURE_PARAMETERS(float gw_x, float gw_y, float gw_z), gw_x, gw_y, gw_z)
GW_TEXTURE_READ(1d_layered, 2, GW_TEXTURE_PARAMETERS(float gw_x, int gw_layer), gw_x, gw_layer)
GW_TEXTURE_READ(2d_layered, 4, GW_TEXTURE_PARAMETERS(float gw_x, float gw_y, int gw_layer), gw_x, gw_y,
                gw_layer)
#undef GW_TEXTURE_READ
#undef GW_TEXTURE_PARAMETERS

/* gw_texture_slope_*: of a fetch, by its coordinate `Axis`. At the centers of texels along it the filter weighs
 * one texel, so two fetches from there are what the fetch is interpolated between. */
template <class T, int Axis>
__device__ __forceinline__ T gw_texture_slope_1d(const gw_texture_shadow &gw_s, cudaTextureObject_t gw_t,
                                                 float gw_x) {
    const gw_texture::step gw_p = gw_texture::step_along(gw_s, gw_x, gw_s.width);
    return gw_texture::slope(tex1D<T>(gw_t, gw_p.low), tex1D<T>(gw_t, gw_p.high), gw_p.scale);
}
template <class T, int Axis>
__device__ __forceinline__ T gw_texture_slope_1d_layered(const gw_texture_shadow &gw_s,
                                                         cudaTextureObject_t gw_t, float gw_x, int gw_layer) {
    const gw_texture::step gw_p = gw_texture::step_along(gw_s, gw_x, gw_s.width);
    return gw_texture::slope(tex1DLayered<T>(gw_t, gw_p.low, gw_layer),
                             tex1DLayered<T>(gw_t, gw_p.high, gw_layer), gw_p.scale);
}
template <class T, int Axis>
__device__ __forceinline__ T gw_texture_slope_2d(const gw_texture_shadow &gw_s, cudaTextureObject_t gw_t,
                                                 float gw_x, float gw_y) {
    const gw_texture::step gw_p =
        gw_texture::step_along(gw_s, Axis == 0 ? gw_x : gw_y, Axis == 0 ? gw_s.width : gw_s.height);
    const T gw_low = tex2D<T>(gw_t, Axis == 0 ? gw_p.low : gw_x, Axis == 1 ? gw_p.low : gw_y);
    const T gw_high = tex2D<T>(gw_t, Axis == 0 ? gw_p.high : gw_x, Axis == 1 ? gw_p.high : gw_y);
    return gw_texture::slope(gw_low, gw_high, gw_p.scale);
}
template <class T, int Axis>
__device__ __forceinline__ T gw_texture_slope_2d_layered(const gw_texture_shadow &gw_s,
                                                         cudaTextureObject_t gw_t, float gw_x, float gw_y,
                                                         int gw_layer) {
    const gw_texture::step gw_p =
        gw_texture::step_along(gw_s, Axis == 0 ? gw_x : gw_y, Axis == 0 ? gw_s.width : gw_s.height);
    const T gw_low = tex2DLayered<T>(gw_t, Axis == 0 ? gw_p.low : gw_x, Axis == 1 ? gw_p.low : gw_y, gw_layer);
    const T gw_high =
        tex2DLayered<T>(gw_t, Axis == 0 ? gw_p.high : gw_x, Axis == 1 ? gw_p.high : gw_y, gw_layer);
    return gw_texture::slope(gw_low, gw_high, gw_p.scale);
}
template <class T, int Axis>
__device__ __forceinline__ T gw_texture_slope_3d(const gw_texture_shadow &gw_s, cudaTextureObject_t gw_t,
                                                 float gw_x, float gw_y, float gw_z) {
    const float gw_at[3] = {gw_x, gw_y, gw_z};
    const int gw_size[3] = {gw_s.width, gw_s.height, gw_s.slices};
    const gw_texture::step gw_p = gw_texture::step_along(gw_s, gw_at[Axis], gw_size[Axis]);
    const T gw_low =
        tex3D<T>(gw_t, Axis == 0 ? gw_p.low : gw_x, Axis == 1 ? gw_p.low : gw_y, Axis == 2 ? gw_p.low : gw_z);
    const T gw_high = tex3D<T>(gw_t, Axis == 0 ? gw_p.high : gw_x, Axis == 1 ? gw_p.high : gw_y,
                               Axis == 2 ? gw_p.high : gw_z);
    return gw_texture::slope(gw_low, gw_high, gw_p.scale);
}

#endif
