/* Work as data: what an asynchronous call asks of a stream. It is done at once, or, where the stream is being
 * captured, becomes a node of a graph. */
#ifndef GW_CPU_WORK_H
#define GW_CPU_WORK_H

#include "device.h"

typedef struct gw_cpu_kernel_work {
    const void *stub;
    const gw_cpu_kernel *kernel;
    dim3 grid, block;
    size_t shared_bytes;
    bool cooperative;
    void **arguments; /* a node owns its copies, in one block of memory with the list */
} gw_cpu_kernel_work;

typedef struct gw_cpu_copy_work {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
} gw_cpu_copy_work;

/* Memory of a graph: as long as the graph or one of its copies lives. */
typedef struct gw_cpu_graph_memory {
    void *start;
    unsigned int owners;
} gw_cpu_graph_memory;

/* A graph inside a node: a child graph, or the bodies of a conditional node. */
typedef struct gw_cpu_graph_work {
    cudaGraph_t *graphs; /* owned by the node */
    unsigned int count;
    enum cudaGraphConditionalNodeType condition;
    cudaGraphConditionalHandle handle;
} gw_cpu_graph_work;

typedef struct gw_cpu_work {
    enum cudaGraphNodeType type;
    bool is_3d; /* of a copy */
    union {
        gw_cpu_kernel_work kernel;
        gw_cpu_copy_work copy;
        struct cudaMemcpy3DParms copy_3d;
        struct cudaMemsetParams set;
        struct cudaHostNodeParams host;
        gw_cpu_graph_work graph;
        cudaEvent_t event;
        gw_cpu_graph_memory *memory; /* of an allocation */
        void *pointer;               /* of what is freed */
    } as;
} gw_cpu_work;

/* --- work.c --- */
cudaError_t gw_cpu_work_do(const gw_cpu_work *work);
/* Does the work, or records it in the graph that the stream is captured into. */
cudaError_t gw_cpu_work_enqueue(cudaStream_t stream, const gw_cpu_work *work);

/* --- graph.c --- */
cudaError_t gw_cpu_graph_add(cudaGraph_t graph, cudaGraphNode_t *node, const cudaGraphNode_t *dependencies,
                             size_t count, const gw_cpu_work *work);
cudaError_t gw_cpu_graph_run(cudaGraph_t graph);
/* The graphs inside a conditional node. */
cudaGraph_t *gw_cpu_graph_bodies(cudaGraphNode_t node);
cudaError_t gw_cpu_graph_change(cudaGraphExec_t program, cudaGraphNode_t node, const gw_cpu_work *work);
/* Copies arguments of a kernel into one block of memory; null if there is none, or if their sizes are unknown.
 */
void **gw_cpu_arguments_copy(const gw_cpu_kernel *kernel, void **arguments);

/* --- stream.c, capture.c --- */

/* The nodes that the stream's next work depends on, while it is captured. */
typedef struct gw_cpu_capture {
    cudaGraph_t graph; /* null: no capture */
    cudaStream_t origin;
    unsigned long long id;
    cudaGraphNode_t *last;
    size_t last_count;
} gw_cpu_capture;

/* Null if there is no such stream; the legacy stream and null have none and are never captured. */
gw_cpu_capture *gw_cpu_stream_capture(cudaStream_t stream);
bool gw_cpu_stream_is_known(cudaStream_t stream);
/* Calls the function for each stream that is captured into the graph. */
void gw_cpu_stream_each_of(cudaGraph_t graph, void (*function)(gw_cpu_capture *capture));
bool gw_cpu_capture_set_last(gw_cpu_capture *capture, const cudaGraphNode_t *nodes, size_t count, bool add);
void gw_cpu_capture_leave(gw_cpu_capture *capture);
cudaError_t gw_cpu_event_stamp(cudaEvent_t event);

#endif
