/* What gwcc puts into a program for each .cu file: the table of its device image. */
#ifndef GW_CPU_IMAGE_H
#define GW_CPU_IMAGE_H

#include <stddef.h>

typedef void gw_cpu_thunk(void **arguments);

typedef struct gw_cpu_image_entry {
    const char *name; /* mangled name of the kernel or device variable */
    void *address;    /* the kernel's thunk, or the variable */
    const char *sizes; /* of a kernel's parameters, "8_8_4"; null for a variable */
} gw_cpu_image_entry;

/* The identifier is the string that the host pass registers as its "GPU binary". The table must
   outlive the registration. */
void gw_cpu_image_register(const char *id, const gw_cpu_image_entry *entries, size_t count);
void gw_cpu_image_unregister(const char *id);

#endif
