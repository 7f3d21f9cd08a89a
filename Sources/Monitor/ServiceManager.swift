/// The service manager that runs the monitor: systemd, notified with sd_notify(3).
public struct ServiceManager: Sendable {
  /// How long the monitor can be silent before the service manager restarts it; `nil` if there is
  /// no such limit.
  public var timeout: Duration?
  /// Sends all notifications at once. Failures are ignored, so that the watch goes on.
  public var notify: @Sendable ([Notification]) -> Void

  public init(timeout: Duration? = nil, notify: @escaping @Sendable ([Notification]) -> Void) {
    self.timeout = timeout
    self.notify = notify
  }

  /// A notification as defined by sd_notify(3).
  public enum Notification: Equatable, Sendable {
    /// The service has started working.
    case ready
    /// The service is alive.
    case watchdog
    /// The service was asked to stop, and is finishing what it has begun.
    case stopping
    /// The service's status in one line.
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

  /// How long the loop sleeps at most: half the timeout, as sd_watchdog_enabled(3) recommends.
  var longestSilence: Duration? { timeout.map { $0 / 2 } }
}
