/// Counts what a thread takes from the heap. A test program that links this has its own `malloc`,
/// which stands before the C library's for every library in the process.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// The calls of `malloc`, `calloc`, `realloc` and their aligned kin by this thread so far.
int64_t allocation_count(void);

/// The bytes that the process has taken from the heap and not given back.
int64_t allocation_bytes(void);

#endif
