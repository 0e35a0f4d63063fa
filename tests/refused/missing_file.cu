// source: no_such_file.cu
