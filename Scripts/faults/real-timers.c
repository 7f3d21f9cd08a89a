/* libfaketime 0.9.10 shifts every absolute timer by the change of the wall clock, even timers that count
   from boot. Preloaded before it, this leaves timers alone. */
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  return (int)syscall(SYS_timerfd_settime, timer, flags, value, old);
}
