#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <unistd.h>

int cprocess_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int cprocess_add_directory(posix_spawn_file_actions_t *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}

int cprocess_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

const short cprocess_new_session = POSIX_SPAWN_SETSID;
