#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// How to restore the terminal. There are two, so that one is complete while the other is being
// written.
struct restore_state {
  int terminal;
  struct termios attributes;
  uint8_t bytes[CTERMINAL_RESTORE_CAPACITY];
  size_t length;
};
static struct restore_state restore_states[2];
// The one to use; NULL if there is nothing to restore.
static _Atomic(struct restore_state *) armed;
static pid_t owner;

// The number of threads changing the terminal at the moment, and whether this is one of them.
static atomic_int changing;
static _Thread_local int is_changing;
// Whether the terminal has been restored for good or is about to be, and whether by this thread.
static atomic_int restore_started;
static _Thread_local int is_restoring;
static atomic_int has_restored;

// Standard error while it must not appear on the screen: the file it goes to, and its original
// destination.
enum { errors_capacity = 1 << 16 };
static int errors = -1;
static int saved_stderr = -1;

// The pipe that reports signals, and the number of termination requests not yet answered.
static int signal_reader = -1;
static atomic_int signal_writer = -1;
static atomic_int unanswered;

// The meaning of a signal. Every signal whose default action ends the process is caught, including
// those without a name, because otherwise the terminal would not be restored.
enum signal_kind {
  signal_ignored,
  signal_event,
  signal_termination,
  signal_write_failure,
  signal_crash
};

static enum signal_kind kind_of(int signal_number) {
  switch (signal_number) {
    case SIGKILL:
    case SIGSTOP:
    case SIGCHLD:
    case SIGURG:
    case SIGTTIN:
    case SIGTTOU:
      return signal_ignored;
    case SIGWINCH:
    case SIGCONT:
    case SIGTSTP:
      return signal_event;
    case SIGPIPE:
    case SIGXFSZ:
      return signal_write_failure;
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGTRAP:
    case SIGFPE:
    case SIGABRT:
    case SIGSYS:
      return signal_crash;
    default:
      return signal_termination;
  }
}

static struct sigaction previous_handlers[NSIG];
static int handling;

static void write_all(int descriptor, const uint8_t *bytes, size_t length) {
  int attempts_left = 50;
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN && attempts_left-- > 0) {
      // Sleep instead of waiting for POLLOUT, which can be reported endlessly while another process
      // writes.
      poll(NULL, 0, 5);
    } else {
      return;
    }
  }
}

// Returns whether the terminal may be changed. Once it is being restored for good, other threads
// stop here: the process is ending, and anything written after the restore bytes would remain on
// the screen.
static int begin_change(void) {
  is_changing = 1;
  atomic_fetch_add(&changing, 1);
  if (!atomic_load(&restore_started)) return 1;
  atomic_fetch_sub(&changing, 1);
  is_changing = 0;
  while (!is_restoring) pause();
  errno = EIO;
  return 0;
}

static void end_change(void) {
  atomic_fetch_sub(&changing, 1);
  is_changing = 0;
}

int cterminal_arm(
    int descriptor, const struct termios *saved, const uint8_t *restore, size_t length) {
  static int registered;
  if (length > CTERMINAL_RESTORE_CAPACITY) {
    errno = E2BIG;
    return -1;
  }
  if (!begin_change()) return -1;
  struct restore_state *state = &restore_states[atomic_load(&armed) == &restore_states[0]];
  state->terminal = descriptor;
  state->attributes = *saved;
  memcpy(state->bytes, restore, length);
  state->length = length;
  if (!registered) {
    registered = 1;
    atexit(cterminal_restore);
  }
  owner = getpid();
  atomic_store(&armed, state);
  end_change();
  return 0;
}

void cterminal_disarm(void) { atomic_store(&armed, NULL); }

int cterminal_set_attributes(int descriptor, const struct termios *attributes) {
  if (!begin_change()) return -1;
  int result = tcsetattr(descriptor, TCSANOW, attributes);
  end_change();
  return result;
}

ssize_t cterminal_write(int descriptor, const void *bytes, size_t length) {
  if (!begin_change()) return -1;
  ssize_t count = write(descriptor, bytes, length);
  end_change();
  return count;
}

void cterminal_hold_errors(void) {
  if (errors >= 0 || !isatty(STDERR_FILENO)) return;
  int file = memfd_create("errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return;
  // Of a fixed size, so that endless error messages can't fill the memory.
  if (ftruncate(file, errors_capacity) != 0 || fcntl(file, F_ADD_SEALS, F_SEAL_GROW) != 0) {
    close(file);
    return;
  }
  saved_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (saved_stderr < 0 || dup2(file, STDERR_FILENO) < 0) {
    close(file);
    return;
  }
  errors = file;
}

void cterminal_release_errors(void) {
  if (errors < 0) return;
  dup2(saved_stderr, STDERR_FILENO);
  close(saved_stderr);
  uint8_t block[1024];
  off_t end = lseek(errors, 0, SEEK_CUR);
  for (off_t start = 0; start < end;) {
    size_t wanted = (size_t)(end - start) < sizeof block ? (size_t)(end - start) : sizeof block;
    ssize_t count = pread(errors, block, wanted, start);
    if (count <= 0) break;
    write_all(STDERR_FILENO, block, (size_t)count);
    start += count;
  }
  close(errors);
  errors = -1;
}

void cterminal_restore(void) {
  // A child between fork and exec must not touch its parent's terminal.
  if (owner != getpid()) return;
  int error = errno;
  struct restore_state *state = atomic_exchange(&armed, NULL);
  if (!state) {
    // Another thread may be restoring it and must be allowed to finish.
    for (int i = 0; i < 500 && atomic_load(&restore_started) && !atomic_load(&has_restored); i++) {
      poll(NULL, 0, 1);
    }
    errno = error;
    return;
  }
  is_restoring = 1;
  atomic_store(&restore_started, 1);
  // Let other threads' current writes finish first; this never waits for the terminal itself.
  for (int i = 0; i < 250 && atomic_load(&changing) > is_changing; i++) poll(NULL, 0, 1);
  write_all(state->terminal, state->bytes, state->length);
  // In the background this would stop the process. Block the signal: only its own changes are
  // undone.
  sigset_t background, before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  tcsetattr(state->terminal, TCSANOW, &state->attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  cterminal_release_errors();
  atomic_store(&has_restored, 1);
  errno = error;
}

void cterminal_die(int signal_number) {
  cterminal_restore();
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(signal_number, &standard, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal_number);
  // Not reached: the default action of every signal passed here ends the process.
  _exit(128 + signal_number);
}

static void handle_signal(int signal_number) {
  int error = errno;
  // A second request means that the loop that should answer is no longer running.
  if (kind_of(signal_number) != signal_event && atomic_fetch_add(&unanswered, 1) > 0) {
    cterminal_die(signal_number);
  }
  uint8_t byte = (uint8_t)signal_number;
  // If the pipe is full, it already holds enough to wake the loop.
  (void)!write(atomic_load(&signal_writer), &byte, 1);
  errno = error;
}

// The kernel sends these signals in the name of this process when it writes to a closed pipe or
// beyond the maximum file size, which the writer learns from EPIPE or EFBIG. From any other sender
// they are requests to terminate.
static void handle_write_failure(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_pid != getpid()) handle_signal(signal_number);
}

int cterminal_handle_signals(void) {
  if (handling) {
    errno = EBUSY;
    return -1;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  signal_reader = ends[0];
  atomic_store(&signal_writer, ends[1]);
  // A stack overflow is a crash too, and its handler needs a separate stack.
  static uint8_t crash_stack[1 << 16];
  stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
  stack_t present;
  if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
    sigaltstack(&stack, NULL);
  }
  atomic_store(&unanswered, 0);
  for (int i = 1; i < NSIG; i++) {
    enum signal_kind kind = kind_of(i);
    if (kind == signal_ignored) continue;
    // System calls are restarted, except after a crash, which has its own stack. The signals of
    // failed writes are handled rather than ignored, because child processes would inherit that
    // they are ignored.
    struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    if (kind == signal_write_failure) {
      action.sa_sigaction = handle_write_failure;
      action.sa_flags |= SA_SIGINFO;
    } else if (kind == signal_crash) {
      // Swift's own crash handler waits for a key, forever in raw mode; the default action doesn't.
      action.sa_handler = cterminal_die;
      action.sa_flags = SA_ONSTACK;
    }
    sigfillset(&action.sa_mask);
    // The C library rejects the signals it reserves for itself.
    if (sigaction(i, &action, &previous_handlers[i]) != 0) continue;
    // A parent that ignores the signal may not want it to end this program.
    if (kind == signal_termination && previous_handlers[i].sa_handler == SIG_IGN) {
      sigaction(i, &previous_handlers[i], NULL);
    }
  }
  handling = 1;
  return signal_reader;
}

void cterminal_answer_signals(void) { atomic_store(&unanswered, 0); }

void cterminal_release_signals(void) {
  if (!handling) return;
  handling = 0;
  for (int i = 1; i < NSIG; i++) {
    if (kind_of(i) != signal_ignored) sigaction(i, &previous_handlers[i], NULL);
  }
  close(atomic_exchange(&signal_writer, -1));
  close(signal_reader);
}

void cterminal_stop(void) {
  // The caller knows when the process continues, so no report is needed.
  struct sigaction standard = {.sa_handler = SIG_DFL}, stop_before, continue_before;
  sigaction(SIGTSTP, &standard, &stop_before);
  sigaction(SIGCONT, &standard, &continue_before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &stop_before, NULL);
  sigaction(SIGCONT, &continue_before, NULL);
}

int cterminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int cterminal_cell_pixels(int descriptor, int *width, int *height) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 0 && *height > 0 ? 0 : -1;
}

int cterminal_set_size(int descriptor, int columns, int rows, int width, int height) {
  struct winsize size = {
      .ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows,
      .ws_xpixel = (unsigned short)(columns * width), .ws_ypixel = (unsigned short)(rows * height)};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}

int cterminal_is_main_thread(void) { return getpid() == gettid(); }
