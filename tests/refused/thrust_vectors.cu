#include <cuda_fp16.h>
#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <thrust/device_vector.h>
#include <thrust/universal_vector.h>

GW_GRADIENT("y wrt x")
void by_value(double *y, thrust::device_vector<double> x) {
    cudaMemcpy(y, thrust::raw_pointer_cast(x.data()), sizeof(double), cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("y wrt x")
void temporary(double *y, thrust::device_vector<double> &&x) {
    cudaMemcpy(y, thrust::raw_pointer_cast(x.data()), sizeof(double), cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("y wrt x")
void by_pointer(double *y, const thrust::device_vector<double> *x) {
    cudaMemcpy(y, thrust::raw_pointer_cast(x->data()), sizeof(double), cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("y wrt x")
void of_half(__half *y, const thrust::device_vector<__half> &x) {
    cudaMemcpy(y, thrust::raw_pointer_cast(x.data()), sizeof(__half), cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("y wrt x")
void on_host(thrust::universal_vector<double> &y, const thrust::universal_vector<double> &x) { y[0] = x[0]; }
struct pair {
    thrust::device_vector<double> first, second;
};
GW_GRADIENT("y wrt x.first")
void in_struct(double *y, const pair &x) {
    cudaMemcpy(y, thrust::raw_pointer_cast(x.first.data()), sizeof(double), cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("wrt x")
thrust::device_vector<double> returned(const thrust::device_vector<double> &x) { return x; }
#include "thrust_vectors.grad.cuh"
// says: thrust_vectors.cu:8:56: error: a vector of Thrust's that is passed otherwise than by reference cannot be differentiated yet [unsupported]
// says: void by_value(double *y, thrust::device_vector<double> x) {
// says:                                                        ^
// says:   way out: pass it as const thrust::device_vector<T> &, or without const where it is written
// says: thrust_vectors.cu:12:59: error: a vector of Thrust's that is passed otherwise than by reference cannot be differentiated yet [unsupported]
// says: void temporary(double *y, thrust::device_vector<double> &&x) {
// says:                                                           ^
// says:   way out: pass it as const thrust::device_vector<T> &, or without const where it is written
// says: thrust_vectors.cu:16:65: error: a vector of Thrust's that is passed otherwise than by reference cannot be differentiated yet [unsupported]
// says: void by_pointer(double *y, const thrust::device_vector<double> *x) {
// says:                                                                 ^
// says:   way out: pass it as const thrust::device_vector<T> &, or without const where it is written
// says: thrust_vectors.cu:20:62: error: a vector of half precision as a parameter cannot be differentiated yet [unsupported]
// says: void of_half(__half *y, const thrust::device_vector<__half> &x) {
// says:                                                              ^
// says:   way out: pass thrust::raw_pointer_cast(x.data()) and x.size()
// says: thrust_vectors.cu:24:48: error: a vector of Thrust's as a parameter of a function that launches nothing cannot be differentiated yet [unsupported]
// says: void on_host(thrust::universal_vector<double> &y, const thrust::universal_vector<double> &x) { y[0] = x[0]; }
// says:                                                ^
// says:   way out: pass thrust::raw_pointer_cast(x.data()) and x.size()
// says: thrust_vectors.cu:29:39: error: a class with a destructor cannot be differentiated yet [unsupported]
// says: void in_struct(double *y, const pair &x) {
// says:                                       ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: thrust_vectors.cu:33:31: error: a class with a destructor cannot be differentiated yet [unsupported]
// says: thrust::device_vector<double> returned(const thrust::device_vector<double> &x) { return x; }
// says:                               ^
// says:   way out: return a scalar or a struct of such, or write through a pointer parameter
