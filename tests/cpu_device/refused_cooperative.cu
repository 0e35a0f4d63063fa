// refused: cooperative groups are not supported by the CPU device yet
#include <cooperative_groups.h>
int main() {}
