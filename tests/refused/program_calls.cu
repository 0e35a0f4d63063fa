// Calls and arguments that programs may not have.
#include <gradwright/gradwright.h>
#include <iostream>

struct row {
    float *x;
};
struct pair {
    float a;
    double b;
};
__device__ float list[2];
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void of_rows(float *y, const row *r) { y[threadIdx.x] = r[threadIdx.x].x[0]; }
__global__ void counts(int *y, const float *x) { y[0] = x[0] > 1; }
__global__ void in_bytes(char *y, const char *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void both(float *y, const pair *p) { y[threadIdx.x] = p[threadIdx.x].a; }

GW_GRADIENT("y wrt r") void rows(float *y, row *r) { of_rows<<<1, 1>>>(y, r); }
GW_GRADIENT("y wrt x") void as_integers(float *y, const float *x) { counts<<<1, 1>>>((int *)y, x); }
GW_GRADIENT("y wrt x") void two_types(float *y, const float *x, pair *p, pair *q) {
    cudaMemcpy(p, q, sizeof *p, cudaMemcpyDeviceToDevice);
    both<<<1, 1>>>(y, p);
}
GW_GRADIENT("y wrt x") void of_any_size(float *y, const float *x, int n) {
    float w;
    cudaMemcpy(&w, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    twice<<<1, 1>>>(y, x);
}
GW_GRADIENT("y wrt x") void as_bytes(float *y, const float *x) {
    in_bytes<<<1, 4>>>((char *)y, (const char *)(const void *)x);
}
GW_GRADIENT("y wrt x") void of_textures(float *y, const float *x, cudaArray_t from) {
    cudaMemcpy3DParms copy = {};
    copy.srcArray = from, copy.dstPtr = make_cudaPitchedPtr(y, 4, 1, 1), copy.extent = make_cudaExtent(1, 1, 1);
    cudaMemcpy3D(&copy);
    twice<<<1, 1>>>(y, x);
}
GW_GRADIENT("y wrt x") void symbol(float *y, const float *x) {
    cudaMemcpyToSymbol(list[1], x, sizeof(float));
    twice<<<1, 1>>>(y, x);
}
GW_GRADIENT("y wrt x") void asks_own(float *y, const float *x) {
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, &a);
    twice<<<1, 1>>>(y, x);
}
#include <vector>
static float shared[2];
static float deep(int n) { return n ? shared[n % 2] + deep(n - 1) : 1; }
GW_GRADIENT("y wrt x") void of_a_called_function(float *y, const float *x, int n) {
    cudaMemcpy(shared, x, sizeof shared, cudaMemcpyDeviceToHost);
    *y = deep(n) * *x;
}
GW_GRADIENT("y wrt x") void grows_by_name(float *y, const float *x, int n) {
    std::vector<float> own;
    own.push_back((float)n);
    twice<<<1, 1>>>(y, own.data());
}
GW_GRADIENT("y wrt x") void of_no_derivative(float *y, const float *x, int n) {
    GW_NONDIFFERENTIABLE float own[8] = {};
    cudaMemcpy(own, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    twice<<<1, 1>>>(y, own);
}
GW_GRADIENT("y wrt x") void of_a_vector(float *y, const float *x, int n) {
    std::vector<float> own;
    own.push_back((float)n);
    cudaMemcpy(own.data(), x, n, cudaMemcpyDeviceToHost);
    twice<<<1, 1>>>(y, x);
}
struct block {
    float w[4];
};
__global__ void defined_elsewhere(float *y);
std::ostream &operator<<(std::ostream &to, const block &b) { return to << b.w[0]; }

block made();

GW_GRADIENT("y wrt x") void fills_own(float *y, const float *x) {
    float own;
    cudaMemset(&own, 0, sizeof own);
    twice<<<1, 1>>>(y, x);
}
GW_GRADIENT("y wrt x") void of_other_type(float *y, const float *x, int n) {
    void *list[] = {&y, &n};
    cudaLaunchKernel((const void *)twice, dim3(1), dim3(1), list, 0, 0);
}
GW_GRADIENT("y wrt x") void of_any_list(float *y, const float *x, void **list) {
    twice<<<1, 1>>>(y, x);
    cudaLaunchKernel((const void *)twice, dim3(1), dim3(1), list, 0, 0);
}
GW_GRADIENT("y wrt x") void asks_elsewhere(float *y, const float *x) {
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, defined_elsewhere, 32, 0);
    twice<<<blocks, 1>>>(y, x);
}
GW_GRADIENT("y wrt x") void between_own(float *y, const float *x) {
    float a, b = 1;
    cudaMemcpy(&a, &b, sizeof a, cudaMemcpyHostToHost);
    twice<<<1, 1>>>(y, x);
}
struct flags {
    unsigned on : 2;
};
GW_GRADIENT("y wrt x") void of_array(float *y, const float *x, flags *b) {
    twice<<<1, 1>>>(y, x);
    b->on = 1;
}
GW_GRADIENT("y wrt x") void prints(float *y, const float *x) {
    twice<<<1, 1>>>(y, x);
    std::cerr << "a block: " << made() << std::endl;
}
GW_GRADIENT("y wrt x") void own_in_table(float *y, const float *x, int n) {
    float own = 1, **table = new float *[n];
    table[0] = &own;
    twice<<<1, 1>>>(y, x);
    *y = *table[0];
    delete[] table;
}
GW_GRADIENT("y wrt x") void table_in_memory(float *y, const float *x, int n) {
    float **table = new float *[n], **there;
    cudaMalloc(&there, n * sizeof(float *));
    cudaMemcpy(there, table, n * sizeof(float *), cudaMemcpyHostToDevice);
    delete[] table;
}
GW_GRADIENT("y wrt x") void table_freed(float *y, const float *x, int n) {
    float **table = new float *[n];
    table[0] = y;
    delete[] table;
    twice<<<1, 1>>>(table[0], x);
}
static cudaStream_t own_stream;
void twice_on(float *y, const float *x, cudaStream_t) { twice<<<1, 1, 0, own_stream>>>(y, x); }
GW_DERIVATIVE_OF("pullback of twice_on")
void twice_on_back(float *, const float *, cudaStream_t, float *d_y, float *d_x) { twice<<<1, 1>>>(d_x, d_y); }
GW_GRADIENT("y wrt x") void makes_another(float *y, const float *x) {
    cudaStreamCreate(&own_stream);
    twice_on(y, x, own_stream);
}
// says: program_calls.cu:19:54: error: a launch of a kernel that follows pointers which lie in memory cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt r") void rows(float *y, row *r) { of_rows<<<1, 1>>>(y, r); }
// says:                                                      ^
// says:   way out: pass the pointers, or a struct of them by value
// says: program_calls.cu:20:86: error: a cast between pointers to floating-point numbers and to others cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x") void as_integers(float *y, const float *x) { counts<<<1, 1>>>((int *)y, x); }
// says:                                                                                      ^
// says:   way out: pass the pointer as what it is allocated as; copies and fills take it so
// says: program_calls.cu:22:16: error: a copy of cells with floating-point numbers of two types cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(p, q, sizeof *p, cudaMemcpyDeviceToDevice);
// says:                ^
// says:   way out: copy arrays of one type each
// says: program_calls.cu:27:5: error: this copy of a variable of the function's own cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(&w, x, n * sizeof(float), cudaMemcpyDeviceToHost);
// says:     ^
// says:   way out: copy whole numbers, as many bytes as sizeof says
// says: program_calls.cu:31:24: error: a pointer to floating-point numbers that a kernel takes for bytes cannot be differentiated yet [unsupported]
// says:     in_bytes<<<1, 4>>>((char *)y, (const char *)(const void *)x);
// says:                        ^
// says:   way out: copy or fill them by cudaMemcpyAsync or cudaMemsetAsync
// says: program_calls.cu:36:18: error: a copy of an array of textures, or by parameters that are not known cannot be differentiated yet [unsupported]
// says:     cudaMemcpy3D(&copy);
// says:                  ^
// says:   way out: copy linear memory, with parameters that are set in this function
// says: program_calls.cu:40:24: error: a variable of the device's that is not named here cannot be differentiated yet [unsupported]
// says:     cudaMemcpyToSymbol(list[1], x, sizeof(float));
// says:                        ^
// says:   way out: name the variable itself
// says: program_calls.cu:45:34: error: the address of 'a_type', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     cudaPointerGetAttributes(&a, &a);
// says:                                  ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: program_calls.cu:49:14: error: a variable that is copied to or from the device, and a called function uses, cannot be differentiated yet [unsupported]
// says: static float shared[2];
// says:              ^
// says:   way out: pass the variable to the function
// says: program_calls.cu:58:24: error: the address of 'own', which grows, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1>>>(y, own.data());
// says:                        ^
// says:   way out: give it its size when it is made: 'std::vector<float> v(n)'
// says: program_calls.cu:62:5: error: this copy of a variable of the function's own cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(own, x, n * sizeof(float), cudaMemcpyDeviceToHost);
// says:     ^
// says:   way out: copy whole numbers, as many bytes as sizeof says
// says: program_calls.cu:63:24: error: the address of 'own', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1>>>(y, own);
// says:                        ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: program_calls.cu:68:5: error: this copy of a variable of the function's own cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(own.data(), x, n, cudaMemcpyDeviceToHost);
// says:     ^
// says:   way out: write the bytes as n * sizeof(element)
// says: program_calls.cu:81:16: error: the address of 'own', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     cudaMemset(&own, 0, sizeof own);
// says:                ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: program_calls.cu:86:61: error: a launch with an argument of another type than the parameter's cannot be differentiated yet [unsupported]
// says:     cudaLaunchKernel((const void *)twice, dim3(1), dim3(1), list, 0, 0);
// says:                                                             ^
// says:   way out: launch it by kernel<<<grid, block>>>(arguments)
// says: program_calls.cu:90:61: error: a launch with a list of arguments that is no array of this function's cannot be differentiated yet [unsupported]
// says:     cudaLaunchKernel((const void *)twice, dim3(1), dim3(1), list, 0, 0);
// says:                                                             ^
// says:   way out: launch it by kernel<<<grid, block>>>(arguments)
// says: program_calls.cu:94:60: error: a kernel that is not named here, or is defined elsewhere cannot be differentiated yet [unsupported]
// says:     cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, defined_elsewhere, 32, 0);
// says:                                                            ^
// says:   way out: name a kernel of this translation unit
// says: program_calls.cu:99:5: error: a copy by cudaMemcpy between variables of the function's own cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(&a, &b, sizeof a, cudaMemcpyHostToHost);
// says:     ^
// says:   way out: assign them
// says: program_calls.cu:107:5: error: this access of memory that kernels see, on the host, in a function that launches them cannot be differentiated yet [unsupported]
// says:     b->on = 1;
// says:     ^
// says:   way out: copy it in a kernel, or by cudaMemcpy
// says: program_calls.cu:111:33: error: function 'made' has neither a body nor a derivative rule [no-rule]
// says:     std::cerr << "a block: " << made() << std::endl;
// says:                                 ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: program_calls.cu:115:5: error: the address of 'own', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     table[0] = &own;
// says:     ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: program_calls.cu:123:5: error: arithmetic on a pointer to this type cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(there, table, n * sizeof(float *), cudaMemcpyHostToDevice);
// says:     ^
// says:   way out: pass the pointer and an offset
// says: program_calls.cu:130:21: error: memory that was freed cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1>>>(table[0], x);
// says:                     ^
// says:   way out: use it between its allocation and its end
// says: program_calls.cu:132:21: error: a stream or handle that the program makes, and a called function uses, cannot be differentiated yet [unsupported]
// says: static cudaStream_t own_stream;
// says:                     ^
// says:   way out: pass it to the function
