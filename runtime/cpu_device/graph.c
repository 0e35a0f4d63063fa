/* Graphs: nodes of work with the nodes that each depends on. A graph that is made ready to launch is a copy, so
 * that later changes of the first one do not reach it; a launch runs its nodes in an order that fits. */
#include "work.h"
#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st {
    cudaGraph_t graph;
    gw_cpu_work work;
    cudaGraphNode_t *before;
    size_t before_count;
    cudaGraphNode_t origin; /* of a copy: the node it was copied from */
    size_t position;        /* while the graph is copied or ordered */
    bool done;
};

/* What a kernel sets and a conditional node asks. Its value comes first: that is what the handle points to. */
struct handle {
    unsigned int value, first, owners;
    bool starts; /* each launch begins with the first value */
};

struct CUgraph_st {
    cudaGraphNode_t *nodes;
    size_t count, room;
    struct handle **handles; /* of conditional nodes; a copy shares them */
    size_t handle_count;
};

struct CUgraphExec_st {
    cudaGraph_t graph;
};

void **gw_cpu_arguments_copy(const gw_cpu_kernel *kernel, void **arguments) {
    size_t count = 0, bytes = 0;
    for (const char *at = kernel->sizes; at && *at;) {
        char *end;
        bytes += (strtoul(at, &end, 10) + 15) / 16 * 16;
        ++count;
        at = *end ? end + 1 : end;
    }
    const size_t list = ((count + 1) * sizeof(void *) + 15) / 16 * 16;
    if (!kernel->sizes || (count && !arguments)) return NULL;
    void **copy = malloc(list + bytes);
    if (!copy) return NULL;
    char *place = (char *)copy + list;
    const char *at = kernel->sizes;
    for (size_t i = 0; i < count; ++i) {
        char *end;
        const size_t size = strtoul(at, &end, 10);
        memcpy(copy[i] = place, arguments[i], size);
        place += (size + 15) / 16 * 16;
        at = *end ? end + 1 : end;
    }
    copy[count] = NULL;
    return copy;
}

static bool owns_graphs(const gw_cpu_work *work) {
    return work->type == cudaGraphNodeTypeGraph || work->type == cudaGraphNodeTypeConditional;
}

static void free_node(cudaGraphNode_t node) {
    if (node->work.type == cudaGraphNodeTypeKernel) free(node->work.as.kernel.arguments);
    if (node->work.type == cudaGraphNodeTypeMemAlloc && --node->work.as.memory->owners == 0) {
        gw_cpu_memory_free_of_graph(node->work.as.memory->start);
        free(node->work.as.memory);
    }
    if (owns_graphs(&node->work)) {
        for (unsigned int i = 0; i < node->work.as.graph.count; ++i)
            cudaGraphDestroy(node->work.as.graph.graphs[i]);
        free(node->work.as.graph.graphs);
    }
    free(node->before);
    free(node);
}

/* Makes the work the node's own: arguments and inner graphs are copied. */
static bool own(gw_cpu_work *work) {
    if (work->type == cudaGraphNodeTypeMemAlloc) ++work->as.memory->owners;
    if (work->type == cudaGraphNodeTypeKernel) {
        gw_cpu_kernel_work *k = &work->as.kernel;
        return (k->arguments = gw_cpu_arguments_copy(k->kernel, k->arguments)) != NULL;
    }
    if (!owns_graphs(work)) return true;
    gw_cpu_graph_work *inner = &work->as.graph;
    cudaGraph_t *graphs = calloc(inner->count, sizeof *graphs);
    bool good = graphs != NULL;
    for (unsigned int i = 0; good && i < inner->count; ++i)
        good = cudaGraphClone(&graphs[i], inner->graphs[i]) == cudaSuccess;
    inner->graphs = graphs;
    return good;
}

static bool add_before(cudaGraphNode_t node, const cudaGraphNode_t *list, size_t count) {
    cudaGraphNode_t *bigger = realloc(node->before, (node->before_count + count + 1) * sizeof *bigger);
    if (!bigger) return false;
    if (count) memcpy(bigger + node->before_count, list, count * sizeof *list);
    node->before = bigger;
    node->before_count += count;
    return true;
}

cudaError_t gw_cpu_graph_add(cudaGraph_t graph, cudaGraphNode_t *node, const cudaGraphNode_t *dependencies,
                             size_t count, const gw_cpu_work *work) {
    if (!graph || !node || (count && !dependencies)) return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
        if (!dependencies[i] || dependencies[i]->graph != graph)
            return gw_cpu_error_return(cudaErrorInvalidValue);
    if (graph->count == graph->room) {
        const size_t room = graph->room ? 2 * graph->room : 16;
        cudaGraphNode_t *bigger = realloc(graph->nodes, room * sizeof *bigger);
        if (!bigger) return gw_cpu_error_return(cudaErrorMemoryAllocation);
        graph->nodes = bigger;
        graph->room = room;
    }
    struct CUgraphNode_st *made = calloc(1, sizeof *made);
    if (!made) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    made->graph = graph;
    made->work = *work;
    if (!own(&made->work) || !add_before(made, dependencies, count)) {
        made->work.type = cudaGraphNodeTypeEmpty;
        free_node(made);
        return gw_cpu_error_return(cudaErrorInvalidValue);
    }
    graph->nodes[graph->count++] = *node = made;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
    if (!graph || flags != 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    *graph = calloc(1, sizeof **graph);
    return *graph ? cudaSuccess : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

GW_CPU_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    if (!graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t i = 0; i < graph->count; ++i)
        free_node(graph->nodes[i]);
    free(graph->nodes);
    for (size_t i = 0; i < graph->handle_count; ++i)
        if (--graph->handles[i]->owners == 0) free(graph->handles[i]);
    free(graph->handles);
    free(graph);
    return cudaSuccess;
}

static bool copy_handles(cudaGraph_t to, const struct CUgraph_st *from) {
    to->handles = malloc((from->handle_count + 1) * sizeof *to->handles);
    if (!to->handles) return false;
    for (; to->handle_count < from->handle_count; ++to->handle_count) {
        to->handles[to->handle_count] = from->handles[to->handle_count];
        ++to->handles[to->handle_count]->owners;
    }
    return true;
}

GW_CPU_API cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
    if (!clone || !graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaError_t error = cudaGraphCreate(clone, 0);
    if (error == cudaSuccess && !copy_handles(*clone, graph)) error = cudaErrorMemoryAllocation;
    for (size_t i = 0; error == cudaSuccess && i < graph->count; ++i) {
        cudaGraphNode_t node;
        error = gw_cpu_graph_add(*clone, &node, NULL, 0, &graph->nodes[i]->work);
        graph->nodes[i]->position = i;
        if (error == cudaSuccess) node->origin = graph->nodes[i];
    }
    for (size_t i = 0; error == cudaSuccess && i < graph->count; ++i)
        for (size_t b = 0; error == cudaSuccess && b < graph->nodes[i]->before_count; ++b)
            if (!add_before((*clone)->nodes[i], &(*clone)->nodes[graph->nodes[i]->before[b]->position], 1))
                error = cudaErrorMemoryAllocation;
    return gw_cpu_error_return(error);
}

/* Sorts the nodes so that each comes after those before it; false if some wait for each other. */
static bool order(cudaGraph_t graph) {
    cudaGraphNode_t *sorted = malloc((graph->count + 1) * sizeof *sorted);
    size_t count = 0;
    if (!sorted) return false;
    for (size_t i = 0; i < graph->count; ++i)
        graph->nodes[i]->done = false;
    for (size_t before = 1; before != 0;) {
        before = 0;
        for (size_t i = 0; i < graph->count; ++i) {
            cudaGraphNode_t node = graph->nodes[i];
            bool ready = !node->done;
            for (size_t b = 0; ready && b < node->before_count; ++b)
                ready = node->before[b]->done;
            if (ready) sorted[count++] = node, node->done = true, ++before;
        }
    }
    const bool whole = count == graph->count;
    if (whole) memcpy(graph->nodes, sorted, count * sizeof *sorted);
    free(sorted);
    for (size_t i = 0; whole && i < graph->count; ++i)
        for (unsigned int g = 0;
             owns_graphs(&graph->nodes[i]->work) && g < graph->nodes[i]->work.as.graph.count; ++g)
            if (!order(graph->nodes[i]->work.as.graph.graphs[g])) return false;
    return whole;
}

cudaError_t gw_cpu_graph_run(cudaGraph_t graph) {
    for (size_t i = 0; i < graph->handle_count; ++i)
        if (graph->handles[i]->starts) graph->handles[i]->value = graph->handles[i]->first;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; error == cudaSuccess && i < graph->count; ++i)
        error = gw_cpu_work_do(&graph->nodes[i]->work);
    return error;
}

GW_CPU_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *program, cudaGraph_t graph,
                                            unsigned long long flags) {
    (void)flags;
    if (!program || !graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaGraph_t copy = NULL;
    const cudaError_t error = cudaGraphClone(&copy, graph);
    if (error != cudaSuccess) return error;
    *program = order(copy) ? malloc(sizeof **program) : NULL;
    if (!*program) {
        cudaGraphDestroy(copy);
        return gw_cpu_error_return(cudaErrorInvalidValue);
    }
    (*program)->graph = copy;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *program, cudaGraph_t graph,
                                                     unsigned long long flags) {
    return cudaGraphInstantiate(program, graph, flags);
}

GW_CPU_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program) {
    if (!program) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaGraphDestroy(program->graph);
    free(program);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphUpload(cudaGraphExec_t program, cudaStream_t stream) {
    return program && gw_cpu_stream_is_known(stream) ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidValue);
}

/* In a captured stream it becomes a node of that graph. */
GW_CPU_API cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream) {
    if (!program) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeGraph, .as.graph = {&program->graph, 1, 0, 0}};
    return gw_cpu_work_enqueue(stream, &work);
}

static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *now, const struct CUgraph_st *next) {
    if (now->count != next->count) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < now->count; ++i) {
        if (now->nodes[i]->before_count != next->nodes[i]->before_count)
            return cudaGraphExecUpdateErrorTopologyChanged;
        if (now->nodes[i]->work.type != next->nodes[i]->work.type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    return cudaGraphExecUpdateSuccess;
}

GW_CPU_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                           cudaGraphExecUpdateResultInfo *result) {
    if (!program || !graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaGraphExec_t fresh;
    const cudaError_t error = cudaGraphInstantiate(&fresh, graph, 0);
    if (error != cudaSuccess) return error;
    const enum cudaGraphExecUpdateResult outcome = compare(program->graph, fresh->graph);
    if (result) *result = (cudaGraphExecUpdateResultInfo){.result = outcome};
    if (outcome == cudaGraphExecUpdateSuccess) {
        cudaGraph_t before = program->graph;
        program->graph = fresh->graph;
        fresh->graph = before;
    }
    cudaGraphExecDestroy(fresh);
    return outcome == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                 : gw_cpu_error_return(cudaErrorGraphExecUpdateFailure);
}

/* What nodes are asked and told. */

GW_CPU_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    if (!graph || !count) return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t i = 0; nodes && i < *count; ++i)
        nodes[i] = i < graph->count ? graph->nodes[i] : NULL;
    if (!nodes || *count > graph->count) *count = graph->count;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    if (!graph || !count) return gw_cpu_error_return(cudaErrorInvalidValue);
    size_t roots = 0;
    for (size_t i = 0; i < graph->count; ++i) {
        if (graph->nodes[i]->before_count != 0) continue;
        if (nodes && roots < *count) nodes[roots] = graph->nodes[i];
        ++roots;
    }
    if (!nodes || *count > roots) *count = roots;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
    if (!node || !type) return gw_cpu_error_return(cudaErrorInvalidValue);
    *type = node->work.type;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    if (!node) return gw_cpu_error_return(cudaErrorInvalidValue);
    cudaGraph_t graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; ++i) {
        cudaGraphNode_t other = graph->nodes[i];
        size_t left = 0;
        for (size_t b = 0; b < other->before_count; ++b)
            if (other->before[b] != node) other->before[left++] = other->before[b];
        other->before_count = left;
        if (other != node) graph->nodes[kept++] = other;
    }
    graph->count = kept;
    free_node(node);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph)
            return gw_cpu_error_return(cudaErrorInvalidValue);
        if (!add_before(to[i], &from[i], 1)) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    }
    return cudaSuccess;
}

/* The work of a kernel node; its arguments are still the caller's. */
static cudaError_t kernel_work(gw_cpu_work *work, const struct cudaKernelNodeParams *p) {
    if (!p || p->extra) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_kernel *kernel = gw_cpu_registry_kernel(p->func);
    const cudaError_t error = gw_cpu_launch_check(kernel, p->gridDim, p->blockDim, p->sharedMemBytes);
    if (error != cudaSuccess) return gw_cpu_error_return(error);
    *work = (gw_cpu_work){
        .type = cudaGraphNodeTypeKernel,
        .as.kernel = {p->func, kernel, p->gridDim, p->blockDim, p->sharedMemBytes, false, p->kernelParams}};
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t count,
                                              const struct cudaKernelNodeParams *parameters) {
    gw_cpu_work work;
    const cudaError_t error = kernel_work(&work, parameters);
    return error == cudaSuccess ? gw_cpu_graph_add(graph, node, dependencies, count, &work) : error;
}

GW_CPU_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                    struct cudaKernelNodeParams *parameters) {
    if (!node || !parameters || node->work.type != cudaGraphNodeTypeKernel)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_kernel_work *k = &node->work.as.kernel;
    *parameters = (struct cudaKernelNodeParams){(void *)(uintptr_t)k->stub,    k->grid,      k->block,
                                                (unsigned int)k->shared_bytes, k->arguments, NULL};
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                    const struct cudaKernelNodeParams *parameters) {
    gw_cpu_work work;
    if (!node || node->work.type != cudaGraphNodeTypeKernel) return gw_cpu_error_return(cudaErrorInvalidValue);
    const cudaError_t error = kernel_work(&work, parameters);
    if (error != cudaSuccess) return error;
    if (!own(&work)) return gw_cpu_error_return(cudaErrorInvalidValue);
    free(node->work.as.kernel.arguments);
    node->work = work;
    return cudaSuccess;
}

static cudaGraphNode_t node_in(cudaGraphExec_t program, cudaGraphNode_t node) {
    for (size_t i = 0; program && i < program->graph->count; ++i)
        if (program->graph->nodes[i]->origin == node) return program->graph->nodes[i];
    return NULL;
}

GW_CPU_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                                        const struct cudaKernelNodeParams *parameters) {
    return cudaGraphKernelNodeSetParams(node_in(program, node), parameters);
}

/* Work without memory of its own. */
cudaError_t gw_cpu_graph_change(cudaGraphExec_t program, cudaGraphNode_t node, const gw_cpu_work *work) {
    cudaGraphNode_t in = node_in(program, node);
    if (!in || in->work.type != work->type) return gw_cpu_error_return(cudaErrorInvalidValue);
    in->work = *work;
    return cudaSuccess;
}

cudaGraph_t *gw_cpu_graph_bodies(cudaGraphNode_t node) { return node->work.as.graph.graphs; }

GW_CPU_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                                        unsigned int first, unsigned int flags) {
    if (!handle || !graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    const size_t n = graph->handle_count;
    struct handle **handles = realloc(graph->handles, (n + 1) * sizeof *handles);
    if (handles) graph->handles = handles;
    struct handle *made = malloc(sizeof *made);
    if (!handles || !made) {
        free(made);
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    }
    *made = (struct handle){0, first, 1, (flags & cudaGraphCondAssignDefault) != 0};
    handles[n] = made;
    graph->handle_count = n + 1;
    *handle = (cudaGraphConditionalHandle)(uintptr_t)made;
    return cudaSuccess;
}
