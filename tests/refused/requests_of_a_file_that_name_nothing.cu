// args: --requests more_requests.txt
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
// says: more_requests.txt:2:1: error: no function 'scaled' in this translation unit; did you mean 'scale'? [unknown-function]
// says: derivative scaled: y wrt x
// says: ^
// says:   way out: check the spelling, or qualify the name with its namespace
// says: more_requests.txt:3:1: error: cannot read the request 'y and x': behind a name stands 'and': names are separated by commas [bad-request]
// says: scale: y and x
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: more_requests.txt:4:1: error: 'scale' already has another request for a gradient [conflicting-request]
// says: scale: y wrt x, y
// says: ^
// says:   way out: name one of them: 'NAME = outputs wrt inputs'
