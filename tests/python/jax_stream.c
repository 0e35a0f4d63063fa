/*
 * A call on a GPU as XLA makes it (runtime/python/gradwright/_jax.c), with a driver and an XLA that are fakes:
 * numbers are read in the order of the stream, the workspace is asked for, handed on and given back, also when
 * the function fails. Built by jax_test.py against JAX's headers, as a program and as libcuda.so.1.
 */
#ifdef FAKE_DRIVER
#include <stdint.h>
#include <string.h>

int fake_waits;
static void *pending[3];

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    pending[0] = to, pending[1] = (void *)(uintptr_t)from, pending[2] = stream;
    return bytes != sizeof(float);
}
int cuStreamSynchronize(void *stream) {
    if (stream != pending[2]) return 1;
    memcpy(pending[0], pending[1], sizeof(float));
    fake_waits++;
    return 0;
}
#else
#include "_jax.c"
#include <assert.h>
#include <stddef.h>

static char own_stream, workspace[64];
static int made_errors, allocated;
static bool fails;
static char said[256];

static XLA_FFI_Error *create(XLA_FFI_Error_Create_Args *a) {
    snprintf(said, sizeof said, "%s", a->message);
    made_errors++;
    return (XLA_FFI_Error *)said;
}
static XLA_FFI_Error *stream(XLA_FFI_Stream_Get_Args *a) { return a->stream = &own_stream, NULL; }
static XLA_FFI_Error *allocate(XLA_FFI_DeviceMemory_Allocate_Args *a) {
    assert(a->size == 48 && a->alignment == 16);
    allocated++;
    return a->data = workspace, NULL;
}
static XLA_FFI_Error *give_back(XLA_FFI_DeviceMemory_Free_Args *a) {
    assert(a->size == 48 && a->data == workspace);
    return allocated--, NULL;
}

/* The arguments: x, k, stream, workspace, its bytes. */
static int function(void **places, void *result) {
    assert(*(void **)places[2] == &own_stream && *(void **)places[3] == workspace);
    assert(*(size_t *)places[4] == 48);
    (*(float **)places[0])[0] *= *(float *)places[1];
    *(int *)result = fails ? 3 : 0;
    return 0;
}
static int bytes_of(void **places, void *result) {
    *(size_t *)result = (size_t)(*(float *)places[0] * 16);
    return 0;
}
static const char *error_text(void) { return "it did not start"; }

int main(void) {
    gw_jax_add("file:f", function, error_text);
    gw_jax_add("file:f_bytes", bytes_of, error_text);
    float x[1] = {2}, k = 3;
    XLA_FFI_Buffer number = {.dtype = XLA_FFI_DataType_F32, .data = &k}, out = {.data = x};
    int64_t call[] = {5, 8, 5, 48, RESULT_STATUS, 0, 8, 16, 24, 32, 0, 0, 0, 0, 0, 0, 0, 0,
                      FIX_RESULT, 0, 0, 8, FIX_NUMBER, 0, 8, 4, FIX_STREAM, 0, 16, 8, FIX_SPACE, 0, 24, 8,
                      FIX_SPACE_BYTES, 0, 32, 8};
    int64_t ask[] = {1, 4, 1, 16, RESULT_NONE, 0, 0, 0, 0, 0, FIX_NUMBER, 0, 0, 4};
    XLA_FFI_Array words = {XLA_FFI_DataType_S64, sizeof call / 8, call},
                  asked = {XLA_FFI_DataType_S64, sizeof ask / 8, ask};
    XLA_FFI_ByteSpan key = {"file:f", 6}, ask_key = {"file:f_bytes", 12};
    XLA_FFI_ByteSpan names[] = {{"ask", 3}, {"ask_key", 7}, {"call", 4}, {"key", 3}};
    XLA_FFI_ByteSpan *all[] = {&names[0], &names[1], &names[2], &names[3]};
    void *attributes[] = {&asked, &ask_key, &words, &key}, *inputs[] = {&number}, *outputs[] = {&out};
    XLA_FFI_Api api = {.XLA_FFI_Error_Create = create, .XLA_FFI_Stream_Get = stream,
                       .XLA_FFI_DeviceMemory_Allocate = allocate, .XLA_FFI_DeviceMemory_Free = give_back};
    XLA_FFI_CallFrame frame = {.api = &api, .stage = XLA_FFI_ExecutionStage_EXECUTE,
                               .args = {.size = 1, .args = inputs}, .rets = {.size = 1, .rets = outputs},
                               .attrs = {.size = 4, .names = all, .attrs = attributes}};
    assert(gw_jax_cuda(&frame) == NULL && x[0] == 6 && allocated == 0);
    const int *waits = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_waits");
    assert(waits && *waits == 2); /* for the size and for the call */
    fails = true;
    assert(gw_jax_cuda(&frame) && strcmp(said, "it did not start (status 3)") == 0 && allocated == 0);
    key.len = 5;
    assert(gw_jax_cuda(&frame) && strstr(said, "no operation file:") && allocated == 0);
    frame.attrs.size = 2;
    assert(gw_jax_cuda(&frame) && strstr(said, "lacks attributes") && made_errors == 3);
    frame.stage = XLA_FFI_ExecutionStage_PREPARE;
    assert(gw_jax_cuda(&frame) == NULL);
    return 0;
}
#endif
