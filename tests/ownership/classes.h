/* classes.h - random kernels of the classes by which the ownership proofs are measured, and launches made for
 * them. */
#ifndef CLASSES_H
#define CLASSES_H
#include "evaluator.h"
#include "kernel.h"

typedef enum class_kind { CLASS_AFFINE, CLASS_OTHER, CLASS_BESIDE, CLASS_NEVER } class_kind;

typedef struct ownership_class {
    const char *name;
    void (*body)(kernel *k); /* of case_seed */
    class_kind kind;
    unsigned axes; /* of the launches that such a kernel is made for */
} ownership_class;
extern const ownership_class ownership_classes[];
extern const size_t ownership_class_count;

/* Launches of so many axes in which n, w, h fit the grid or just do not, k is small, and list is a
 * permutation. */
void class_launch(launch *at, unsigned axes);
/* Makes the list of the launch one of which what the kernel's promises say is true. */
void keep_promises(const gw_func *primal, launch *at);
/* States of launches what some of them have; whether it is true of this one; makes it true of most. */
void state_facts(gw_func *primal);
bool facts_hold(const gw_func *primal, const launch *at);
void keep_facts(const gw_func *primal, launch *at);
/* Any launch: parameters of any sign and size. */
void random_launch(launch *at);
#endif
