/* The nodes of a graph other than kernels, each from its parameters. */
#include "work.h"
#include <stdlib.h>

#define NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count

static cudaError_t add(NODE, gw_cpu_work work) {
    return gw_cpu_graph_add(graph, node, dependencies, count, &work);
}

static gw_cpu_work box(const struct cudaMemcpy3DParms *copy) {
    return (gw_cpu_work){.type = cudaGraphNodeTypeMemcpy, .is_3d = true, .as.copy_3d = *copy};
}

static gw_cpu_work row(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    return (gw_cpu_work){.type = cudaGraphNodeTypeMemcpy, .as.copy = {to, from, size, size, size, 1, kind}};
}

static gw_cpu_work fill(const struct cudaMemsetParams *parameters) {
    return (gw_cpu_work){.type = cudaGraphNodeTypeMemset, .as.set = *parameters};
}

static gw_cpu_work host(const struct cudaHostNodeParams *parameters) {
    return (gw_cpu_work){.type = cudaGraphNodeTypeHost, .as.host = *parameters};
}

GW_CPU_API cudaError_t cudaGraphAddEmptyNode(NODE) {
    return add(node, graph, dependencies, count, (gw_cpu_work){.type = cudaGraphNodeTypeEmpty});
}

GW_CPU_API cudaError_t cudaGraphAddMemcpyNode(NODE, const struct cudaMemcpy3DParms *copy) {
    if (!copy) return gw_cpu_error_return(cudaErrorInvalidValue);
    return add(node, graph, dependencies, count, box(copy));
}

GW_CPU_API cudaError_t cudaGraphAddMemcpyNode1D(NODE, void *to, const void *from, size_t size,
                                                enum cudaMemcpyKind kind) {
    return add(node, graph, dependencies, count, row(to, from, size, kind));
}

GW_CPU_API cudaError_t cudaGraphAddMemsetNode(NODE, const struct cudaMemsetParams *parameters) {
    if (!parameters) return gw_cpu_error_return(cudaErrorInvalidValue);
    return add(node, graph, dependencies, count, fill(parameters));
}

GW_CPU_API cudaError_t cudaGraphAddHostNode(NODE, const struct cudaHostNodeParams *parameters) {
    if (!parameters || !parameters->fn) return gw_cpu_error_return(cudaErrorInvalidValue);
    return add(node, graph, dependencies, count, host(parameters));
}

/* The same of a graph that is ready to launch. */
#define CHANGED cudaGraphExec_t program, cudaGraphNode_t node

GW_CPU_API cudaError_t cudaGraphExecMemcpyNodeSetParams(CHANGED, const struct cudaMemcpy3DParms *copy) {
    if (!copy) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = box(copy);
    return gw_cpu_graph_change(program, node, &work);
}

GW_CPU_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CHANGED, void *to, const void *from, size_t size,
                                                          enum cudaMemcpyKind kind) {
    const gw_cpu_work work = row(to, from, size, kind);
    return gw_cpu_graph_change(program, node, &work);
}

GW_CPU_API cudaError_t cudaGraphExecMemsetNodeSetParams(CHANGED, const struct cudaMemsetParams *parameters) {
    if (!parameters) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = fill(parameters);
    return gw_cpu_graph_change(program, node, &work);
}

GW_CPU_API cudaError_t cudaGraphExecHostNodeSetParams(CHANGED, const struct cudaHostNodeParams *parameters) {
    if (!parameters || !parameters->fn) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = host(parameters);
    return gw_cpu_graph_change(program, node, &work);
}

GW_CPU_API cudaError_t cudaGraphAddChildGraphNode(NODE, cudaGraph_t child) {
    if (!child) return gw_cpu_error_return(cudaErrorInvalidValue);
    return add(node, graph, dependencies, count,
               (gw_cpu_work){.type = cudaGraphNodeTypeGraph, .as.graph = {&child, 1, 0, 0}});
}

GW_CPU_API cudaError_t cudaGraphAddEventRecordNode(NODE, cudaEvent_t event) {
    return add(node, graph, dependencies, count,
               (gw_cpu_work){.type = cudaGraphNodeTypeEventRecord, .as.event = event});
}

GW_CPU_API cudaError_t cudaGraphAddEventWaitNode(NODE, cudaEvent_t event) {
    return add(node, graph, dependencies, count,
               (gw_cpu_work){.type = cudaGraphNodeTypeWaitEvent, .as.event = event});
}

GW_CPU_API cudaError_t cudaGraphAddMemAllocNode(NODE, struct cudaMemAllocNodeParams *parameters) {
    if (!parameters) return gw_cpu_error_return(cudaErrorInvalidValue);
    gw_cpu_graph_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    cudaError_t error = gw_cpu_memory_allocate_for_graph(&memory->start, parameters->bytesize);
    parameters->dptr = memory->start;
    if (error == cudaSuccess)
        error = add(node, graph, dependencies, count,
                    (gw_cpu_work){.type = cudaGraphNodeTypeMemAlloc, .as.memory = memory});
    if (memory->owners == 0) {
        gw_cpu_memory_free_of_graph(memory->start);
        free(memory);
    }
    return error;
}

GW_CPU_API cudaError_t cudaGraphAddMemFreeNode(NODE, void *pointer) {
    return add(node, graph, dependencies, count,
               (gw_cpu_work){.type = cudaGraphNodeTypeMemFree, .as.pointer = pointer});
}

static cudaError_t add_conditional(NODE, struct cudaConditionalNodeParams *p) {
    const unsigned int bodies = p->size;
    if (!p->handle || bodies == 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaGraph_t *graphs = calloc(bodies, sizeof *graphs);
    if (!graphs) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    cudaError_t error = cudaSuccess;
    for (unsigned int i = 0; error == cudaSuccess && i < bodies; ++i)
        error = cudaGraphCreate(&graphs[i], 0);
    gw_cpu_work work = {.type = cudaGraphNodeTypeConditional, .as.graph = {graphs, bodies, p->type, p->handle}};
    if (error == cudaSuccess) error = gw_cpu_graph_add(graph, node, dependencies, count, &work);
    if (error == cudaSuccess) p->phGraph_out = gw_cpu_graph_bodies(*node);
    for (unsigned int i = 0; i < bodies; ++i)
        if (graphs[i]) cudaGraphDestroy(graphs[i]);
    free(graphs);
    return error;
}

/* dim3 in a union would need a constructor; the node's own form has plain sizes. */
static struct cudaKernelNodeParams kernel_of(const struct cudaGraphNodeParams *p) {
    const uint3 g = p->kernel.gridDim, b = p->kernel.blockDim;
    return (struct cudaKernelNodeParams){p->kernel.func,           {g.x, g.y, g.z},        {b.x, b.y, b.z},
                                         p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra};
}

GW_CPU_API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                           size_t count, struct cudaGraphNodeParams *p) {
    (void)edges;
    if (!p) return gw_cpu_error_return(cudaErrorInvalidValue);
    struct cudaKernelNodeParams kernel;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        kernel = kernel_of(p);
        return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, dependencies, count, &p->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, dependencies, count, &p->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, dependencies, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
        return add_conditional(node, graph, dependencies, count, &p->conditional);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        break;
    }
    return gw_cpu_error_return(cudaErrorNotSupported);
}

/* In device code. */
GW_CPU_API void gw_cpu_graph_set_conditional(cudaGraphConditionalHandle handle, unsigned int value);
void gw_cpu_graph_set_conditional(cudaGraphConditionalHandle handle, unsigned int value) {
    *(unsigned int *)(uintptr_t)handle = value;
}
