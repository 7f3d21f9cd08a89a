public import Composable
public import Domain
public import FoundationEssentials

/// The current time, and the calendar in which it is shown.
public struct DateClient: Sendable {
  public var now: @Sendable () -> Date
  /// The time as it passes for the person at the keyboard. It differs from ``now`` only if that
  /// runs fast, as in the demo.
  public var personNow: @Sendable () -> Date
  public var calendar: CivilCalendar
  /// How ``now`` compares with the wall clock, if a store judges that; `nil` if nothing does.
  public var judgement: @Sendable () -> ClockJudgement? = { nil }

  /// - Parameter personNow: `nil` for the same time as `now`.
  public init(
    now: @escaping @Sendable () -> Date, personNow: (@Sendable () -> Date)? = nil,
    calendar: CivilCalendar
  ) {
    self.now = now
    self.personNow = personNow ?? now
    self.calendar = calendar
  }

  /// Returns a clock that stands still.
  public static func constant(_ date: Date, calendar: CivilCalendar = .utc) -> Self {
    Self(now: { date }, calendar: calendar)
  }
}

/// What a store makes of a wall clock that jumps (ESC-5).
public struct ClockJudgement: Equatable, Sendable {
  /// A jump that isn't believed yet, in seconds.
  public var pendingJump: Double?
  /// The number of jumps that were believed. Times noted before one don't compare with later ones.
  public var acceptedJumps: Int

  public init(pendingJump: Double? = nil, acceptedJumps: Int = 0) {
    (self.pendingJump, self.acceptedJumps) = (pendingJump, acceptedJumps)
  }
}

extension DateClient: DependencyKey {
  public static var liveValue: Self { Self(now: { Date() }, calendar: .local) }
  public static var testValue: Self {
    Self(
      now: unimplemented("DateClient.now", placeholder: Date(timeIntervalSince1970: 0)),
      calendar: .utc)
  }
}

extension DependencyValues {
  public var dateClient: DateClient {
    get { self[DateClient.self] }
    set { self[DateClient.self] = newValue }
  }
}
