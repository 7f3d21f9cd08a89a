import CTerminal

/// Why an application's loop ended.
public enum ApplicationEnd: Hashable, Sendable {
  /// `stop()` was called, or Ctrl-C pressed and wanted by nobody.
  case stopped
  /// The terminal is gone.
  case closed
  /// A signal asked the program to end, such as SIGTERM: any that ends a program by default and is no
  /// crash.
  case signal(Int32)

  /// Ends the process as the cause demands: by the signal itself, so that the parent sees the truth.
  /// Returns when the cause is no signal. Call it after everything has been saved.
  public func endProcess() {
    if case .signal(let number) = self { cterminal_die(number) }
  }
}
