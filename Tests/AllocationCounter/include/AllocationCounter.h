/// Counts the heap allocations of a thread. A test program that links this has its own `malloc`, which
/// replaces the C library's for every library in the process.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// The number of calls of `malloc`, `calloc`, `realloc` and their aligned variants by this thread.
int64_t allocation_count(void);

/// The number of heap bytes that the process has allocated and not freed.
int64_t allocation_bytes(void);

/// Mark where counted work begins and ends, for a tool that counts instructions between calls of these.
/// They do nothing.
void counting_begins(void);
void counting_ends(void);

#endif
