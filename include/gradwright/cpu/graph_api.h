/* Graphs of work, made by hand or by capturing a stream: the C functions of the runtime API. Part of
   cuda_runtime_api.h. A launch runs the nodes one after another, each after those that it depends on. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies, size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t count, unsigned int flags GW_CPU_DEFAULT(0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t count);
#define GW_CPU_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count
cudaError_t cudaGraphAddEmptyNode(GW_CPU_NODE);
cudaError_t cudaGraphAddKernelNode(GW_CPU_NODE, const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphAddMemcpyNode(GW_CPU_NODE, const struct cudaMemcpy3DParms *copy);
cudaError_t cudaGraphAddMemcpyNode1D(GW_CPU_NODE, void *to, const void *from, size_t size,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(GW_CPU_NODE, const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(GW_CPU_NODE, const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddChildGraphNode(GW_CPU_NODE, cudaGraph_t child);
cudaError_t cudaGraphAddEventRecordNode(GW_CPU_NODE, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(GW_CPU_NODE, cudaEvent_t event);
cudaError_t cudaGraphAddMemAllocNode(GW_CPU_NODE, struct cudaMemAllocNodeParams *parameters);
cudaError_t cudaGraphAddMemFreeNode(GW_CPU_NODE, void *pointer);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *edges, size_t count,
                                struct cudaGraphNodeParams *parameters);
#undef GW_CPU_NODE
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int first GW_CPU_DEFAULT(0),
                                             unsigned int flags GW_CPU_DEFAULT(0));

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *program, cudaGraph_t graph,
                                 unsigned long long flags GW_CPU_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *program, cudaGraph_t graph,
                                          unsigned long long flags GW_CPU_DEFAULT(0));
cudaError_t cudaGraphUpload(cudaGraphExec_t program, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *copy);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t program, cudaGraphNode_t node, void *to,
                                               const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t program, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *parameters);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
