// Functions that work on memory of the device and cannot be without derivatives, and calls of one that is.
#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_NONDIFFERENTIABLE void of_numbers(int *y, const int *x, cudaStream_t stream);
GW_NONDIFFERENTIABLE int of_result(const float *x, int *y, cudaStream_t stream);
GW_NONDIFFERENTIABLE void of_lists(int *y, const float *x, cudaStream_t stream);
GW_GRADIENT("wrt x") double square(double x) { return x * x; }
#else
GW_NONDIFFERENTIABLE void of_numbers(float *y, const int *x, cudaStream_t stream);
GW_NONDIFFERENTIABLE float of_result(const float *x, int *y, cudaStream_t stream);
GW_NONDIFFERENTIABLE void of_lists(int *const *y, const float *x, cudaStream_t stream);
#endif
// obeys: rule-function
// says: program_passive.cu:10:1: error: 'of_numbers' can have no custom derivative: it writes floating-point numbers through a pointer, whose derivatives would be lost [rule-function]
// says: GW_NONDIFFERENTIABLE void of_numbers(float *y, const int *x, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_passive.cu:11:1: error: 'of_result' can have no custom derivative: it works on memory of the device and returns something else than a status [rule-function]
// says: GW_NONDIFFERENTIABLE float of_result(const float *x, int *y, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_passive.cu:12:1: error: 'of_lists' can have no custom derivative: it takes a pointer to other things than numbers [rule-function]
// says: GW_NONDIFFERENTIABLE void of_lists(int *const *y, const float *x, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
