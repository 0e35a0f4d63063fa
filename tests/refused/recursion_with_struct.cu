#include <gradwright/gradwright.h>

struct node {
    double value;
    int next;
};
double walk(const node *list, int i) { return i < 0 ? 0 : list[i].value * list[i].value + walk(list, list[i].next); }

GW_GRADIENT("wrt list.value")
double walked(const node *list) { return walk(list, 0); }
// says: recursion_with_struct.cu:7:91: error: 'walk' is recursive and takes other things than numbers and pointers to numbers [recursion]
// says: double walk(const node *list, int i) { return i < 0 ? 0 : list[i].value * list[i].value + walk(list, list[i].next); }
// says:                                                                                           ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
