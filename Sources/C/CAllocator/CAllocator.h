#ifndef LIFESIGNAL_CALLOCATOR_H
#define LIFESIGNAL_CALLOCATOR_H

// What the C library tells of its allocator; the `Glibc` module leaves it out.
#include <malloc.h>

#endif
