import Glibc

/// The signals of a program that runs in the background.
enum Signals {
  /// Call this before any thread is started: they all inherit what is blocked here.
  ///
  /// A closed terminal must not end the watch, nor a closed pipe.
  static func prepare() {
    signal(SIGHUP, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any more is an error of a write, not the end of the monitor.
    signal(SIGXFSZ, SIG_IGN)
    var ends = endSignals
    pthread_sigmask(SIG_BLOCK, &ends, nil)
  }

  /// Waits until the process is asked to end.
  /// - Returns: the signal.
  static func waitForEnd() -> Int32 {
    var ends = endSignals
    var number: Int32 = 0
    while sigwait(&ends, &number) != 0 {}
    return number
  }

  private static var endSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    return signals
  }
}
