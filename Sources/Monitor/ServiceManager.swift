/// The service manager that runs the monitor and wants to hear how it does: systemd, by sd_notify(3).
public struct ServiceManager: Sendable {
  /// How long a monitor may say nothing before it counts as hanging and is restarted; `nil` where
  /// nobody waits for signs of life.
  public var timeout: Duration?
  /// Says something, all of it at once. What cannot be said is lost: the watch goes on.
  public var say: @Sendable ([Word]) -> Void

  public init(timeout: Duration? = nil, say: @escaping @Sendable ([Word]) -> Void) {
    self.timeout = timeout
    self.say = say
  }

  /// What a service says, in the words of sd_notify(3).
  public enum Word: Equatable, Sendable {
    /// It has begun to do its work.
    case ready
    /// It has just done some of it: a sign of life.
    case watchdog
    /// It was asked to end and finishes what it has begun.
    case stopping
    /// How it fares, in one line.
    case status(String)

    public var text: String {
      switch self {
      case .ready: "READY=1"
      case .watchdog: "WATCHDOG=1"
      case .stopping: "STOPPING=1"
      case .status(let line):
        "STATUS=" + line.split(whereSeparator: \.isNewline).joined(separator: " ")
      }
    }
  }

  /// How long the loop sleeps at most: half of the time limit, as sd_watchdog_enabled(3) recommends.
  var longestSilence: Duration? { timeout.map { $0 / 2 } }
}
