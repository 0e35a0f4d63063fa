// Graphs by hand and by capture: order, forks, copies of arguments, updates, conditions, and what a capture
// refuses.
#include "check.h"

struct step {
    int *at;
    int digit;
    char rest[32]; /* an argument by value that is more than a register */
};
__global__ void append(step s) { *s.at = *s.at * 10 + s.digit; }
__global__ void add(int *to, const int *from) { *to += *from; }
static void CUDART_CB note(void *data) { *(int *)data = *(int *)data * 10 + 9; }

static cudaGraphNode_t append_node(cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, int *at,
                                   int digit) {
    step s = {at, digit, ""};
    void *arguments[] = {&s};
    cudaKernelNodeParams p = {};
    p.func = (void *)append;
    p.gridDim = p.blockDim = dim3(1, 1, 1);
    p.kernelParams = arguments;
    cudaGraphNode_t node;
    OK(cudaGraphAddKernelNode(&node, graph, after, count, &p));
    s.digit = 0; /* the node has its own */
    return node;
}

static void by_hand(int *value, cudaStream_t stream) {
    cudaGraph_t graph, clone;
    cudaGraphExec_t program;
    cudaGraphNode_t host, set;
    OK(cudaGraphCreate(&graph, 0));
    /* Added in another order than they must run in. */
    cudaGraphNode_t last = append_node(graph, nullptr, 0, value, 3),
                    first = append_node(graph, nullptr, 0, value, 1);
    cudaGraphNode_t middle = append_node(graph, &first, 1, value, 2);
    OK(cudaGraphAddDependencies(graph, &middle, &last, 1));
    cudaMemsetParams zero = {};
    zero.dst = value;
    zero.elementSize = 4;
    zero.width = zero.height = 1;
    OK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zero));
    OK(cudaGraphAddDependencies(graph, &set, &first, 1));
    cudaHostNodeParams call = {note, value};
    OK(cudaGraphAddHostNode(&host, graph, &last, 1, &call));
    OK(cudaGraphInstantiate(&program, graph, nullptr, nullptr, 0));
    for (int i = 0; i < 3; ++i) {
        *value = 77;
        OK(cudaGraphLaunch(program, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(*value == 1239);
    }
    size_t count = 0;
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphGetNodes(clone, nullptr, &count));
    CHECK(count == 5);
    /* Another argument for one node of what is launched. */
    step other = {value, 8, ""};
    void *arguments[] = {&other};
    cudaKernelNodeParams p = {};
    p.func = (void *)append;
    p.gridDim = p.blockDim = dim3(1, 1, 1);
    p.kernelParams = arguments;
    OK(cudaGraphExecKernelNodeSetParams(program, middle, &p));
    OK(cudaGraphLaunch(program, stream));
    CHECK(*value == 1839);
    /* Nodes that wait for each other cannot be launched. */
    OK(cudaGraphAddDependencies(graph, &last, &first, 1));
    cudaGraphExec_t none;
    CHECK(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphExecDestroy(program));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
}

static cudaGraph_t capture(int *value, int *other, cudaStream_t a, cudaStream_t b, int digit) {
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    *value = *other = 0;
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    append<<<1, 1, 0, a>>>(step{value, digit, ""});
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    OK(cudaMemsetAsync(other, 0, sizeof *other, b));
    append<<<1, 1, 0, b>>>(step{other, 5, ""});
    OK(cudaEventRecord(join, b));
    OK(cudaStreamIsCapturing(b, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported && cudaGetLastError() != cudaSuccess);
    OK(cudaStreamWaitEvent(a, join, 0));
    add<<<1, 1, 0, a>>>(value, other);
    OK(cudaLaunchHostFunc(a, note, value));
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaStreamIsCapturing(b, &status));
    CHECK(status == cudaStreamCaptureStatusNone && *value == 0); /* nothing ran */
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    return graph;
}

static void by_capture(int *value, cudaStream_t a) {
    int *other;
    cudaStream_t b;
    OK(cudaMallocManaged(&other, sizeof *other));
    OK(cudaStreamCreate(&b));
    cudaGraph_t graph = capture(value, other, a, b, 1), next = capture(value, other, a, b, 2);
    cudaGraphExec_t program;
    OK(cudaGraphInstantiateWithFlags(&program, graph, 0));
    OK(cudaGraphLaunch(program, a));
    CHECK(*value == (1 + 5) * 10 + 9 && *other == 5);
    cudaGraphExecUpdateResultInfo result;
    OK(cudaGraphExecUpdate(program, next, &result));
    *value = 0;
    OK(cudaGraphLaunch(program, a));
    CHECK(*value == (2 + 5) * 10 + 9);
    cudaGraph_t empty;
    OK(cudaGraphCreate(&empty, 0));
    CHECK(cudaGraphExecUpdate(program, empty, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged && cudaGetLastError() != cudaSuccess);
    OK(cudaGraphExecDestroy(program));
    for (cudaGraph_t g : {graph, next, empty})
        OK(cudaGraphDestroy(g));
}

/* Memory that a graph allocates is there as long as what was made of the graph. */
static void allocation(int *value, cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t program;
    int *inside = nullptr;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&inside, sizeof *inside, stream));
    OK(cudaMemsetAsync(inside, 0, sizeof *inside, stream));
    append<<<1, 1, 0, stream>>>(step{inside, 6, ""});
    add<<<1, 1, 0, stream>>>(value, inside);
    OK(cudaFreeAsync(inside, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&program, graph, 0));
    OK(cudaGraphDestroy(graph));
    *value = 1;
    OK(cudaGraphLaunch(program, stream));
    OK(cudaFree(inside)); /* freed by the program, and there again */
    OK(cudaGraphLaunch(program, stream));
    CHECK(*value == 13);
    OK(cudaGraphExecDestroy(program));
    CHECK(cudaMemset(inside, 0, 1) == cudaErrorInvalidValue && cudaGetLastError() != cudaSuccess);
}

__global__ void count_down(int *n, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, --*n > 0);
}
static void loop(int *value, int *left, cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphNode_t node, inside;
    cudaGraphConditionalHandle handle;
    cudaGraphExec_t program;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    inside = append_node(body, nullptr, 0, value, 4);
    void *arguments[] = {&left, &handle};
    cudaKernelNodeParams k = {};
    k.func = (void *)count_down;
    k.gridDim = k.blockDim = dim3(1, 1, 1);
    k.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&node, body, &inside, 1, &k));
    OK(cudaGraphInstantiate(&program, graph, 0));
    *value = 0;
    *left = 3;
    OK(cudaGraphLaunch(program, stream));
    CHECK(*value == 444 && *left == 0);
    OK(cudaGraphExecDestroy(program));
    OK(cudaGraphDestroy(graph));
}

int main() {
    int *value;
    cudaStream_t stream;
    OK(cudaMallocManaged(&value, 2 * sizeof *value));
    OK(cudaStreamCreate(&stream));
    by_hand(value, stream);
    by_capture(value, stream);
    allocation(value, stream);
    loop(value, value + 1, stream);
    return 0;
}
