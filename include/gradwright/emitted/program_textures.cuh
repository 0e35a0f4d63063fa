/*
 * program_textures.cuh - texture objects that a differentiated program makes, over memory of its own or of the
 * caller's, and their adjoints, which lie where those of that memory do. An object that the program was given
 * is not looked into, and its texels have no adjoint.
 *
 * On the way back the contents are put into the memory itself, so that one object serves both ways.
 */
#ifndef GRADWRIGHT_PROGRAM_TEXTURES_CUH
#define GRADWRIGHT_PROGRAM_TEXTURES_CUH

#include "gradwright/emitted/program.cuh"
#include "gradwright/texture.cuh"

namespace gw_texture {

inline cudaChannelFormatDesc format_of(unsigned long long gw_format) {
    return {(int)(gw_format & 255), (int)(gw_format >> 8 & 255), (int)(gw_format >> 16 & 255),
            (int)(gw_format >> 24 & 255), (cudaChannelFormatKind)(gw_format >> 32 & 255)};
}

inline cudaResourceDesc resource_of(const gw_program_texels &gw_of, cudaResourceType gw_kind) {
    cudaResourceDesc gw_made = {};
    gw_made.resType = gw_kind;
    if (gw_kind == cudaResourceTypeLinear) {
        gw_made.res.linear.devPtr = const_cast<void *>(gw_of.at);
        gw_made.res.linear.desc = format_of(gw_of.as[1]);
        gw_made.res.linear.sizeInBytes = (size_t)gw_of.as[2];
    } else {
        gw_made.res.pitch2D.devPtr = const_cast<void *>(gw_of.at);
        gw_made.res.pitch2D.desc = format_of(gw_of.as[1]);
        gw_made.res.pitch2D.width = (size_t)gw_of.as[2];
        gw_made.res.pitch2D.height = (size_t)gw_of.as[3];
        gw_made.res.pitch2D.pitchInBytes = (size_t)gw_of.as[4];
    }
    return gw_made;
}

/* The cudaTextureDesc that the number stands for (frontend/device/texture.c). */
inline cudaTextureDesc reading_of(unsigned long long gw_how) {
    cudaTextureDesc gw_made = {};
    for (int gw_axis = 0; gw_axis < 3; gw_axis++)
        gw_made.addressMode[gw_axis] = (cudaTextureAddressMode)(gw_how >> 4 * gw_axis & 15);
    gw_made.filterMode = (cudaTextureFilterMode)(gw_how >> 12 & 15);
    gw_made.readMode = (cudaTextureReadMode)(gw_how >> 16 & 15);
    gw_made.normalizedCoords = (int)(gw_how >> 20 & 1);
    return gw_made;
}

inline void destroy(unsigned long long gw_object) { (void)cudaDestroyTextureObject(gw_object); }

/* Texels from one row to the next; 0: the adjoint of the memory is not that of the texels. */
inline size_t pitch_of(const cudaResourceDesc &gw_resource, const gw_texture_shadow &gw_shadow) {
    const bool gw_plane = gw_resource.resType == cudaResourceTypePitch2D;
    const cudaChannelFormatDesc gw_format =
        gw_plane ? gw_resource.res.pitch2D.desc : gw_resource.res.linear.desc;
    const size_t gw_texel = sizeof(float) * (size_t)gw_shadow.channels;
    if (gw_format.f != cudaChannelFormatKindFloat || gw_format.x != 32) return 0;
    if (!gw_plane) return (size_t)gw_shadow.width;
    const size_t gw_bytes = gw_resource.res.pitch2D.pitchInBytes, gw_pitch = gw_bytes / gw_texel;
    const bool gw_fits = gw_bytes % gw_texel == 0 && gw_pitch <= (size_t)INT_MAX / 4 / (size_t)gw_shadow.height;
    return gw_fits ? gw_pitch : 0;
}

} // namespace gw_texture

/* cudaCreateTextureObject; 0 after a failure. */
inline unsigned long long gw_program_texture_make(gw_program *gw_run, const void *gw_at, int gw_kind,
                                                  unsigned long long gw_format, unsigned long long gw_width,
                                                  unsigned long long gw_height, unsigned long long gw_pitch,
                                                  unsigned long long gw_how) {
    const gw_program_texels gw_of = {
        gw_at, {gw_how << 8 | (unsigned)gw_kind, gw_format, gw_width, gw_height, gw_pitch}};
    cudaTextureObject_t gw_object = gw_program_texture_found(gw_run, &gw_of);
    if (gw_object || gw_program_failed(gw_run)) return gw_object;
    const bool gw_line = gw_kind != cudaResourceTypeLinear && !gw_height;
    if (gw_how >> 24 || gw_line) {
        const char *gw_why = gw_line ? "it is a line" : "it has sRGB, or a border that is not 0";
        gw_program_check_status(gw_run, gw_report(GW_ERROR_ARGUMENT, "%s", gw_why), "a texture object");
        return 0;
    }
    const cudaResourceDesc gw_resource = gw_texture::resource_of(gw_of, (cudaResourceType)gw_kind);
    const cudaTextureDesc gw_read = gw_texture::reading_of(gw_how);
    const cudaError_t gw_error = cudaCreateTextureObject(&gw_object, &gw_resource, &gw_read, nullptr);
    if (gw_program_check(gw_run, (int)gw_error, "cudaCreateTextureObject") != 0) return 0;
    gw_program_texture_add(gw_run, &gw_of, gw_object, gw_texture::destroy);
    return gw_object;
}

inline void gw_program_reads_texture(gw_program *gw_run, cudaTextureObject_t gw_object) {
    const void *const gw_at = gw_program_texture(gw_run, gw_object);
    if (gw_at) gw_program_reads(gw_run, gw_at);
}

inline void gw_program_settle_texture(gw_program *gw_run, cudaTextureObject_t gw_object, cudaStream_t gw_on) {
    const void *const gw_at = gw_program_texture(gw_run, gw_object);
    if (gw_at) gw_program_settle(gw_run, gw_at, gw_on);
}

/* A launch fetches from the texture and has another adjoint for that memory. */
inline void gw_program_apart_texture(gw_program *gw_run, cudaTextureObject_t gw_object, const void *gw_other) {
    if (!gw_program_meets(gw_run, gw_program_texture(gw_run, gw_object), gw_other)) return;
    const gw_status gw_said =
        gw_report(GW_ERROR_ARGUMENT, "a texture and another argument of the launch are the same memory");
    gw_program_check_status(gw_run, gw_said, "a launch");
}

inline gw_texture_shadow gw_program_texture_shadow(gw_program *gw_run, cudaTextureObject_t gw_object,
                                                   cudaStream_t gw_on) {
    gw_texture_shadow gw_made = {};
    if (gw_program_failed(gw_run)) return gw_made;
    const void *const gw_at = gw_program_texture(gw_run, gw_object);
    float *const gw_cells =
        gw_at ? (float *)gw_program_shadow_of(gw_run, gw_at, 1, sizeof(float), gw_on) : nullptr;
    gw_status gw_said = gw_texture_shadow_of(&gw_made, gw_object, gw_cells);
    cudaResourceDesc gw_resource;
    if (gw_at && gw_said == GW_OK && cudaGetTextureObjectResourceDesc(&gw_resource, gw_object) == cudaSuccess) {
        gw_made.pitch = (int)gw_texture::pitch_of(gw_resource, gw_made);
        if (!gw_made.pitch)
            gw_said = gw_report(GW_ERROR_ARGUMENT,
                                "the texels with an adjoint are no floats, or a row begins between two");
    }
    gw_program_check_status(gw_run, gw_said, "the adjoint of a texture");
    return gw_made;
}

#endif
