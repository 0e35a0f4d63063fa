// What has no pullback of a function that works on memory of the device, and calls of one that has.
#include <gradwright/gradwright.h>

void of_lists(float *const *y, const float *x, cudaStream_t stream);
void of_bytes(float *y, const void *x, cudaStream_t stream);
float of_result(float *y, const float *x, cudaStream_t stream);
void of_nothing(const float *x, cudaStream_t stream);
void forward(float *y, const float *x, cudaStream_t stream);
int scale(float *y, const float *x, float by, cudaStream_t stream);
void work(float *y, unsigned *room, unsigned *more, cudaStream_t stream);

GW_DERIVATIVE_OF("pullback of of_lists")
void of_lists_back(float *const *y, const float *x, cudaStream_t stream, float *d_y, float *d_x);
GW_DERIVATIVE_OF("pullback of of_bytes")
void of_bytes_back(float *y, const void *x, cudaStream_t stream, float *d_y);
GW_DERIVATIVE_OF("pullback of of_result")
void of_result_back(float *y, const float *x, cudaStream_t stream, float d_return, float *d_y, float *d_x);
GW_DERIVATIVE_OF("pullback of of_nothing")
void of_nothing_back(const float *x, cudaStream_t stream, float *d_x);
GW_DERIVATIVE_OF("jvp of forward")
void forward_jvp(float *y, const float *x, cudaStream_t stream, const float *t_y, const float *t_x);
GW_DERIVATIVE_OF("pullback of scale")
float scale_wrong(float *y, const float *x, float by, cudaStream_t stream, float *d_y, float *d_x, float *d_by);
GW_DERIVATIVE_OF("pullback of scale")
void scale_back(float *y, GW_ONLY_FOR(d_bye) const float *x, float by, cudaStream_t stream, float *d_y, float *d_x,
                float *d_by);
GW_DERIVATIVE_OF("pullback of work")
void work_back(float *y, GW_SCRATCH unsigned *room, GW_SCRATCH unsigned *more, cudaStream_t stream, float *d_y);
GW_DERIVATIVE_OF("pullback of work")
void work_other(GW_SCRATCH float *y, unsigned *room, unsigned *more, cudaStream_t stream, float *d_y);
// says: program_rules.cu:12:1: error: 'of_lists' can have no custom derivative: it takes a pointer to other things than numbers [rule-function]
// says: GW_DERIVATIVE_OF("pullback of of_lists")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_rules.cu:14:1: error: 'of_bytes' can have no custom derivative: it takes a pointer to other things than numbers [rule-function]
// says: GW_DERIVATIVE_OF("pullback of of_bytes")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_rules.cu:16:1: error: 'of_result' can have no custom derivative: it works on memory of the device and returns something else than a status [rule-function]
// says: GW_DERIVATIVE_OF("pullback of of_result")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_rules.cu:18:1: error: 'of_nothing' can have no custom derivative: it writes no floating-point number through a pointer [rule-function]
// says: GW_DERIVATIVE_OF("pullback of of_nothing")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: program_rules.cu:20:1: error: 'forward_jvp' is no jvp of 'forward': parameter 4 is 'const float *' instead of 'float *' [rule-signature]
// says: GW_DERIVATIVE_OF("jvp of forward")
// says: ^
// says:   way out: declare it as 'void forward_jvp(float *y, const float *x, CUstream_st *stream, float *t_y, float *t_x)'
// says: program_rules.cu:22:1: error: 'scale_wrong' is no pullback of 'scale': it returns 'float' instead of 'void' [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of scale")
// says: ^
// says:   way out: declare it as 'void scale_wrong(float *y, const float *x, float by, CUstream_st *stream, float *d_y, float *d_x, float *d_by)'
// says: program_rules.cu:24:1: error: cannot read 'pullback of scale': GW_ONLY_FOR names no adjoint, or is said of no pointer [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of scale")
// says: ^
// says:   way out: write it before a pointer, with the name that the adjoint has here: GW_ONLY_FOR(d_x)
// says: program_rules.cu:27:1: error: cannot read 'pullback of work': two of its parameters are GW_SCRATCH [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of work")
// says: ^
// says:   way out: mark the one that the pullback works in, and leave the other without a name
// says: program_rules.cu:29:1: error: 'work' has another custom pullback already: 'work_back' [rule-twice]
// says: GW_DERIVATIVE_OF("pullback of work")
// says: ^
// says:   way out: keep one of them
// says: program_rules.cu:29:1: error: cannot read 'pullback of work': GW_SCRATCH is said of what is no pointer to integers to which the call writes [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of work")
// says: ^
// says:   way out: take the mark away
