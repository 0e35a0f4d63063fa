/*
 * _jax.c - what XLA calls for an operation of JAX (jax.py): by its foreign function interface, in C.
 *
 * The attributes of a call hold all that was known when it was traced: the key of a function of a module, the
 * room of its arguments, packed, and what only the call knows, as fixes: addresses of arrays, numbers that were
 * traced, the stream, the workspace. Nothing of a process is in them, so a compiled call may be kept and loaded
 * by another one; functions are found by their keys.
 */
#include "xla/ffi/api/c_api.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int gw_packed(void **places, void *result);
typedef const char *gw_error_text(void);

/* ---- functions by their keys ---- */
typedef struct entry {
    struct entry *next;
    gw_packed *call;
    gw_error_text *error;
    char key[];
} entry;

static _Atomic(entry *) entries; /* it only grows */

void gw_jax_add(const char *key, gw_packed *call, gw_error_text *error) {
    entry *e = malloc(sizeof *e + strlen(key) + 1);
    if (!e) return; /* a call then says that there is no such function */
    e->call = call;
    e->error = error;
    strcpy(e->key, key);
    e->next = atomic_load(&entries);
    while (!atomic_compare_exchange_weak(&entries, &e->next, e)) {
    }
}

static const entry *find(const XLA_FFI_ByteSpan *key) {
    for (const entry *e = atomic_load(&entries); e; e = e->next)
        if (strlen(e->key) == key->len && memcmp(e->key, key->ptr, key->len) == 0) return e;
    return NULL;
}

/* The CPU device's memory, which its copies and fills ask for. */
static int (*make_memory)(void **, size_t, unsigned);
static int (*free_memory)(void *);

void gw_jax_memory(int (*make)(void **, size_t, unsigned), int (*give)(void *)) {
    make_memory = make;
    free_memory = give;
}

/* ---- a call ---- */
/* As jax.py writes it: the head, then `places` offsets of arguments in the room, `words` of the room, fixes. */
typedef struct head {
    int64_t places, words, fixes, result_at, kind;
} head;

enum { RESULT_NONE, RESULT_STATUS, RESULT_NUMBER }; /* RESULT_NUMBER + n: goes to array n of the results */
enum { FIX_ARGUMENT, FIX_RESULT, FIX_NUMBER, FIX_STREAM, FIX_SPACE, FIX_SPACE_BYTES };

typedef struct fix {
    int64_t what, index, at, bytes; /* `at` in the room */
} fix;

typedef struct space {
    void *at;
    size_t bytes;
} space;

typedef struct job {
    XLA_FFI_CallFrame *frame;
    bool on_gpu;
    void *stream;
    space space;
    XLA_FFI_Error *error;
} job;

__attribute__((format(printf, 2, 3))) static bool fail(job *j, const char *format, ...) {
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, text,
                                      XLA_FFI_Error_Code_INTERNAL};
    j->error = j->frame->api->XLA_FFI_Error_Create(&args);
    return false;
}

/* A number that was traced lies on the GPU like everything else: it is waited for. */
static bool read_from_gpu(job *j, void *to, const void *from, size_t bytes) {
    static _Atomic(void *) driver;
    void *cuda = atomic_load(&driver);
    if (!cuda) atomic_store(&driver, cuda = dlopen("libcuda.so.1", RTLD_NOW));
    int (*copy)(void *, uint64_t, size_t, void *) = NULL;
    int (*wait)(void *) = NULL;
    if (cuda) {
        *(void **)&copy = dlsym(cuda, "cuMemcpyDtoHAsync_v2");
        *(void **)&wait = dlsym(cuda, "cuStreamSynchronize");
    }
    if (!copy || !wait) return fail(j, "gradwright: there is no libcuda.so.1");
    int status = copy(to, (uint64_t)(uintptr_t)from, bytes, j->stream);
    if (!status) status = wait(j->stream);
    return !status || fail(j, "gradwright: a number cannot be read: error %d of CUDA", status);
}

static void *array(void **of, int64_t index) { return ((XLA_FFI_Buffer *)of[index])->data; }

static bool apply(job *j, const fix *x, char *room) {
    void *pointer = NULL;
    switch (x->what) {
    case FIX_ARGUMENT: pointer = array(j->frame->args.args, x->index); break;
    case FIX_RESULT: pointer = array(j->frame->rets.rets, x->index); break;
    case FIX_STREAM: pointer = j->stream; break;
    case FIX_SPACE: pointer = j->space.at; break;
    case FIX_SPACE_BYTES: memcpy(room + x->at, &j->space.bytes, sizeof j->space.bytes); return true;
    default: {
        const void *from = array(j->frame->args.args, x->index);
        if (j->on_gpu) return read_from_gpu(j, room + x->at, from, (size_t)x->bytes);
        memcpy(room + x->at, from, (size_t)x->bytes);
        return true;
    }
    }
    memcpy(room + x->at, &pointer, sizeof pointer);
    return true;
}

static bool finish(job *j, const head *h, const entry *e, int failed, const char *result) {
    int status = 0;
    if (h->kind == RESULT_STATUS) memcpy(&status, result, sizeof status);
    if (failed || status) {
        const char *said = e->error ? e->error() : NULL, *name = strrchr(e->key, ':');
        if (said && *said) return fail(j, "%s (status %d)", said, status);
        return fail(j, "%s: status %d", name ? name + 1 : e->key, status);
    }
    if (h->kind >= RESULT_NUMBER) {
        const XLA_FFI_Buffer *to = j->frame->rets.rets[h->kind - RESULT_NUMBER];
        memcpy(to->data, result, to->dtype == XLA_FFI_DataType_F32 ? sizeof(float) : sizeof(double));
    }
    return true;
}

/* `bytes`: what the function returns, where that is a number of bytes. */
static bool call(job *j, const XLA_FFI_ByteSpan *key, const int64_t *words, size_t *bytes) {
    const entry *e = find(key);
    if (!e) return fail(j, "gradwright: this process has made no operation %.*s", (int)key->len, key->ptr);
    const head *h = (const head *)words;
    const int64_t *offsets = words + sizeof *h / sizeof *words, *first = offsets + h->places;
    const fix *fixes = (const fix *)(first + h->words);
    char *room = malloc((size_t)(h->words + h->places) * sizeof *words + 2 * sizeof(long double));
    if (!room) return fail(j, "gradwright: no memory for the arguments of a call");
    void **places = (void **)(room + (size_t)h->words * sizeof *words);
    memcpy(room, first, (size_t)h->words * sizeof *words);
    for (int64_t i = 0; i < h->places; i++)
        places[i] = room + offsets[i];
    bool good = true;
    for (int64_t i = 0; good && i < h->fixes; i++)
        good = apply(j, &fixes[i], room);
    if (good) good = finish(j, h, e, e->call(places, room + h->result_at), room + h->result_at);
    if (good && bytes) memcpy(bytes, room + h->result_at, sizeof *bytes);
    free(room);
    return good;
}

static bool make_space(job *j) {
    if (!j->space.bytes) return true;
    if (!j->on_gpu) {
        int status = make_memory ? make_memory(&j->space.at, j->space.bytes, 1) : 2;
        return !status ||
               fail(j, "gradwright: no workspace of %zu bytes: error %d of CUDA", j->space.bytes, status);
    }
    XLA_FFI_DeviceMemory_Allocate_Args args = {XLA_FFI_DeviceMemory_Allocate_Args_STRUCT_SIZE, NULL,
                                               j->frame->ctx, j->space.bytes, 16, NULL};
    j->error = j->frame->api->XLA_FFI_DeviceMemory_Allocate(&args);
    j->space.at = args.data;
    return !j->error;
}

/* On a GPU in the order of the stream: what comes next of it waits for the kernels. */
static void free_space(job *j) {
    if (!j->space.at) return;
    if (!j->on_gpu) {
        free_memory(j->space.at);
        return;
    }
    XLA_FFI_DeviceMemory_Free_Args args = {XLA_FFI_DeviceMemory_Free_Args_STRUCT_SIZE, NULL, j->frame->ctx,
                                           j->space.bytes, j->space.at};
    XLA_FFI_Error *error = j->frame->api->XLA_FFI_DeviceMemory_Free(&args);
    if (!j->error) j->error = error;
}

static void *attribute(const XLA_FFI_CallFrame *frame, const char *name) {
    for (int64_t i = 0; i < frame->attrs.size; i++) {
        const XLA_FFI_ByteSpan *own = frame->attrs.names[i];
        if (own->len == strlen(name) && memcmp(own->ptr, name, own->len) == 0) return frame->attrs.attrs[i];
    }
    return NULL;
}

/* All extensions begin alike; the type of that beginning has one name in some versions, another in others. */
static bool tell_version(XLA_FFI_CallFrame *frame) {
    const XLA_FFI_Metadata_Extension *x = (const void *)frame->extension_start;
    for (; x; x = (const void *)x->extension_base.next) {
        if (x->extension_base.type != XLA_FFI_Extension_Metadata) continue;
        x->metadata->api_version.major_version = XLA_FFI_API_MAJOR;
        x->metadata->api_version.minor_version = XLA_FFI_API_MINOR;
        x->metadata->traits = 0;
        return true;
    }
    return false;
}

static XLA_FFI_Error *handle(XLA_FFI_CallFrame *frame, bool on_gpu) {
    if (tell_version(frame) || frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return NULL;
    job j = {.frame = frame, .on_gpu = on_gpu};
    if (on_gpu) {
        XLA_FFI_Stream_Get_Args args = {XLA_FFI_Stream_Get_Args_STRUCT_SIZE, NULL, frame->ctx, NULL};
        j.error = frame->api->XLA_FFI_Stream_Get(&args);
        j.stream = args.stream;
    }
    const XLA_FFI_Array *words = attribute(frame, "call"), *ask = attribute(frame, "ask");
    const XLA_FFI_ByteSpan *key = attribute(frame, "key"), *ask_key = attribute(frame, "ask_key");
    if (!j.error && (!words || !key || !ask || !ask_key))
        fail(&j, "gradwright: a call lacks attributes");
    bool good = !j.error;
    if (good && ask_key->len) good = call(&j, ask_key, ask->data, &j.space.bytes) && make_space(&j);
    if (good) call(&j, key, words->data, NULL);
    free_space(&j);
    return j.error;
}

XLA_FFI_Error *gw_jax_cpu(XLA_FFI_CallFrame *frame) { return handle(frame, false); }
XLA_FFI_Error *gw_jax_cuda(XLA_FFI_CallFrame *frame) { return handle(frame, true); }
