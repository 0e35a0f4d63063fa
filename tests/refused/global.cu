#include <gradwright/gradwright.h>

const float fixed = 2;
namespace a {
float twice;
}
namespace b {
float twice;
}
float deep, counter;
int whole;
struct pair {
    float x;
    int n;
};
pair both;

GW_GRADIENT("wrt x, fixed") float of_a_constant(float x) { return x * fixed + *&fixed; }
GW_GRADIENT("wrt twice") float of_two(float x) { return a::twice * b::twice * x; }
float recursive(float x, int n) { return n > 0 ? recursive(x * deep, n - 1) : x; }
GW_GRADIENT("wrt deep") float in_a_called_function(float x) { return recursive(x, 3) * deep; }
GW_GRADIENT("wrt both.y") float of_no_member(float x) { return x * both.x; }
GW_GRADIENT("wrt whole") float of_an_integer(float x) { return x * (float)whole; }
GW_GRADIENT("wrt both.n") float of_an_integer_member(float x) { return x * both.x; }
GW_GRADIENT("wrt x, missing") float of_none(float x) { return x * both.x; }
GW_GRADIENT("y wrt x") void not_named(float *y, float x) {
    counter = x * x;
    *y = counter * x;
}
GW_GRADIENT("counter wrt x") float not_written(float x) { return x * counter; }
// says: global.cu:18:1: error: a request for a constant cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x, fixed") float of_a_constant(float x) { return x * fixed + *&fixed; }
// says: ^
// says:   way out: pass the variable as a parameter
// says: global.cu:19:1: error: a request for one of two variables of a name cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt twice") float of_two(float x) { return a::twice * b::twice * x; }
// says: ^
// says:   way out: pass the variable as a parameter
// says: global.cu:21:1: error: a request for a variable that a called function uses cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt deep") float in_a_called_function(float x) { return recursive(x, 3) * deep; }
// says: ^
// says:   way out: pass the variable as a parameter
// says: global.cu:22:1: error: 'both.y' names no floating-point member of 'both' [unknown-name]
// says: GW_GRADIENT("wrt both.y") float of_no_member(float x) { return x * both.x; }
// says: ^
// says:   way out: name the whole variable, or a member that holds such numbers
// says: global.cu:23:1: error: 'whole' of 'of_an_integer' cannot carry a derivative: its type is 'int' [not-active]
// says: GW_GRADIENT("wrt whole") float of_an_integer(float x) { return x * (float)whole; }
// says: ^
// says:   way out: name a floating-point scalar, or a pointer to or struct of such
// says: global.cu:24:1: error: 'both.n' names no floating-point member of 'both' [unknown-name]
// says: GW_GRADIENT("wrt both.n") float of_an_integer_member(float x) { return x * both.x; }
// says: ^
// says:   way out: name the whole variable, or a member that holds such numbers
// says: global.cu:25:1: error: 'missing' names no parameter of 'of_none' [unknown-name]
// says: GW_GRADIENT("wrt x, missing") float of_none(float x) { return x * both.x; }
// says: ^
// says:   way out: name one of 'x'
// says: global.cu:30:1: error: 'counter' is never written by 'not_written', so nothing can be differentiated [output-not-written]
// says: GW_GRADIENT("counter wrt x") float not_written(float x) { return x * counter; }
// says: ^
// says:   way out: name an output that the function writes
