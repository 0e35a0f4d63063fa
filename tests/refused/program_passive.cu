// Functions that work on memory of the device and cannot be without derivatives, and calls of one that is.
#include <gradwright/gradwright.h>

GW_NONDIFFERENTIABLE void of_numbers(float *y, const int *x, cudaStream_t stream);
GW_NONDIFFERENTIABLE float of_result(const float *x, int *y, cudaStream_t stream);
GW_NONDIFFERENTIABLE void of_lists(int *const *y, const float *x, cudaStream_t stream);
// says: program_passive.cu:4:1: error: 'of_numbers' can have no custom derivative: it writes floating-point numbers through a pointer, whose derivatives would be lost [rule-function]
// says: GW_NONDIFFERENTIABLE void of_numbers(float *y, const int *x, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing
// says: program_passive.cu:5:1: error: 'of_result' can have no custom derivative: it works on memory of the device and returns something else than a status [rule-function]
// says: GW_NONDIFFERENTIABLE float of_result(const float *x, int *y, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing
// says: program_passive.cu:6:1: error: 'of_lists' can have no custom derivative: it takes a pointer to other things than numbers [rule-function]
// says: GW_NONDIFFERENTIABLE void of_lists(int *const *y, const float *x, cudaStream_t stream);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing
