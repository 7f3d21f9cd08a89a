public import FoundationEssentials

/// Judges a wall clock by the time since the machine was started, which nobody can set and which
/// goes on while the machine sleeps (ESC-5).
///
/// When the wall clock jumps, because it was set or was wrong before, the old time goes on, in which
/// every deadline stays where it was, until the new time has held for two minutes. So a clock that
/// is wrong for a moment triggers no alert and drops no deadline.
public struct ClockJudge: Equatable, Sendable {
  /// The largest jump that counts at once, in seconds. Equal to the longest gap in the watch that
  /// makes no difference.
  public static let tolerance = Double(WatchStatus.longestGap.seconds)
  /// How long a larger jump must last before it is believed, in seconds.
  public static let settlingTime = 120.0

  /// A jump that isn't believed yet.
  public struct Jump: Equatable, Sendable {
    public var seconds: Double
    /// When it was noticed, in seconds since the start of the machine.
    public var since: Double

    public init(seconds: Double, since: Double) { (self.seconds, self.since) = (seconds, since) }
  }

  /// The last time that counted, and how long the machine had been running then, in seconds.
  public private(set) var date: Date
  public private(set) var uptime: Double
  public var jump: Jump?

  public init(date: Date, uptime: Double, jump: Jump? = nil) {
    (self.date, self.uptime, self.jump) = (date, uptime, jump)
  }

  /// Returns the time that counts: the wall clock's, or after a jump the old one.
  public mutating func time(wall: Date, uptime: Double) -> Date {
    let expected = expected(at: uptime)
    let seconds = wall.timeIntervalSince(expected)
    guard abs(seconds) > Self.tolerance else {
      self = Self(date: wall, uptime: uptime)
      return wall
    }
    let isKnown = jump.map { abs($0.seconds - seconds) <= Self.tolerance } ?? false
    if !isKnown { jump = Jump(seconds: seconds, since: uptime) }
    return expected
  }

  /// Returns the old time, as it has gone on since it last counted.
  public func expected(at uptime: Double) -> Date { date + (uptime - self.uptime) }

  /// Returns whether the wall clock jumped and has kept its new time for long enough to be believed.
  public func isSettled(at uptime: Double) -> Bool {
    jump.map { uptime - $0.since >= Self.settlingTime } ?? false
  }
}

/// A jump of the clock that the person must know of.
public struct ClockWarning: Codable, Equatable, Sendable {
  /// How far the clock jumped, in seconds; negative if it was set back.
  public var seconds: Int
  /// Since when its new time counts; `nil` while the old one goes on.
  public var acceptedAt: Date?

  public init(seconds: Int, acceptedAt: Date? = nil) {
    (self.seconds, self.acceptedAt) = (seconds, acceptedAt)
  }

  /// How long a jump that was believed is shown.
  public static let lifetime = TimeSpan.days(1)

  /// What happened, what that means for the deadline, and what to do.
  public var text: String {
    let span = TimeSpan(seconds: abs(seconds)).shortDescription
    let what = "This computer's clock jumped \(seconds < 0 ? "back" : "ahead") by \(span)"
    guard acceptedAt != nil else {
      return
        "\(what). Until it keeps the new time for two minutes, the old one goes on. If the clock is"
        + " wrong, set it."
    }
    return seconds < 0
      ? "\(what). Nobody has more time left for it. If the clock is wrong, set it."
      : "\(what), so your deadline may be early. If the clock is wrong, set it; then check in."
  }
}

/// How long the machine has been running, which nobody can set, and which start of it that was.
public struct Uptime: Codable, Equatable, Sendable {
  /// The name of the start; uptimes of different starts can't be compared.
  public var boot: String
  public var seconds: Double

  public init(boot: String, seconds: Double) { (self.boot, self.seconds) = (boot, seconds) }
}
