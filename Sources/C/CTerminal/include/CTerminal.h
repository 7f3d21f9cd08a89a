/// The parts of terminal handling that need C: handlers that can run at any instruction, variadic
/// ioctls, and access to libdispatch's main queue.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

/// The maximum length of the bytes that restore a terminal.
#define CTERMINAL_RESTORE_CAPACITY 512

/// Records how to restore the terminal, so that every end of the process does so: `exit`, a fatal
/// signal, a crash. `restore` is copied. Returns -1 with `errno` set if it is too long.
int cterminal_arm(
    int descriptor, const struct termios *_Nonnull saved, const uint8_t *_Nonnull restore,
    size_t length);

/// Restores the terminal as recorded by `cterminal_arm`, once; does nothing if nothing is recorded.
/// Safe in a signal handler. Waits at most a quarter of a second each for a slow terminal and for
/// writes of other threads. The process is expected to end afterwards: threads that try to change
/// the terminal with these functions block forever.
void cterminal_restore(void);

/// write(2), except that nothing is written after `cterminal_restore`.
ssize_t cterminal_write(int descriptor, const void *_Nonnull bytes, size_t length);

/// tcsetattr(3) with TCSANOW, with the same exception.
int cterminal_set_attributes(int descriptor, const struct termios *_Nonnull attributes);

/// Discards what `cterminal_arm` recorded, after the terminal has been restored normally.
void cterminal_disarm(void);

/// Holds back output to standard error if that is a terminal, since it would appear in the middle
/// of the screen. Holds at most 64 KiB; further writes fail.
void cterminal_hold_errors(void);

/// Prints the output held back and restores standard error. `cterminal_restore` does this too, so
/// that the reason for a crash is shown. Safe in a signal handler.
void cterminal_release_errors(void);

/// Installs signal handlers and returns a descriptor that reports signals, or -1 with `errno` set.
/// SIGWINCH, SIGCONT, SIGTSTP and all termination requests (signals that end the program by default
/// and have no other meaning) appear there as one byte each, the signal's number. A second
/// termination request while the first is unanswered restores the terminal and ends the process.
/// Requests that were ignored before stay ignored. Crash signals restore the terminal and then take
/// their default action. SIGPIPE and SIGXFSZ do nothing if caused by the process's own writes, and
/// are termination requests if another process sends them.
int cterminal_handle_signals(void);

/// Marks the termination requests so far as answered.
void cterminal_answer_signals(void);

/// Reinstalls the handlers from before `cterminal_handle_signals` and closes its descriptor.
void cterminal_release_signals(void);

/// Stops the process group as Ctrl-Z does outside raw mode. Returns when it is continued, or
/// immediately if no process could continue it.
void cterminal_stop(void);

/// Ends the process with the default action of `signal`, so that its parent sees the true cause.
void cterminal_die(int signal) __attribute__((noreturn));

/// Gets the terminal's size in cells; returns -1 with `errno` set on failure.
int cterminal_size(int descriptor, int *_Nonnull columns, int *_Nonnull rows);

/// Gets the size of a cell in pixels; returns -1 if the system doesn't know it.
int cterminal_cell_pixels(int descriptor, int *_Nonnull width, int *_Nonnull height);

/// Sets the size of a pseudo-terminal and of a cell in pixels, 0 if unknown. The kernel sends
/// SIGWINCH to the foreground process group.
int cterminal_set_size(int descriptor, int columns, int rows, int width, int height);

/// Opens a pseudo-terminal and writes the path of its terminal side. Returns the other side, in
/// non-blocking mode, or -1 with `errno` set.
int cterminal_open_pty(
    int columns, int rows, char *_Nonnull path, size_t capacity);

/// Returns whether the caller runs on the main thread of the process.
int cterminal_is_main_thread(void);

/// Returns a descriptor that becomes readable when libdispatch's main queue has work. One of the
/// two functions that libdispatch exports on Linux for foreign run loops such as CFRunLoop.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs the work on libdispatch's main queue. Must be called on the main thread.
void _dispatch_main_queue_callback_4CF(void *_Nullable unused);

#endif
