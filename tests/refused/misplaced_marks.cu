#include <gradwright/gradwright.h>

class GW_NONDIFFERENTIABLE state {
    float held;
};
enum GW_NONDIFFERENTIABLE color { RED };
typedef float real GW_NONDIFFERENTIABLE;
struct maker {
    GW_GRADIENT("wrt x") maker(float x) : held(x) {}
    GW_GRADIENT("wrt held") float held;
    GW_NONDIFFERENTIABLE float kept; // fine
};
GW_GRADIENT("wrt x") float global;
GW_DERIVATIVE("wrt x") static float inside(float x) {
    GW_GRADIENT("wrt x") float local(float x);
    return local(x);
}
GW_INJECTIVE(list) __device__ float helper(const float *x, const int *list) { return x[list[0]]; }
GW_COARSEN(4) GW_ACCUMULATE(x, warp) __global__ void lonely(float *y, const float *x) { y[threadIdx.x] = x[0]; }

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, GW_COARSEN(2) int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
GW_GRADIENT("y wrt x")
__global__ void pick(float *y, const float *x, const int *list, int n) {
    GW_INJECTIVE(list); // not a word to the compiler
    if (threadIdx.x < n) y[threadIdx.x] = x[list[threadIdx.x]];
}
// says: misplaced_marks.cu:3:7: error: GW_NONDIFFERENTIABLE means nothing before a type [misplaced-mark]
// says: class GW_NONDIFFERENTIABLE state {
// says:       ^
// says:   way out: write it before functions, variables, parameters or members
// says: misplaced_marks.cu:6:6: error: GW_NONDIFFERENTIABLE means nothing before a type [misplaced-mark]
// says: enum GW_NONDIFFERENTIABLE color { RED };
// says:      ^
// says:   way out: write it before functions, variables, parameters or members
// says: misplaced_marks.cu:7:20: error: GW_NONDIFFERENTIABLE means nothing before a type [misplaced-mark]
// says: typedef float real GW_NONDIFFERENTIABLE;
// says:                    ^
// says:   way out: write it before functions, variables, parameters or members
// says: misplaced_marks.cu:9:5: error: GW_GRADIENT means nothing before a constructor [misplaced-mark]
// says:     GW_GRADIENT("wrt x") maker(float x) : held(x) {}
// says:     ^
// says:   way out: write it before a function, outside of others
// says: misplaced_marks.cu:10:5: error: GW_GRADIENT means nothing before a member [misplaced-mark]
// says:     GW_GRADIENT("wrt held") float held;
// says:     ^
// says:   way out: write it before a function, outside of others
// says: misplaced_marks.cu:13:1: error: GW_GRADIENT means nothing before a variable [misplaced-mark]
// says: GW_GRADIENT("wrt x") float global;
// says: ^
// says:   way out: write it before a function, outside of others
// says: misplaced_marks.cu:15:5: error: GW_GRADIENT means nothing before a function inside of another one [misplaced-mark]
// says:     GW_GRADIENT("wrt x") float local(float x);
// says:     ^
// says:   way out: write it before a function, outside of others
// says: misplaced_marks.cu:16:12: error: function 'local' has neither a body nor a derivative rule [no-rule]
// says:     return local(x);
// says:            ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of local"), or have it made of differences: GW_NUMERIC("local wrt ...")
// says: misplaced_marks.cu:18:1: error: GW_INJECTIVE means nothing before a function of which no derivative is asked [misplaced-mark]
// says: GW_INJECTIVE(list) __device__ float helper(const float *x, const int *list) { return x[list[0]]; }
// says: ^
// says:   way out: write it before a function of which a derivative is asked
// says: misplaced_marks.cu:19:1: error: GW_COARSEN means nothing before a function of which no derivative is asked [misplaced-mark]
// says: GW_COARSEN(4) GW_ACCUMULATE(x, warp) __global__ void lonely(float *y, const float *x) { y[threadIdx.x] = x[0]; }
// says: ^
// says:   way out: write it before a function of which a derivative is asked
// says: misplaced_marks.cu:19:15: error: GW_ACCUMULATE means nothing before a function of which no derivative is asked [misplaced-mark]
// says: GW_COARSEN(4) GW_ACCUMULATE(x, warp) __global__ void lonely(float *y, const float *x) { y[threadIdx.x] = x[0]; }
// says:               ^
// says:   way out: write it before a function of which a derivative is asked
// says: misplaced_marks.cu:22:49: error: GW_COARSEN means nothing before a parameter [misplaced-mark]
// says: __global__ void scale(float *y, const float *x, GW_COARSEN(2) int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
// says:                                                 ^
// says:   way out: write it before a function of which a derivative is asked
// says: misplaced_marks.cu:25:5: error: GW_INJECTIVE means nothing as a statement [misplaced-mark]
// says:     GW_INJECTIVE(list); // not a word to the compiler
// says:     ^
// says:   way out: write it before a function of which a derivative is asked
