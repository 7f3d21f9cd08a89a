/// What the terminal needs from C: handlers that may run at any instruction, ioctls (variadic), and
/// the door to libdispatch's main queue.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

/// The bytes that a guard can hold.
#define CTERMINAL_RESTORE_CAPACITY 512

/// Remembers how to leave the terminal, so that every way out of the process can: `exit`, a fatal
/// signal, a crash. `restore` is copied; -1 with `errno` set when it is too long.
int cterminal_arm(
    int descriptor, const struct termios *_Nonnull saved, const uint8_t *_Nonnull restore,
    size_t length);

/// Leaves the terminal as set with `cterminal_arm`, once; does nothing when not armed. Safe in a
/// signal handler. Waits for a slow terminal, and for what other threads are writing, for at most a
/// quarter of a second each. From then on the process ends: a thread that wants to change the terminal
/// by one of the functions here waits for that.
void cterminal_restore(void);

/// write(2), so that nothing comes after `cterminal_restore`.
ssize_t cterminal_write(int descriptor, const void *_Nonnull bytes, size_t length);

/// tcsetattr(3) at once, in the same way.
int cterminal_set_attributes(int descriptor, const struct termios *_Nonnull attributes);

/// Forgets how to leave, after an orderly way out.
void cterminal_disarm(void);

/// Holds back what is written to standard error, when that is a terminal: it would appear in the
/// middle of the screen. At most 64 KiB are held; what is beyond is refused.
void cterminal_hold_errors(void);

/// Shows what was held back and sends standard error where it went before. `cterminal_restore` does
/// this too, so that the reason of a crash is seen. Safe in a signal handler.
void cterminal_release_errors(void);

/// Installs the handlers and returns the descriptor that tells of signals, -1 with `errno` set on
/// failure. SIGWINCH, SIGCONT, SIGTSTP and all signals that ask the program to end, which are those
/// that end it by default and have no other meaning, appear there as one byte each, their number; a
/// second request to end that finds the first unanswered restores the terminal and dies. A request
/// that was ignored before stays ignored. Crash signals restore the terminal and then take their
/// default action. SIGPIPE and SIGXFSZ do nothing when they come of our own writing, and ask the
/// program to end when somebody else sends them.
int cterminal_handle_signals(void);

/// Says that the requests to end so far were read.
void cterminal_answer_signals(void);

/// Puts back the handlers from before `cterminal_handle_signals` and closes its descriptor.
void cterminal_release_signals(void);

/// Stops the process group as Ctrl-Z does outside raw mode; returns when it is continued, or at
/// once when nobody could continue it.
void cterminal_stop(void);

/// Ends the process by `signal`'s default action, so that its parent sees the true cause.
void cterminal_die(int signal) __attribute__((noreturn));

/// The terminal's size in cells; -1 with `errno` set on failure.
int cterminal_size(int descriptor, int *_Nonnull columns, int *_Nonnull rows);

/// The size of a cell in pixels; -1 where the system does not know it.
int cterminal_cell_pixels(int descriptor, int *_Nonnull width, int *_Nonnull height);

/// Tells a pseudo-terminal its size; the kernel sends SIGWINCH to its foreground process group.
/// A cell has that many pixels; 0 where nobody knows.
int cterminal_set_size(int descriptor, int columns, int rows, int width, int height);

/// Opens a pseudo-terminal of a size and writes the path of its terminal side; returns the other
/// side, in non-blocking mode, -1 with `errno` set on failure.
int cterminal_open_pty(
    int columns, int rows, char *_Nonnull path, size_t capacity);

/// Starts a program as the leader of a session whose controlling terminal is `terminal`, with it as
/// standard input, output and error and every signal at its default. Returns an `errno`, 0 on
/// success.
int cterminal_spawn(
    const char *_Nonnull terminal, const char *_Nonnull program,
    char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const char *_Nullable directory, int32_t *_Nonnull process);

/// Whether this is the process's first thread.
int cterminal_is_main_thread(void);

/// The descriptor that becomes readable when libdispatch's main queue has work. One of the two
/// functions that libdispatch exports for a foreign run loop on Linux, as CFRunLoop uses them.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs what is on libdispatch's main queue; to be called on the main thread.
void _dispatch_main_queue_callback_4CF(void *_Nullable unused);

#endif
