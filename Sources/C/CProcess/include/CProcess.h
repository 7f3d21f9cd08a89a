/// The parts of starting programs that glibc declares only for C with GNU extensions.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <spawn.h>

/// pipe2(2) with O_CLOEXEC: no program that another thread starts gets an end of it.
int cprocess_pipe(int *_Nonnull ends);

/// Has the program run in a folder. The path is copied.
int cprocess_add_directory(
    posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull directory);

/// Closes the files from a descriptor on, in the program.
int cprocess_add_close_from(posix_spawn_file_actions_t *_Nonnull actions, int first);

/// POSIX_SPAWN_SETSID: the program leads a new session.
extern const short cprocess_new_session;

#endif
