#ifndef LIFESIGNAL_CALLOCATOR_H
#define LIFESIGNAL_CALLOCATOR_H

// The allocator's statistics, which the `Glibc` module leaves out.
#include <malloc.h>

#endif
