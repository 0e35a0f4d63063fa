// refused: the CPU device has no tensor cores: <mma.h> is not there
#include <mma.h>
int main() {}
