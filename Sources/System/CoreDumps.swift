import Glibc

/// What is kept of this process when it crashes.
public enum CoreDumps {
  /// Has nothing be kept: its memory holds passwords and passphrases.
  ///
  /// One byte and not none: a program that takes dumps, as systemd has one, is handed them whatever the
  /// limit, unless it is 1 (`core(5)` leaves this out; see `vfs_coredump` in the kernel). Debuggers go
  /// on working, which they would not after `PR_SET_DUMPABLE`.
  public static func turnOff() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    limit.rlim_max = min(limit.rlim_max, 1)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
