public import Composable
public import FoundationEssentials

extension DependencyValues {
  /// The calendar. A test must override it.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// The locale. A test must override it.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The time zone. A test must override it.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }

  private enum CalendarKey: DependencyKey {
    static let liveValue = Calendar.autoupdatingCurrent
    static var testValue: Calendar {
      reportUnimplemented("DependencyValues.calendar")
      return Calendar(identifier: .gregorian)
    }
  }

  private enum LocaleKey: DependencyKey {
    static let liveValue = Locale.autoupdatingCurrent
    static var testValue: Locale {
      reportUnimplemented("DependencyValues.locale")
      return Locale(identifier: "en_US_POSIX")
    }
  }

  private enum TimeZoneKey: DependencyKey {
    static let liveValue = TimeZone.autoupdatingCurrent
    static var testValue: TimeZone {
      reportUnimplemented("DependencyValues.timeZone")
      return TimeZone(secondsFromGMT: 0)!
    }
  }
}
