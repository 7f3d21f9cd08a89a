import Glibc

/// The signals that a program without a screen waits for, on its main thread.
package struct ProgramSignals: Sendable {
  private let handled: [Int32]

  /// Blocks the signals. Must be called before any thread is started: all threads inherit what is
  /// blocked here.
  ///
  /// A closed pipe, or a file that can't grow any more, doesn't end the program: the write fails
  /// instead.
  package init(waitingFor handled: [Int32], ignoring ignored: [Int32] = []) {
    self.handled = handled
    for number in ignored + [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    var signals = signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next signal.
  package func wait() -> Int32 {
    var signals = signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    return number
  }

  private var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in handled { sigaddset(&signals, number) }
    return signals
  }
}
