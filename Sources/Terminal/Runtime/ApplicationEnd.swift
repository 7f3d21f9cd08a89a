import CTerminal

/// The reason why an application's run loop ended.
public enum ApplicationEnd: Hashable, Sendable {
  /// `stop()` was called, or Ctrl-C was pressed and no view handled it.
  case stopped
  /// The terminal has disappeared.
  case closed
  /// A signal such as SIGTERM ended the program: any signal whose default action is to end a
  /// program, except those for crashes.
  case signal(Int32)

  /// Ends the process in the way the reason requires: with the signal itself, so that the parent
  /// process sees the true cause. Returns if the reason isn't a signal. Call this after everything
  /// has been saved.
  public func endProcess() {
    if case .signal(let number) = self { cterminal_die(number) }
  }
}
