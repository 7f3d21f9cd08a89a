import Glibc

/// The dumps that the system makes of this process when it crashes.
public enum CoreDumps {
  /// Turns them off, because the memory holds passwords and passphrases.
  ///
  /// The limit is one byte, not zero: a program that receives dumps, such as systemd's, gets them
  /// whatever the limit, unless it is 1 (`core(5)` leaves this out; see `vfs_coredump` in the
  /// kernel). Debuggers go on working, which they would not after `PR_SET_DUMPABLE`.
  public static func turnOff() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    limit.rlim_max = min(limit.rlim_max, 1)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
