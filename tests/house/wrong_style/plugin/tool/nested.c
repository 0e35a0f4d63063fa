int chain(int a, int b) { return a ? b : b ? a : 0; }
int grouped(int a, int b) { return a ? (b ? 1 : 2) : 0; }
int called(int a, int b) { return a ? chain(a, b ? 1 : 2) : 0; }
int asked(int a, int b) { return (a ? b : 0) ? 1 : 2; }
#define NESTED(x) ((x) < 0 ? -1 : (x) > 0 ? 1 : 0)
