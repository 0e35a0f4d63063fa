// Clauses of models that cannot be read.
#include <gradwright/gradwright.h>

GW_ERROR("wrt x by") double nothing(double x) { return x * x; }
GW_GRADIENT("wrt x by model") double gradient(double x) { return x * x; }
GW_ERROR("wrt x bu model") double misspelt(double x) { return x * x; }
// says: rounding_requests.cu:4:1: error: cannot read the request 'wrt x by': no name follows 'by' [bad-request]
// says: GW_ERROR("wrt x by") double nothing(double x) { return x * x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: rounding_requests.cu:5:1: error: cannot read the request 'wrt x by model': only a rounding error has a model, 'by' [bad-request]
// says: GW_GRADIENT("wrt x by model") double gradient(double x) { return x * x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: rounding_requests.cu:6:1: error: cannot read the request 'wrt x bu model': behind a name stands 'bu'; did you mean 'by'? [bad-request]
// says: GW_ERROR("wrt x bu model") double misspelt(double x) { return x * x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
