/* A library's header as a toolkit has it: its quoted includes find the toolkit's own headers first. */
#include "driver_types.h"
#include "texture_types.h"
#include "vector_types.h"
#include <cuda_fp16.h>
struct library_handle {
    float4 scale;
    cudaStream_t stream;
};
