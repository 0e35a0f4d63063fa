// args: --checkpoint scale:7=0 --checkpoint 'scale:7=binomial 65537' --checkpoint scale=4 --requests checkpoints.txt
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    for (int k = 0; k < n; k++) v *= v;
    y[threadIdx.x] = v;
}
// obeys: bad-checkpoint
// obeyed-args: --checkpoint scale:7=25
// says: gradwright: error: cannot read the checkpoint 'scale:7=0' [bad-checkpoint]
// says:   way out: write 'function:LINE=25' or 'function:LINE=binomial 10', with the line on which the loop begins
// says: gradwright: error: cannot read the checkpoint 'scale:7=binomial 65537' [bad-checkpoint]
// says:   way out: write 'function:LINE=25' or 'function:LINE=binomial 10', with the line on which the loop begins
// says: gradwright: error: cannot read the checkpoint 'scale=4' [bad-checkpoint]
// says:   way out: write 'function:LINE=25' or 'function:LINE=binomial 10', with the line on which the loop begins
// says: checkpoints.txt:2:1: error: cannot read the checkpoint 'scale:7=' [bad-checkpoint]
// says: checkpoint scale:7=
// says: ^
// says:   way out: write 'function:LINE=25' or 'function:LINE=binomial 10', with the line on which the loop begins
