import Glibc

/// The signal that tells this process that a program it started has exited.
public enum ChildSignals {
  /// Makes the system keep exit codes until they are read. A parent that ignores `SIGCHLD` passes
  /// that on, and then every program would seem to have been killed (`waitpid(2)`).
  public static func restore() { signal(SIGCHLD, SIG_DFL) }
}
