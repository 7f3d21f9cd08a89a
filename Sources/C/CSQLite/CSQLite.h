#ifndef LIFESIGNAL_CSQLITE_H
#define LIFESIGNAL_CSQLITE_H

#include <sqlite3.h>

/// Keeps the write-ahead log unchanged when the connection is closed, so that a rejected store
/// isn't touched. A wrapper, because Swift can't call variadic functions.
static inline int lifesignal_sqlite3_keep_log_on_close(sqlite3 *database, int keep) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

/// Reads the first bytes of the database file, without the log, through SQLite's own file
/// descriptor: closing another descriptor would release SQLite's locks.
static inline int lifesignal_sqlite3_read_header(sqlite3 *database, void *bytes, int count) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return code == SQLITE_OK ? file->pMethods->xRead(file, bytes, count, 0) : code;
}

#endif
