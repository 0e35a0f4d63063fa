/*
 * toolkit.c - where a CUDA toolkit lies (contract: source.h).
 */
#include "plugin/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_toolkit(const char *folder) {
    char header[4096];
    const int n = snprintf(header, sizeof header, "%s/include/cuda_runtime.h", folder);
    return n > 0 && (size_t)n < sizeof header && access(header, R_OK) == 0;
}

const char *gw_toolkit_folder(void) {
    const char *named = getenv("CUDA_PATH");
    static const char *const places[] = {"/usr/local/cuda", "/opt/cuda"};
    if (named && *named) return is_toolkit(named) ? named : NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (is_toolkit(places[i])) return places[i];
    return NULL;
}

bool gw_toolkit_has_header(const char *name) {
    static const char *const beginnings[] = {"thrust/",  "cub/",  "cuda",      "cublas", "cufft", "curand",
                                             "cusolver", "cusparse", "cupti", "cuComplex", "nv/", "nvtx",
                                             "nvrtc",    "nvJit", "nccl",      "npp",    "sm_",   "crt/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}
