#include <gradwright/gradwright.h>
#include <stdlib.h>

#ifdef OBEYED
struct node {
    double value;
    int next;
};
GW_GRADIENT("wrt x")
double listed(const double *x, int n) {
    struct node *all = malloc(n * sizeof *all);
    double sum = 0;
    for (int i = 0; i < n; i++) all[i].value = x[i] * x[i], all[i].next = i - 1;
    for (int at = n - 1; at >= 0; at = all[at].next) sum = sum / 2 + all[at].value;
    free(all);
    return sum;
}
#else
struct node {
    double value;
    struct node *next;
};
GW_GRADIENT("wrt x")
double listed(const double *x, int n) {
    struct node *head;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = x[i] * x[i], one->next = head, head = one;
    }
    for (int i = 0; i < n; i++) sum = sum / 2 + head->value, head = head->next;
    return sum;
}
#endif
// obeys: unsupported
// says: list_of_structs.c:31:55: error: a pointer that may lead to two objects cannot be differentiated yet [unsupported]
// says:     for (int i = 0; i < n; i++) sum = sum / 2 + head->value, head = head->next;
// says:                                                       ^
// says:   way out: use the objects in the branches of an if; keep lists in arrays, by numbers of elements
