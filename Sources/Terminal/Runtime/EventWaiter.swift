import CTerminal
import Dispatch
import Glibc

/// Waits for the next thing to do: input from the terminal, space for output, a signal, work on the
/// main queue, or a deadline.
///
/// The main queue is accessed through the two functions that libdispatch exports for foreign run
/// loops, so main-actor jobs run here without another thread involved; see
/// docs/decisions/0003-one-loop-on-the-main-thread.md.
@MainActor
struct EventWaiter {
  /// The reasons why the wait ended.
  struct Reasons: OptionSet {
    let rawValue: UInt8
    static let input = Reasons(rawValue: 1)
    static let output = Reasons(rawValue: 2)
    static let signal = Reasons(rawValue: 4)
  }

  private let terminal: Int32
  private let signals: Int32
  private let mainQueue: Int32

  /// - Precondition: This is the main thread of the process, and nothing else drains the main
  ///   queue.
  init(terminal: Int32, signals: Int32) {
    precondition(
      cterminal_is_main_thread() != 0,
      "Run the application on the main thread, from synchronous code: not from an async main.")
    self.terminal = terminal
    self.signals = signals
    mainQueue = _dispatch_get_main_queue_handle_4CF()
  }

  /// Waits until the deadline, or indefinitely if it is `nil`. Work on the main queue, like the
  /// deadline, ends the wait without a reason.
  func wait(until deadline: ContinuousClock.Instant?, forOutput: Bool) -> Reasons {
    var entries = [
      pollfd(fd: terminal, events: Int16(POLLIN | (forOutput ? POLLOUT : 0)), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mainQueue, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&entries, 3, milliseconds(until: deadline)) > 0 else { return [] }
    var reasons: Reasons = []
    // A terminal that hung up is reported as readable.
    if entries[0].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
      reasons.insert(.input)
    }
    if entries[0].revents & Int16(POLLOUT) != 0 { reasons.insert(.output) }
    if entries[1].revents != 0 { reasons.insert(.signal) }
    return reasons
  }

  /// Runs the work on the main queue and any work that this enqueues, so that the immediate
  /// consequences of an action show in the next frame. The number of rounds is limited, because a
  /// frame must be drawn.
  func drainMainQueue() {
    for _ in 0..<4 {
      // Reset the counter first: work that arrives from now on ends the next wait.
      var counter: UInt64 = 0
      guard read(mainQueue, &counter, 8) == 8 else { return }
      _dispatch_main_queue_callback_4CF(nil)
    }
  }

  /// Returns the numbers of the signals that arrived.
  func takeSignals() -> [Int32] {
    var numbers = [UInt8](repeating: 0, count: 64)
    let count = read(signals, &numbers, numbers.count)
    return numbers.prefix(max(0, count)).map(Int32.init)
  }

  private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = (deadline - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    // Round up, so that the deadline has passed when the wait ends.
    return Int32(
      clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
