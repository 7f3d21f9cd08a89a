#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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
