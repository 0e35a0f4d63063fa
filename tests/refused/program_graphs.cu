// What is refused of graphs that a program captures: what runs at once, or is another by the launch.
#include <gradwright/gradwright.h>

#define GLOBAL cudaStreamCaptureModeGlobal

__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

GW_GRADIENT("y wrt x") void beside(float *y, const float *x, cudaStream_t s, cudaStream_t t) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, GLOBAL);
    twice<<<1, 1, 0, s>>>(y, x);
#ifdef OBEYED
    twice<<<1, 1, 0, s>>>(y + 1, x);
#else
    twice<<<1, 1, 0, t>>>(y + 1, x);
#endif
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}

GW_GRADIENT("y wrt x") void at_once(float *y, const float *x, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *u;
    cudaMalloc(&u, sizeof(float));
    cudaStreamBeginCapture(s, GLOBAL);
#ifndef OBEYED
    float h = 1;
    cudaMemcpyAsync(u, &h, sizeof(float), cudaMemcpyHostToDevice, s);
#endif
    twice<<<1, 1, 0, s>>>(u, x);
    twice<<<1, 1, 0, s>>>(y, u);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}

#ifdef OBEYED
GW_GRADIENT("y wrt x") void given(float *y, const float *x, cudaStream_t s) { twice<<<1, 1, 0, s>>>(y, x); }
#else
GW_GRADIENT("y wrt x") void given(float *y, const float *x, cudaGraphExec_t exec, cudaStream_t s) {
    twice<<<1, 1, 0, s>>>(y, x);
    cudaGraphLaunch(exec, s);
}
#endif

GW_GRADIENT("y wrt x") void changing(float *y, const float *x, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    bool captured = false;
    for (int t = 0; t < 2; t++) {
#ifdef OBEYED
        captured = false;
#endif
        if (!captured) {
            cudaStreamBeginCapture(s, GLOBAL);
            twice<<<1, 1, 0, s>>>(y + t, x + t);
            cudaStreamEndCapture(s, &graph);
            cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
            captured = true;
        }
        cudaGraphLaunch(exec, s);
    }
}

GW_GRADIENT("y wrt x") void moved(float *y, const float *x, cudaStream_t s, cudaStream_t t) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t ready;
    cudaEventCreate(&ready);
    cudaStreamBeginCapture(s, GLOBAL);
    twice<<<1, 1, 0, s>>>(y, x);
    cudaEventRecord(ready, s);
    cudaStreamWaitEvent(t, ready, 0);
    twice<<<1, 1, 0, t>>>(y + 1, y);
    cudaEventRecord(ready, t);
    cudaStreamWaitEvent(s, ready, 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
#ifdef OBEYED
    cudaGraphLaunch(exec, s);
#else
    cudaGraphLaunch(exec, t);
#endif
}

GW_GRADIENT("y wrt x") void counted(float *y, const float *x, int at, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int seen[64] = {};
    cudaStreamBeginCapture(s, GLOBAL);
    for (int t = 0; t < 2; t++) {
        twice<<<1, 1, 0, s>>>(y + t, x + t);
#ifndef OBEYED
        seen[(at + t) % 64]++;
#endif
    }
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
    if (seen[at] > 3) cudaGraphLaunch(exec, s);
}

GW_GRADIENT("y wrt x") void open(float *y, const float *x, cudaStream_t s) {
#ifndef OBEYED
    cudaStreamBeginCapture(s, GLOBAL);
#endif
    twice<<<1, 1, 0, s>>>(y, x);
}
// obeys: unsupported
// says: program_graphs.cu:16:5: error: work, while a graph is captured, in a stream that is not seen to be captured, cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1, 0, t>>>(y + 1, x);
// says:     ^
// says:   way out: put it in the stream that is captured, or in one that waits for an event of that one
// says: program_graphs.cu:31:5: error: this call while a graph is captured cannot be differentiated yet [unsupported]
// says:     cudaMemcpyAsync(u, &h, sizeof(float), cudaMemcpyHostToDevice, s);
// says:     ^
// says:   way out: capture launches, asynchronous copies and fills between arrays, and events alone
// says: program_graphs.cu:45:5: error: a launch of a graph that this function does not capture, or of one of several cannot be differentiated yet [unsupported]
// says:     cudaGraphLaunch(exec, s);
// says:     ^
// says:   way out: capture it from a stream in this function, by one cudaStreamBeginCapture
// says: program_graphs.cu:59:13: error: what a graph was captured with, which changes in the loop that launches it, cannot be differentiated yet [unsupported]
// says:             twice<<<1, 1, 0, s>>>(y + t, x + t);
// says:             ^
// says:   way out: capture it in front of the loop, or in each iteration
// says: program_graphs.cu:85:5: error: a launch of a graph of several streams in another one cannot be differentiated yet [unsupported]
// says:     cudaGraphLaunch(exec, t);
// says:     ^
// says:   way out: launch it in the stream that it was captured from
// says: program_graphs.cu:97:9: error: what the host does to its variables in a loop or branch that is captured in a graph cannot be differentiated yet [unsupported]
// says:         seen[(at + t) % 64]++;
// says:         ^
// says:   way out: capture straight launches, or do that work in front of the capture
// says: program_graphs.cu:108:5: error: a capture that does not begin and end in one block of this function cannot be differentiated yet [unsupported]
// says:     cudaStreamBeginCapture(s, GLOBAL);
// says:     ^
// says:   way out: begin and end it in one block, in front of the graph's launch
