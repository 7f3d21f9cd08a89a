public import Composable
public import Domain
public import FoundationEssentials

/// The time, and the calendar in which it is shown.
public struct DateClient: Sendable {
  public var now: @Sendable () -> Date
  public var calendar: CivilCalendar

  public init(now: @escaping @Sendable () -> Date, calendar: CivilCalendar) {
    self.now = now
    self.calendar = calendar
  }

  /// A clock that stands still.
  public static func constant(_ date: Date, calendar: CivilCalendar = .utc) -> Self {
    Self(now: { date }, calendar: calendar)
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
