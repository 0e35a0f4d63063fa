/* Nothing is wrong with this file: its long line is in tests/house/style.txt, and the other conditionals are apart. */
int least(int a, int b) { return a < b ? a : b; }
int sum(int a, int b) { return least(a ? 1 : 2, b ? 3 : 4) + f((struct pair){a ? 1 : 2}); }
/* a ? b : c ? d : e */
const char *text = "a ? b : c ? d : e", mark = '?';
#define SIGN(x) ((x) < 0 ? -1 : 1)
#define SIZE(x) (x) < 0 ? -(x) : (x)
