import Glibc

/// The signals of a program that runs in the background.
enum Signals {
  /// Call this before any thread is started: they all inherit what is blocked here.
  ///
  /// A closed terminal must not end the watch, nor a closed pipe.
  static func prepare() {
    signal(SIGHUP, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    var ends = endSignals
    pthread_sigmask(SIG_BLOCK, &ends, nil)
  }

  /// Calls a function when the process is asked to end. Asked once more, it ends at once.
  static func whenAskedToEnd(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        var ends = Signals.endSignals
        var number: Int32 = 0
        sigwait(&ends, &number)
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().call()
        sigwait(&ends, &number)
        _exit(128 + number)
      }, context)
    pthread_detach(thread)
  }

  private static var endSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    return signals
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
