/* The registry says which host stub is which kernel, and which host variable shadows which device variable.
 *
 * Clang's host pass registers (stub, mangled name) under the identifier that gwcc gave to the file;
 * gwcc's table gives (mangled name, address) under the same identifier. The two meet when a kernel
 * or variable is first used, so the order of a program's constructors does not matter. */
#include "device.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct image {
    const char *id;
    const gw_cpu_image_entry *entries;
    size_t count;
} image;

typedef struct variable {
    const void *shadow;
    const char *name;
    const void *image_id;
    size_t size;
    void *address; /* null until its image is found */
    bool managed;  /* the host's own */
} variable;

/* What Clang hands over for each file; `data` is the identifier. */
typedef struct fat_binary {
    int magic;
    int version;
    const void *data;
    void *reserved;
} fat_binary;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static image *images;
static size_t image_count;
static gw_cpu_kernel **kernels; /* sorted by stub */
static size_t kernel_count;
static variable *variables;
static size_t variable_count;

static void *grown(void *array, size_t count, size_t size) {
    void *bigger = realloc(array, (count + 1) * size);
    if (!bigger) abort();
    return bigger;
}

GW_CPU_API void gw_cpu_image_register(const char *id, const gw_cpu_image_entry *entries, size_t count) {
    pthread_mutex_lock(&lock);
    images = grown(images, image_count, sizeof *images);
    images[image_count++] = (image){id, entries, count};
    pthread_mutex_unlock(&lock);
}

GW_CPU_API void gw_cpu_image_unregister(const char *id) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < image_count; ++i)
        if (images[i].id == id) {
            images[i] = images[--image_count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static const gw_cpu_image_entry *find_entry(const void *image_id, const char *name) {
    for (size_t i = 0; i < image_count; ++i) {
        if (strcmp(images[i].id, image_id) != 0) continue;
        for (size_t e = 0; e < images[i].count; ++e)
            if (strcmp(images[i].entries[e].name, name) == 0) return &images[i].entries[e];
    }
    return NULL;
}

/* With the lock held: the first position whose stub is not below the given one. */
static size_t kernel_position(const void *stub) {
    size_t low = 0, high = kernel_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)kernels[middle]->stub < (uintptr_t)stub)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gw_cpu_kernel *gw_cpu_registry_kernel(const void *stub) {
    gw_cpu_kernel *found = NULL;
    pthread_mutex_lock(&lock);
    const size_t at = kernel_position(stub);
    if (at < kernel_count && kernels[at]->stub == stub) {
        gw_cpu_kernel *kernel = kernels[at];
        if (!kernel->thunk) {
            const gw_cpu_image_entry *entry = find_entry(kernel->image_id, kernel->name);
            if (entry) memcpy(&kernel->thunk, &entry->address, sizeof entry->address);
            if (entry) kernel->sizes = entry->sizes;
        }
        if (kernel->thunk) found = kernel;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* With the lock held. */
static void *variable_address(variable *v) {
    const gw_cpu_image_entry *entry = v->address ? NULL : find_entry(v->image_id, v->name);
    if (entry) v->address = entry->address;
    return v->address;
}

bool gw_cpu_registry_variable(const void *shadow, void **address, size_t *size) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < variable_count && !found; ++i)
        if (variables[i].shadow == shadow && variable_address(&variables[i])) {
            *address = variables[i].address;
            *size = variables[i].size;
            found = true;
        }
    pthread_mutex_unlock(&lock);
    return found;
}

bool gw_cpu_registry_is_managed(const void *pointer) {
    const uintptr_t at = (uintptr_t)pointer;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < variable_count && !found; ++i)
        found = variables[i].managed && at - (uintptr_t)variables[i].address < variables[i].size;
    pthread_mutex_unlock(&lock);
    return found;
}

bool gw_cpu_registry_covers(const void *pointer, size_t size) {
    const uintptr_t first = (uintptr_t)pointer;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < variable_count && !found; ++i) {
        const uintptr_t start = (uintptr_t)variable_address(&variables[i]);
        found = start != 0 && first >= start && size <= variables[i].size &&
                first - start <= variables[i].size - size;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* What Clang's host pass calls before main. */
GW_CPU_API void **__cudaRegisterFatBinary(void *binary);
GW_CPU_API void __cudaRegisterFatBinaryEnd(void **handle);
GW_CPU_API void __cudaUnregisterFatBinary(void **handle);
GW_CPU_API int __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                                      int thread_limit, void *tid, void *bid, void *block, void *grid,
                                      int *warp_size);
GW_CPU_API void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name,
                                  int external, size_t size, int constant, int global);

void **__cudaRegisterFatBinary(void *binary) { return (void **)binary; }

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

int __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid, int *warp_size) {
    (void)device_function, (void)thread_limit, (void)tid, (void)bid;
    (void)block, (void)grid, (void)warp_size;
    gw_cpu_kernel *kernel = malloc(sizeof *kernel);
    if (!kernel) abort();
    *kernel = (gw_cpu_kernel){.stub = stub,
                              .name = name,
                              .image_id = ((const fat_binary *)(const void *)handle)->data,
                              .shared_bytes_limit = gw_cpu_shared_bytes_default};
    pthread_mutex_lock(&lock);
    kernels = grown(kernels, kernel_count, sizeof(gw_cpu_kernel *));
    const size_t at = kernel_position(stub);
    memmove(kernels + at + 1, kernels + at, (kernel_count - at) * sizeof(gw_cpu_kernel *));
    kernels[at] = kernel;
    ++kernel_count;
    pthread_mutex_unlock(&lock);
    return 0;
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name, int external,
                       size_t size, int constant, int global) {
    (void)device_address, (void)external, (void)constant, (void)global;
    pthread_mutex_lock(&lock);
    variables = grown(variables, variable_count, sizeof *variables);
    variables[variable_count++] =
        (variable){shadow, name, ((const fat_binary *)(const void *)handle)->data, size, NULL, false};
    pthread_mutex_unlock(&lock);
}

/* What device code calls before main. */
GW_CPU_API void gw_cpu_managed(void *address, size_t size);

void gw_cpu_managed(void *address, size_t size) {
    pthread_mutex_lock(&lock);
    variables = grown(variables, variable_count, sizeof *variables);
    variables[variable_count++] = (variable){address, NULL, NULL, size, address, true};
    pthread_mutex_unlock(&lock);
}

/* A shared library is unloaded, or the program ends. */
void __cudaUnregisterFatBinary(void **handle) {
    const void *id = ((const fat_binary *)(const void *)handle)->data;
    size_t kept = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < kernel_count; ++i) {
        if (kernels[i]->image_id == id)
            free(kernels[i]);
        else
            kernels[kept++] = kernels[i];
    }
    kernel_count = kept;
    kept = 0;
    for (size_t i = 0; i < variable_count; ++i)
        if (variables[i].image_id != id) variables[kept++] = variables[i];
    variable_count = kept;
    pthread_mutex_unlock(&lock);
}
