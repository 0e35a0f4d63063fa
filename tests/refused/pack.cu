// Adjoints that cannot be parts of records, each at the access in the way or at the mark.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
__global__ void no_constant_factor(float *y, const float *x, const float *w, int n) {
    y[HERE] = x[HERE] * w[n * HERE] * w[3 * HERE];
}

GW_GRADIENT("y wrt x") GW_PACK(x)
__global__ void beyond_the_element(float *y, const float *x) {
    y[HERE] = x[3 * HERE] * x[3 * HERE + 3];
}

GW_GRADIENT("y wrt x") GW_PACK(x)
__global__ void may_wrap(float *y, const float *x, const unsigned *list) {
    y[HERE] = x[4u * list[HERE]];
}

GW_GRADIENT("x wrt x") GW_PACK(x)
__global__ void overwritten(float *x) {
    x[HERE] = x[HERE] * x[HERE];
}

GW_GRADIENT("y wrt x") GW_PACK(x)
__global__ void of_doubles(double *y, const double *x) {
    y[HERE] = x[HERE] * x[HERE];
}

GW_GRADIENT("y wrt x") GW_PACK(x, w)
__global__ void not_asked_for(float *y, const float *x, const float *w) {
    y[HERE] = x[HERE] * w[HERE];
}

GW_GRADIENT("y wrt k") GW_PACK(k)
__global__ void by_value(float *y, float k) {
    y[HERE] = k;
}

GW_GRADIENT("y wrt x") GW_PACK(x) GW_ACCUMULATE(x, warp)
__global__ void with_a_rung(float *y, const float *x) {
    y[HERE] = x[blockIdx.x];
}

GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
__global__ void nothing_added(float *y, const float *x, const float *w, int n) {
    y[HERE] = x[HERE] + (float)(int)w[0];
}

// What an element of color is, mean says: its cells are no elements where any of them is read.
GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void any_float(float *y, const float2 *mean, const float *color, const int *list) {
    int q = list[HERE];
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += mean[q].x * color[3 * q + k];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void one_of_three(float *y, const float2 *mean, const float *color, const int *list) {
    int q = list[HERE];
    y[HERE] = mean[q].x * color[3 * q + q % 3];
}

GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void all_floats(float *y, const float *mean, const float *color, const int *list, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += mean[list[HERE]] * color[k];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void two_elements(float *y, const float2 *mean, const float *color, const int *list) {
    y[HERE] = mean[list[HERE]].x * mean[HERE].y * color[3 * HERE];
}

// Nothing says whether 3 * q + k is an element.
GW_GRADIENT("y wrt x, color") GW_PACK(x, color)
__global__ void alike(float *y, const float *x, const float *color, const int *list) {
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += x[3 * list[HERE] + k] * color[3 * list[HERE] + k];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt color") GW_PACK(color)
__global__ void alone(float *y, const float *color, const int *list) {
    float sum = 0;
    for (int k = 3 * list[HERE]; k < 3 * list[HERE] + 3; k++) sum += color[k] * color[k];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
__global__ void launched(float *y, const float *x, const float *w) {
    y[HERE] = x[HERE] * w[HERE];
}
GW_GRADIENT("y wrt x, w")
void program(float *y, const float *x, const float *w) {
    launched<<<1, 32>>>(y, x, w);
}
// says: pack.cu:8:25: error: GW_PACK: 'w' cannot be part of a record: its index is not k*i + c with a constant k and 0 <= c < k [cannot-pack]
// says:     y[HERE] = x[HERE] * w[n * HERE] * w[3 * HERE];
// says:                         ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:13:29: error: GW_PACK: 'x' cannot be part of a record: its index is not k*i + c with a constant k and 0 <= c < k [cannot-pack]
// says:     y[HERE] = x[3 * HERE] * x[3 * HERE + 3];
// says:                             ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:18:15: error: GW_PACK: 'x' cannot be part of a record: its index is not k*i + c with a constant k and 0 <= c < k [cannot-pack]
// says:     y[HERE] = x[4u * list[HERE]];
// says:               ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:23:5: error: GW_PACK: 'x' cannot be part of a record: its adjoint is not only added to [cannot-pack]
// says:     x[HERE] = x[HERE] * x[HERE];
// says:     ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:26:24: error: GW_PACK: 'x' cannot be part of a record: it is no array of floats, or of structs of floats [cannot-pack]
// says: GW_GRADIENT("y wrt x") GW_PACK(x)
// says:                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:31:24: error: GW_PACK: 'w' cannot be part of a record: the request has no adjoint of it [cannot-pack]
// says: GW_GRADIENT("y wrt x") GW_PACK(x, w)
// says:                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:36:24: error: GW_PACK: 'k' cannot be part of a record: it is no array of floats, or of structs of floats [cannot-pack]
// says: GW_GRADIENT("y wrt k") GW_PACK(k)
// says:                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:41:24: error: GW_PACK: 'x' cannot be part of a record: GW_ACCUMULATE asks for a rung of it alone [cannot-pack]
// says: GW_GRADIENT("y wrt x") GW_PACK(x) GW_ACCUMULATE(x, warp)
// says:                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:46:1: warning: 'y' does not depend on 'w': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
// says: ^
// says: pack.cu:46:27: error: GW_PACK: 'w' cannot be part of a record: the gradient adds nothing to its adjoint [cannot-pack]
// says: GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
// says:                           ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:48:37: warning: no derivative goes through this conversion to an integer, but 'y' depends on its value [lost-derivative]
// says:     y[HERE] = x[HERE] + (float)(int)w[0];
// says:                                     ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: pack.cu:56:52: error: GW_PACK: 'color' cannot be part of a record: 'mean' is not read at the same i, of k*i + c [cannot-pack]
// says:     for (int k = 0; k < 3; k++) sum += mean[q].x * color[3 * q + k];
// says:                                                    ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:63:27: error: GW_PACK: 'color' cannot be part of a record: 'mean' is not read at the same i, of k*i + c [cannot-pack]
// says:     y[HERE] = mean[q].x * color[3 * q + q % 3];
// says:                           ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:69:59: error: GW_PACK: 'color' cannot be part of a record: 'mean' is not read at the same i, of k*i + c [cannot-pack]
// says:     for (int k = 0; k < n; k++) sum += mean[list[HERE]] * color[k];
// says:                                                           ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:75:32: error: GW_PACK: 'mean' cannot be part of a record: 'color' is not read at the same i, of k*i + c [cannot-pack]
// says:     y[HERE] = mean[list[HERE]].x * mean[HERE].y * color[3 * HERE];
// says:                                ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:82:40: error: GW_PACK: 'x' cannot be part of a record: its index is not k*i + c with a constant k and 0 <= c < k [cannot-pack]
// says:     for (int k = 0; k < 3; k++) sum += x[3 * list[HERE] + k] * color[3 * list[HERE] + k];
// says:                                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:86:28: error: GW_PACK: 'color' cannot be part of a record: a record would be one float [cannot-pack]
// says: GW_GRADIENT("y wrt color") GW_PACK(color)
// says:                            ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack.cu:93:27: error: GW_PACK: 'x' cannot be part of a record: a program launches the kernel, and has no records [cannot-pack]
// says: GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
// says:                           ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
