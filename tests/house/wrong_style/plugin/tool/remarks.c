/* Of a tree. */
int tree;
/* A tree, of which
 * Which branches there are
 */
// What a
// Which of them
int branch;
// Ends here.
// Where it grows.
int leaf; /* of which */
// Its leaves: tool/branches.h.
// Its roots: tool/nested.c, <math.h>, remarks.c.
/* A queue. Of its rows each is told once. */
