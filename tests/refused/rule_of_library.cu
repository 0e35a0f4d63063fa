// Functions of libraries that can have no derivative of their own, called where they can: in one of the
// program's.
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

typedef struct communicator *handle;
typedef struct sparse_matrix *matrix;
int reduce_all(const void *send, void *to, size_t n, int type, handle h, cudaStream_t stream);
int times_vector(handle h, const void *alpha, matrix a, const void *x, const void *beta, void *y);

#ifdef OBEYED
cudaStream_t gw_stream_of(handle h);

int reduced(const double *send, double *to, size_t n, handle h, cudaStream_t stream) {
    return reduce_all(send, to, n, 8, h, stream);
}
GW_DERIVATIVE_OF("pullback of reduced")
int reduced_back(const double *send, double *to, size_t n, handle h, cudaStream_t stream, double *d_send,
                 double *d_to);

int times(handle h, const double *values, const int *columns, const double *x, double *y, matrix a) {
    const double one = 1, zero = 0;
    return times_vector(h, &one, a, x, &zero, y);
}
GW_DERIVATIVE_OF("pullback of times")
int times_back(handle h, const double *values, const int *columns, const double *x, double *y, matrix a,
               double *d_values, double *d_x, double *d_y);
#else
GW_DERIVATIVE_OF("pullback of reduce_all")
int reduced_back(const void *send, void *to, size_t n, int type, handle h, cudaStream_t stream, void *d_send,
                 void *d_to);
GW_DERIVATIVE_OF("pullback of times_vector")
int times_back(handle h, const void *alpha, matrix a, const void *x, const void *beta, void *y, void *d_x,
               void *d_y);
#define reduced(x, y, n, h, stream)        reduce_all(x, y, n, 8, h, stream)
#define times(h, values, columns, x, y, a) times_vector(h, values, a, x, values, y)
#endif

GW_GRADIENT("y wrt x")
int sums(double *y, const double *x, int n, handle h, cudaStream_t stream) {
    return reduced(x, y, n, h, stream);
}
GW_GRADIENT("y wrt values, x")
int products(double *y, const double *values, const int *columns, const double *x, handle h, matrix a) {
    return times(h, values, columns, x, y, a);
}
// obeys: rule-function
// says: rule_of_library.cu:29:1: error: 'reduce_all' can have no custom derivative: it takes a pointer to other things than numbers [rule-function]
// says: GW_DERIVATIVE_OF("pullback of reduce_all")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: rule_of_library.cu:32:1: error: 'times_vector' can have no custom derivative: it takes or returns other things than scalars by value, or floating-point numbers of several types [rule-function]
// says: GW_DERIVATIVE_OF("pullback of times_vector")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
