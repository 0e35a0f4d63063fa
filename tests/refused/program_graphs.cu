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
// By hand: nodes behind the instantiation, to one of two graphs; fills of several bytes.
static void add(cudaGraph_t graph, float **y, const float **x) {
    cudaGraphNode_t node;
    void *arguments[] = {y, x};
    cudaKernelNodeParams how = {};
    how.func = (void *)twice;
    how.gridDim = how.blockDim = dim3(1);
    how.kernelParams = arguments;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how);
}
GW_GRADIENT("y wrt x") void too_late(float *y, const float *x, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
#ifdef OBEYED
    add(graph, &y, &x);
#endif
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
#ifndef OBEYED
    add(graph, &y, &x);
#endif
    cudaGraphLaunch(exec, s);
}
GW_GRADIENT("y wrt x") void to_one_of_two(float *y, const float *x, int n, cudaStream_t s) {
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&other, 0);
#ifdef OBEYED
    add(graph, &y, &x);
#else
    add(n ? graph : other, &y, &x);
#endif
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphInstantiate(&exec, other, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}
GW_GRADIENT("y wrt x") void filled(float *y, const float *x, int n, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaMemsetParams how = {};
    how.dst = y;
    how.elementSize = 4;
    how.width = n;
    how.height = 1;
#ifndef OBEYED
    how.value = 0x3f800000;
#endif
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &how);
    add(graph, &y, &x);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}
#ifdef OBEYED
GW_GRADIENT("y wrt x") void by_given(float *y, const float *x, cudaStream_t s) {
    cudaKernelNodeParams given = {}, *how = &given;
    void *arguments[] = {&y, &x};
    given.func = (void *)twice;
    given.gridDim = given.blockDim = dim3(1);
    given.kernelParams = arguments;
#else
GW_GRADIENT("y wrt x") void by_given(float *y, const float *x, const cudaKernelNodeParams *how, cudaStream_t s) {
#endif
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, how);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}
// What is launched has another name, which an update would not reach.
GW_GRADIENT("y wrt x") void named_twice(float *y, const float *x, cudaStream_t s) {
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, GLOBAL);
    twice<<<1, 1, 0, s>>>(y, x);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
#ifndef OBEYED
    cudaGraphExec_t same = exec;
#endif
    cudaStreamBeginCapture(s, GLOBAL);
    twice<<<1, 1, 0, s>>>(y + 1, x + 1);
    cudaStreamEndCapture(s, &other);
    cudaGraphExecUpdateResultInfo result;
    cudaGraphExecUpdate(exec, other, &result);
#ifdef OBEYED
    cudaGraphLaunch(exec, s);
#else
    cudaGraphLaunch(same, s);
#endif
}
GW_GRADIENT("y wrt x") void listed(float *y, const float *x, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[4];
    size_t count = 4;
    cudaGraphCreate(&graph, 0);
    add(graph, &y, &x);
#ifdef OBEYED
    cudaGraphGetNodes(graph, nullptr, &count);
#else
    cudaGraphGetNodes(graph, nodes, &count);
#endif
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
}
// obeys: unsupported
// The node is another in some launches alone.
GW_GRADIENT("y wrt x") void set_at_times(float *y, const float *x, int n, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    float *to = y;
    void *arguments[] = {&to, &x};
    cudaKernelNodeParams how = {};
    how.func = (void *)twice;
    how.gridDim = how.blockDim = dim3(1);
    how.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int t = 0; t < n; t++) {
        to = y + t;
#ifndef OBEYED
        if (t % 2)
#endif
            cudaGraphExecKernelNodeSetParams(exec, node, &how);
        cudaGraphLaunch(exec, s);
    }
}
GW_GRADIENT("y wrt x") void set_in_loop(float *y, const float *x, int n, cudaStream_t s) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    float *to = y;
    void *arguments[] = {&to, &x};
    cudaKernelNodeParams how = {};
    how.func = (void *)twice;
    how.gridDim = how.blockDim = dim3(1);
    how.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
#ifndef OBEYED
    for (int t = 0; t < n; t++)
#endif
        cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    to = y + 1;
    cudaGraphExecKernelNodeSetParams(exec, node, &how);
    cudaGraphLaunch(exec, s);
}
static void clear(void *data) { *(float *)data = 0; }
GW_GRADIENT("y wrt x") void cleared(float *y, const float *x, cudaStream_t s) {
    float first = 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, GLOBAL);
    twice<<<1, 1, 0, s>>>(y, x);
    cudaMemcpyAsync(&first, y, sizeof first, cudaMemcpyDeviceToHost, s);
#ifndef OBEYED
    cudaLaunchHostFunc(s, clear, &first);
#endif
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
#ifdef OBEYED
    clear(&first);
#endif
    cudaMemcpy(y + 1, &first, sizeof first, cudaMemcpyHostToDevice);
}
void elsewhere(void *data);
GW_GRADIENT("y wrt x") void told(float *y, const float *x, cudaStream_t s) {
    twice<<<1, 1, 0, s>>>(y, x);
#ifdef OBEYED
    float here = 0;
    cudaLaunchHostFunc(s, clear, &here);
#else
    cudaLaunchHostFunc(s, elsewhere, nullptr);
#endif
}
// says: program_graphs.cu:16:5: error: work, while a graph is captured, in a stream that is not seen to be captured, cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1, 0, t>>>(y + 1, x);
// says:     ^
// says:   way out: put it in the stream that is captured, or in one that waits for an event of that one
// says: program_graphs.cu:30:15: error: this call while a graph is captured cannot be differentiated yet [unsupported]
// says:     float h = 1;
// says:               ^
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
// says: program_graphs.cu:120:5: error: a node that is added behind where its graph is instantiated, or to one of several, cannot be differentiated yet [unsupported]
// says:     cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how);
// says:     ^
// says:   way out: add all nodes to one graph in front of one cudaGraphInstantiate, or capture a stream
// says: program_graphs.cu:162:5: error: a node that fills by other numbers than bytes or 0, or several rows cannot be differentiated yet [unsupported]
// says:     cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &how);
// says:     ^
// says:   way out: fill them in a kernel, or capture the stream (cudaStreamBeginCapture)
// says: program_graphs.cu:181:5: error: a node by parameters that are not known cannot be differentiated yet [unsupported]
// says:     cudaGraphAddKernelNode(&node, graph, nullptr, 0, how);
// says:     ^
// says:   way out: set them in this function
// says: program_graphs.cu:200:5: error: an update of a graph that is not in one local variable alone cannot be differentiated yet [unsupported]
// says:     cudaGraphExecUpdate(exec, other, &result);
// says:     ^
// says:   way out: keep what cudaGraphInstantiate makes in a local variable, and copy it nowhere
// says: program_graphs.cu:217:30: error: the nodes of a graph cannot be differentiated yet [unsupported]
// says:     cudaGraphGetNodes(graph, nodes, &count);
// says:                              ^
// says:   way out: ask for their number alone
// says: program_graphs.cu:242:13: error: a node of a graph that is changed on some ways to its launch alone, or not known, cannot be differentiated yet [unsupported]
// says:             cudaGraphExecKernelNodeSetParams(exec, node, &how);
// says:             ^
// says:   way out: set it in front of each launch, in one block with that, or make a graph for each
// says: program_graphs.cu:263:5: error: a node of a graph that is changed on some ways to its launch alone, or not known, cannot be differentiated yet [unsupported]
// says:     cudaGraphExecKernelNodeSetParams(exec, node, &how);
// says:     ^
// says:   way out: set it in front of each launch, in one block with that, or make a graph for each
// says: program_graphs.cu:275:5: error: a function of the host in a graph that does more than read and print cannot be differentiated yet [unsupported]
// says:     cudaLaunchHostFunc(s, clear, &first);
// says:     ^
// says:   way out: call it behind the graph's launch, when the stream was waited for
// says: program_graphs.cu:293:27: error: a function of the host in a stream that is not named here, or defined elsewhere, cannot be differentiated yet [unsupported]
// says:     cudaLaunchHostFunc(s, elsewhere, nullptr);
// says:                           ^
// says:   way out: name a function of this translation unit
