#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "CTerminal.h"

int cterminal_open_pty(int columns, int rows, char *path, size_t capacity) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0) return -1;
  if (grantpt(master) != 0 || unlockpt(master) != 0 || ptsname_r(master, path, capacity) != 0 ||
      cterminal_set_size(master, columns, rows, 0, 0) != 0) {
    int error = errno;
    close(master);
    errno = error;
    return -1;
  }
  return master;
}

int cterminal_spawn(
    const char *terminal, const char *program, char *const *arguments, char *const *environment,
    const char *directory, int32_t *process) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Signals that the parent ignores or blocks must work in the program.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  // A terminal opened by its path by the leader of a new session becomes the controlling terminal.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (directory) posix_spawn_file_actions_addchdir_np(&actions, directory);
  posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);

  pid_t child = 0;
  int error = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
  *process = child;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}
