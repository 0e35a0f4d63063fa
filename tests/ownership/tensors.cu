// Tensors whose strides are the caller's: cells that are numbers of several digits. First those in which one
// thing is missing, so that nothing that could be asked parts them.
#include <gradwright/gradwright.h>

struct tensor {
    float *val;
    int dims[4], strides[4];

    __device__ int at(int n, int h, int w, int c) const {
        return (dims[0] == 1 ? 0 : n * strides[0]) + (dims[1] == 1 ? 0 : h * strides[1]) +
               (dims[2] == 1 ? 0 : w * strides[2]) + (dims[3] == 1 ? 0 : c * strides[3]);
    }
    __device__ float fetch(unsigned i) const { return val[i]; }
    __device__ float3 fetch3(unsigned x, unsigned y, unsigned z) const {
        return make_float3(fetch(at(z, y, x, 0)), fetch(at(z, y, x, 1)), fetch(at(z, y, x, 2)));
    }
};
struct picture {
    tensor a, b;
    uint3 size;
};

#define PIXEL                                                                                                 \
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,      \
                   z = blockIdx.z;
#define INSIDE  x < p.size.x && y < p.size.y && z < p.size.z

// Nobody says how many values the row has that is looked at.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void row_of_a_list(float *out, picture p, const int *rows) {
    PIXEL if (INSIDE) out[(z * p.size.y + y) * p.size.x + x] = p.a.fetch(p.a.at(z, rows[y], x, 0)) * 2;
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// The digit x is missing: threads of a row meet.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void one_for_a_row(float *out, picture p) {
    PIXEL if (INSIDE) out[(z * p.size.y + y) * p.size.x + x] = p.a.fetch(p.a.at(z, y, 0, 1)) * 2;
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// Two threads have each x.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void each_twice(float *out, picture p) {
    PIXEL if (INSIDE) out[(z * p.size.y + y) * p.size.x + x] = p.a.fetch(p.a.at(z, y, x / 2, 1)) * 2;
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// The pixel beside it is another thread's.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void neighbours(float *out, picture p) {
    PIXEL if (INSIDE) {
        const float3 one = p.a.fetch3(x, y, z), other = p.a.fetch3(x + 1, y, z);
        out[(z * p.size.y + y) * p.size.x + x] = one.x * other.y;
    }
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// A stride for each thread.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void stride_of_a_thread(float *out, picture p, const int *strides) {
    PIXEL if (INSIDE)
        out[(z * p.size.y + y) * p.size.x + x] = p.a.fetch(y * p.a.strides[1] + x * strides[threadIdx.x]) * 2;
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// The choice is a thread's.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void choice_of_a_thread(float *out, picture p) {
    PIXEL if (INSIDE)
        out[(z * p.size.y + y) * p.size.x + x] =
            p.a.fetch((y == 1 ? 0 : y * p.a.strides[1]) + x * p.a.strides[2]) * 2;
}
//= d_p.a.val[i] +=: atomic
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// Also written to: the next reader's cell.
GW_GRADIENT("p.a.val wrt p.a.val")
__global__ void in_place(picture p) {
    PIXEL if (INSIDE) p.a.val[p.a.at(z, y, x, 0)] = p.a.val[p.a.at(z, y, x, 0)] * 2;
}
//= d_p.a.val[at] =: plain
//= read d_p.a.val[at]: plain
//= d_p.a.val[at] +=: atomic

// Two tensors, each with its own condition.
GW_GRADIENT("out wrt p.a.val[0:p.size.x] fresh, p.b.val[0:p.size.x] fresh")
__global__ void pixels(float *out, picture p) {
    PIXEL if (INSIDE) {
        const float3 a = p.a.fetch3(x, y, z), b = p.b.fetch3(x, y, z);
        out[(z * p.size.y + y) * p.size.x + x] = a.x * b.x + a.y * b.y + a.z * b.z;
    }
}
//= d_p.a.val[i] +=: atomic
//= d_p.a.val[i] =: plain
//= d_p.b.val[i] +=: atomic
//= d_p.b.val[i] =: plain
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain

// Channels in a loop: a cell may be one of several iterations.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void channels(float *out, picture p) {
    PIXEL float sum = 0;
    for (int c = 0; c < 3; c++) sum += p.a.fetch(p.a.at(z, y, x, c)) * p.a.fetch(p.a.at(z, y, x, c));
    out[((z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + x] = sum;
}
//= d_p.a.val[i] +=: atomic
//= d_out[((z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + x] =: plain
//= read d_out[((z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) * gridDim.x * blockDim.x + x]: plain

// Neighbours' cells are one float apart, and the layers are the launch's.
GW_GRADIENT("out wrt p.a.val[0:p.size.x * p.a.dims[1]] fresh")
__global__ void planes_of_floats(float *out, picture p) {
    PIXEL if (INSIDE)
        out[(z * p.size.y + y) * p.size.x + x] = p.a.val[z * p.a.strides[0] + y * p.a.strides[1] + x];
}
//= d_out[(z * p.size.y + y) * p.size.x + x] =: plain
//= read d_out[(z * p.size.y + y) * p.size.x + x]: plain
//= d_p.a.val[z * p.a.strides[0] + y * p.a.strides[1] + x] +=: atomic
//= d_p.a.val[z * p.a.strides[0] + y * p.a.strides[1] + x] =: plain
