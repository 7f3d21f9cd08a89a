import Glibc

/// How this process learns that a program it started has exited.
public enum ChildSignals {
  /// Has their exit codes be kept until they are asked for. A parent that ignores `SIGCHLD`
  /// passes that on, and then every program would seem to have been killed (`waitpid(2)`).
  public static func restore() { signal(SIGCHLD, SIG_DFL) }
}
