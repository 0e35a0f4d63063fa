// source: no_such_file.cu
// says: gradwright: error: cannot read 'no_such_file.cu': No such file or directory [cannot-read]
