#include "AllocationCounter.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// The sanitizers replace malloc themselves, so nothing can be counted.
int64_t allocation_count(void) { return 0; }
#else
// The C library's functions, under the names that glibc exports for replacements.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Thread-local storage of the executable, so that reading it never allocates.
static _Thread_local int64_t calls;

int64_t allocation_count(void) { return calls; }

void *malloc(size_t size) {
  calls++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  calls++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  calls++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  calls++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  calls++;
  void *block = __libc_memalign(alignment, size);
  if (!block) return ENOMEM;
  *memory = block;
  return 0;
}
#endif

// An empty function of its own each, which no optimization merges or removes.
__attribute__((noinline)) void counting_begins(void) { __asm__ volatile("" ::"i"(1)); }
__attribute__((noinline)) void counting_ends(void) { __asm__ volatile("" ::"i"(2)); }

int64_t allocation_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
