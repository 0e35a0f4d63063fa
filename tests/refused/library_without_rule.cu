// A function of a library without a body here, which could have no derivative of its own.
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

typedef struct communicator *handle;
int reduce_all(const void *send, void *to, size_t n, int type, handle h, cudaStream_t stream);

#ifdef OBEYED
int reduced(const double *send, double *to, size_t n, handle h, cudaStream_t stream) {
    return reduce_all(send, to, n, 8, h, stream);
}
GW_DERIVATIVE_OF("pullback of reduced")
int back(const double *send, double *to, size_t n, handle h, cudaStream_t stream, double *d_send, double *d_to);
#else
#define reduced(x, y, n, h, stream) reduce_all(x, y, n, 8, h, stream)
#endif

GW_GRADIENT("y wrt x")
int sums(double *y, const double *x, int n, handle h, cudaStream_t stream) { return reduced(x, y, n, h, stream); }
// obeys: no-rule
// says: library_without_rule.cu:19:85: error: function 'reduce_all' has neither a body nor a derivative rule [no-rule]
// says: int sums(double *y, const double *x, int n, handle h, cudaStream_t stream) { return reduced(x, y, n, h, stream); }
// says:                                                                                     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
