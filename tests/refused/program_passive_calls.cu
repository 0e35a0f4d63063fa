// Calls in programs of a function on memory of the device that has no derivative.
#include <gradwright/gradwright.h>
#include <vector>

GW_NONDIFFERENTIABLE int count(unsigned *y, const float *x, float least, cudaStream_t stream);
int sum(float *y, const float *x, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of sum") void sum_back(float *y, const float *x, cudaStream_t stream, float *d_y, float *d_x);

GW_GRADIENT("y wrt x") void of_its_own(float *y, const float *x, cudaStream_t stream) {
    std::vector<unsigned> own;
    own.push_back(3);
    count(own.data(), x, 1, stream);
    sum(y, x, stream);
}
// says: program_passive_calls.cu:12:11: error: the address of 'own', which grows, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     count(own.data(), x, 1, stream);
// says:           ^
// says:   way out: give it its size when it is made: 'std::vector<float> v(n)'
