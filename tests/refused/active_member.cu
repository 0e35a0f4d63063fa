#include <gradwright/gradwright.h>

struct data {
    float *out, *scratch;
    const float *grid;
};

GW_GRADIENT("d.out wrt d.grid")
__global__ void through_a_member(data d) {
    int i = threadIdx.x;
    d.scratch[i] = d.grid[i] * d.grid[i];
    d.out[i] = d.scratch[i + 1];
}
// says: active_member.cu:12:16: error: 'd.scratch' carries a derivative from one access to another but is neither an output nor an input of the request [active-global]
// says:     d.out[i] = d.scratch[i + 1];
// says:                ^
// says:   way out: add it to the request
