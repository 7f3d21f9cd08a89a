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

// How to leave the terminal. Written only while not armed.
static atomic_int armed;
static pid_t owner;
static int terminal = -1;
static struct termios saved_attributes;
static uint8_t restore_bytes[CTERMINAL_RESTORE_CAPACITY];
static size_t restore_length;

// Standard error while it must not be seen: where it goes, and where it went before.
enum { errors_capacity = 1 << 16 };
static int errors = -1;
static int errors_before = -1;

// The pipe that tells of signals, and how many requests to end wait for an answer.
static int signal_reader = -1;
static atomic_int signal_writer = -1;
static atomic_int unanswered;

static const int reported[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
enum {
  reported_count = sizeof reported / sizeof reported[0],
  crash_count = sizeof crashes / sizeof crashes[0],
};
static struct sigaction reported_before[reported_count];
static struct sigaction crashes_before[crash_count];
static struct sigaction pipe_before;
static int handling;

static void write_all(int descriptor, const uint8_t *bytes, size_t length) {
  int patience = 5;
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN && patience-- > 0) {
      struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
      poll(&ready, 1, 50);
    } else {
      return;
    }
  }
}

int cterminal_arm(
    int descriptor, const struct termios *saved, const uint8_t *restore, size_t length) {
  static int registered;
  if (length > sizeof restore_bytes) {
    errno = E2BIG;
    return -1;
  }
  atomic_store(&armed, 0);
  owner = getpid();
  terminal = descriptor;
  saved_attributes = *saved;
  memcpy(restore_bytes, restore, length);
  restore_length = length;
  if (!registered) {
    registered = 1;
    atexit(cterminal_restore);
  }
  atomic_store(&armed, 1);
  return 0;
}

void cterminal_disarm(void) { atomic_store(&armed, 0); }

void cterminal_hold_errors(void) {
  if (errors >= 0 || !isatty(STDERR_FILENO)) return;
  int file = memfd_create("errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return;
  // Of a fixed size, so that nobody can fill the memory by complaining.
  if (ftruncate(file, errors_capacity) != 0 || fcntl(file, F_ADD_SEALS, F_SEAL_GROW) != 0) {
    close(file);
    return;
  }
  errors_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (errors_before < 0 || dup2(file, STDERR_FILENO) < 0) {
    close(file);
    return;
  }
  errors = file;
}

void cterminal_release_errors(void) {
  if (errors < 0) return;
  dup2(errors_before, STDERR_FILENO);
  close(errors_before);
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
  if (!atomic_load(&armed) || owner != getpid() || !atomic_exchange(&armed, 0)) return;
  int error = errno;
  write_all(terminal, restore_bytes, restore_length);
  // From the background this would stop us; we only put back what we changed ourselves.
  sigset_t background, before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  tcsetattr(terminal, TCSANOW, &saved_attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  cterminal_release_errors();
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
  // Not reached: the default action of every signal that comes here ends the process.
  _exit(128 + signal_number);
}

static void report(int signal_number) {
  int error = errno;
  switch (signal_number) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
    case SIGQUIT:
    case SIGPIPE:
      // The loop that should answer does not run any more.
      if (atomic_fetch_add(&unanswered, 1) > 0) cterminal_die(signal_number);
  }
  uint8_t byte = (uint8_t)signal_number;
  // A full pipe holds enough to wake the loop.
  (void)!write(atomic_load(&signal_writer), &byte, 1);
  errno = error;
}

// The kernel sends it in our own name when we write to nobody, which the writer learns by EPIPE; from
// anybody else it asks the program to end.
static void report_pipe(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_pid != getpid()) report(signal_number);
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
  // Stack overflow is a crash too, and needs a stack to be handled on.
  static uint8_t crash_stack[1 << 16];
  stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
  stack_t present;
  if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
    sigaltstack(&stack, NULL);
  }
  atomic_store(&unanswered, 0);
  struct sigaction action = {.sa_handler = report, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < reported_count; i++) {
    sigaction(reported[i], &action, &reported_before[i]);
  }
  // Swift's own crash handler waits for a key, in raw mode for ever; the default action does not.
  struct sigaction crash = {.sa_handler = cterminal_die, .sa_flags = SA_ONSTACK};
  sigfillset(&crash.sa_mask);
  for (int i = 0; i < crash_count; i++) {
    sigaction(crashes[i], &crash, &crashes_before[i]);
  }
  // Not ignored: that would be inherited by every program that we start.
  struct sigaction broken = {.sa_sigaction = report_pipe, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigfillset(&broken.sa_mask);
  sigaction(SIGPIPE, &broken, &pipe_before);
  handling = 1;
  return signal_reader;
}

void cterminal_answer_signals(void) { atomic_store(&unanswered, 0); }

void cterminal_release_signals(void) {
  if (!handling) return;
  handling = 0;
  for (int i = 0; i < reported_count; i++) sigaction(reported[i], &reported_before[i], NULL);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &crashes_before[i], NULL);
  sigaction(SIGPIPE, &pipe_before, NULL);
  close(atomic_exchange(&signal_writer, -1));
  close(signal_reader);
}

void cterminal_stop(void) {
  // Who calls this knows when it is continued; no report is needed.
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

int cterminal_set_size(int descriptor, int columns, int rows) {
  struct winsize size = {
      .ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}

int cterminal_is_main_thread(void) { return getpid() == gettid(); }
