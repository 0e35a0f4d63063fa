/* textures_data.h - a texture of four floats a texel, linear between their centers, and its shadows. */
#ifndef GW_BENCHMARKS_TEXTURES_DATA_H
#define GW_BENCHMARKS_TEXTURES_DATA_H

#include <cstdio>
#include <cstdlib>
#include <vector>

struct texture_of_four {
    int width, height, depth; /* depth 0: a plane */
    cudaTextureObject_t object = 0;

    texture_of_four(int w, int h, int d, const std::vector<float> &texels) : width(w), height(h), depth(d) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
        need(cudaMalloc3DArray(&array, &format, make_cudaExtent((size_t)w, (size_t)h, (size_t)d)));
        put(texels);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how = {};
        for (cudaTextureAddressMode &mode : how.addressMode)
            mode = cudaAddressModeBorder;
        how.filterMode = cudaFilterModeLinear;
        need(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    }
    texture_of_four(const texture_of_four &) = delete;
    ~texture_of_four() {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array);
    }
    size_t count() const { return 4 * (size_t)width * (size_t)height * (size_t)(depth ? depth : 1); }
    void put(std::vector<float> texels) const {
        cudaMemcpy3DParms copy = {};
        copy.srcPtr =
            make_cudaPitchedPtr(texels.data(), (size_t)width * sizeof(float4), (size_t)width, (size_t)height);
        copy.dstArray = array;
        copy.extent = make_cudaExtent((size_t)width, (size_t)height, (size_t)(depth ? depth : 1));
        copy.kind = cudaMemcpyHostToDevice;
        need(cudaMemcpy3D(&copy));
    }
    gw_texture_shadow shadow(float *cells) const {
        gw_texture_shadow made;
        if (gw_texture_shadow_of(&made, object, cells) != GW_OK) {
            std::fprintf(stderr, "Gradwright: %s\n", gw_last_error());
            std::exit(1);
        }
        return made;
    }

  private:
    cudaArray_t array = nullptr;
    static void need(cudaError_t error) {
        if (error == cudaSuccess) return;
        std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
};

#endif
