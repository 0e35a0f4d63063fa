/* A source that knows nothing of Gradwright. */
double spring(double stiffness, double x);

double spring(double stiffness, double x) { return 0.5 * stiffness * x * x; }
