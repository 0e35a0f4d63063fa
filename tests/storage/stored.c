/* What recorded parts store, and why: "// says:" lines are what --explain says of it, in order. The gradients
 * of such functions are checked in tests/host. */
#include <math.h>

#include <gradwright/gradwright.h>

/* All factors come from t, which needs a tanh: t is stored, and they are computed again. */
// says: from_one_grad
// says: stores t (8 bytes) because to compute it again costs more
// says: keeps tape_t: on the tape
GW_GRADIENT("y wrt x")
void from_one(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double t = tanh(v), a = t + 1.5, b = t - x[k];
        v = a * b * (a + b) * (b - 2 * t);
    }
    *y = v;
}

/* What the factors share is cheap for all of them together, though dearer than a record for one alone. */
// says: together_grad
// says: stores r (8 bytes) because to compute it again costs more
// says: stores r (8 bytes) because a loop carries it
// says: stores q (8 bytes) because to compute it again costs more
// says: stores q (8 bytes) because a loop carries it
// says: stores p (8 bytes) because to compute it again costs more
// says: stores p (8 bytes) because a loop carries it
// says: keeps tape_r, tape_r, tape_q, tape_q, tape_p, tape_p: on the tape
GW_GRADIENT("y wrt x")
void together(double *y, const double *x, int n) {
    double p = 1, q = 2, r = 3;
    for (int k = 0; k < n; k++) {
        double u = (x[k] + x[k + 1]) * x[k + 2];
        p = tanh(p * (u + 1));
        q = tanh(q * (u + 2));
        r = tanh(r * (u - 3));
    }
    *y = p * q * r;
}

/* A condition on rounded numbers is stored: a compiler might contract them in another way the second time. */
// says: decided_grad
// says: stores value (1 byte) because rounded again it might decide otherwise
// says: stores v (8 bytes) because to compute it again costs more
// says: stores e (8 bytes) because to compute it again costs more
// says: stores value (8 bytes) because to compute it again costs more
// says: keeps tape_value, tape_v, tape_e, tape_value: on the tape
GW_GRADIENT("y wrt x")
void decided(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double e = exp(v), s = e * x[k] + x[k + 1];
        if (s > 0.3) v = tanh(e * e);
        else v = x[k] * sin(e);
    }
    *y = v;
}

/* A condition on numbers as memory has them is asked again. */
// says: asked_again_grad
// says: stores v (8 bytes) because to compute it again costs more
// says: stores e (8 bytes) because to compute it again costs more
// says: stores value (8 bytes) because to compute it again costs more
// says: keeps tape_v, tape_e, tape_value: on the tape
GW_GRADIENT("y wrt x")
void asked_again(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double e = exp(v);
        if (x[k] > 0.3) v = tanh(e * e);
        else v = x[k] * sin(e);
    }
    *y = v;
}

/* Cells of a local array that later iterations overwrite, and what a loop makes. */
// says: overwritten_grad
// says: stores value (8 bytes) because to compute it again costs more
// says: stores sum (8 bytes) because a branch or loop makes it
// says: stores value (8 bytes) because its cell is overwritten
// says: stores value (8 bytes) because its cell is overwritten
// says: keeps tape_value, tape_sum, tape_value, tape_value: on the tape
GW_GRADIENT("y wrt x")
void overwritten(double *y, const double *x, int n) {
    double state[n];
    for (int i = 0; i < n; i++) state[i] = x[i];
    for (int t = 0; t < n; t++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += state[i] * x[i];
        for (int i = 0; i < n; i++) state[i] = tanh(state[i] * sum);
    }
    *y = state[0];
}

/* The iterations of the loop over columns commute: memory is walked upward. */
// says: triangle_grad
// says: stores at (4 bytes) because a loop carries it
// says: stores value (8 bytes) because to compute it again costs more
// says: takes the records of this loop in the order in which they were stored
// says: keeps tape_at, tape_value: on the tape
GW_GRADIENT("y wrt x")
void triangle(double *y, const double *x, int n) {
    double whole = 0;
    for (int p = 0; p < n; p++) {
        double turned[n];
        for (int i = 0; i < n; i++) turned[i] = x[i];
        int at = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) turned[j] += x[at++] * sin(x[i]);
        for (int i = 0; i < n; i++) whole += turned[i] * turned[i];
    }
    *y = whole;
}

/* Here they do not: what one adds to, another one reads. */
// says: chained_grad
// says: stores at (4 bytes) because a loop carries it
// says: stores value (8 bytes) because its cell is overwritten
// says: keeps tape_at, tape_value: on the tape
GW_GRADIENT("y wrt x")
void chained(double *y, const double *x, int n) {
    double whole = 0;
    for (int p = 0; p < n; p++) {
        double turned[n];
        for (int i = 0; i < n; i++) turned[i] = x[i];
        int at = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) turned[j] += x[at++] * turned[i];
        for (int i = 0; i < n; i++) whole += turned[i] * turned[i];
    }
    *y = whole;
}

/* A row is stored to in its own iteration alone: its old value is that of the beginning, and is read again. */
// says: rows_apart_grad
GW_GRADIENT("c wrt c, a, beta")
void rows_apart(double (*c)[8], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++) c[i][k] *= beta;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 8; k++) c[i][k] += a[j] * a[k];
    }
}

/* A sum that is made in a cell while other cells of its array are read: none of these is that cell. */
// says: made_in_cell_grad
GW_GRADIENT("c wrt c, a")
void made_in_cell(double *c, const double *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++) c[i * n + j] += a[k * n + i] * c[k * n + j];
}

/* Here the row itself is among those that are read. */
// says: made_of_itself_grad
// says: keeps tape_c: on the tape
GW_GRADIENT("c wrt c, a")
void made_of_itself(double *c, const double *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++) c[i * n + j] += a[k * n + i] * c[k * n + j];
}

/* What is stored last is for nobody here: z, and y the second time, are not stored to. */
// says: left_behind_grad
// says: keeps tape_w, tape_y: on the tape
GW_GRADIENT("y, z wrt x, w")
void left_behind(double *y, double *z, double *w, const double *x, int n) {
    for (int i = 0; i < n; i++) w[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) y[i] = w[i] * w[n - 1 - i];
    for (int i = 0; i < n; i++) z[i] = y[i] * y[n - 1 - i];
    for (int i = 0; i < n; i++) y[i] = z[i] + z[n - 1 - i];
}

/* The second loop reads what the first one stored, in the next round. */
// says: read_again_grad
// says: keeps tape_z, tape_y: on the tape
GW_GRADIENT("y, z wrt x, y, z")
void read_again(double *y, double *z, const double *x, int n) {
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) z[i] = y[n - 1 - i] * x[i];
        for (int i = 0; i < n; i++) y[i] = z[n - 1 - i] * z[i];
    }
}
