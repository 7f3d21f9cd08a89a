public import FoundationEssentials
@preconcurrency import Glibc
import Synchronization

/// A conversion between instants and the date and time that a wall clock shows.
///
/// FoundationEssentials carries no time zone rules on Linux, so local time is the C library's.
public enum CivilCalendar: Hashable, Sendable {
  /// The zone of `TZ` or `/etc/localtime`; an unknown `TZ` means UTC, as everywhere in libc.
  case local
  /// A constant offset from UTC, as in tests.
  case fixed(secondsFromGMT: Int)

  /// The name of the zone in which set times are meant unless another one is given.
  public var zoneName: String {
    switch self {
    case .local: ZoneData.localZone ?? "UTC"
    case .fixed(0): "UTC"
    // The sign is the other way round there.
    case .fixed(let seconds): "Etc/GMT\(seconds < 0 ? "+" : "-")\(abs(seconds) / 3_600)"
    }
  }

  public static let utc = CivilCalendar.fixed(secondsFromGMT: 0)

  /// Returns the wall clock's reading at an instant.
  public func time(of date: Date) -> CivilTime {
    var instant = time_t(Int(bounded: date.timeIntervalSince1970.rounded(.down)))
    var parts = tm()
    switch self {
    case .local:
      LocalZone.refresh()
      localtime_r(&instant, &parts)
    case .fixed(let seconds):
      instant += seconds
      gmtime_r(&instant, &parts)
    }
    return CivilTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
      weekday: Int(parts.tm_wday))
  }

  /// Returns the instant at which the wall clock shows a time, ignoring its weekday, or `nil` for a
  /// date that doesn't exist, such as 30 February. A time that is skipped when the clocks go
  /// forward is moved an hour later.
  public func date(of time: CivilTime) -> Date? {
    var parts = tm()
    parts.tm_year = Int32(clamping: time.year - 1900)
    parts.tm_mon = Int32(clamping: time.month - 1)
    parts.tm_mday = Int32(clamping: time.day)
    parts.tm_hour = Int32(clamping: time.hour)
    parts.tm_min = Int32(clamping: time.minute)
    parts.tm_sec = Int32(clamping: time.second)
    parts.tm_isdst = -1
    let instant =
      switch self {
      case .local: mktime(&parts)
      case .fixed(let seconds): timegm(&parts) - seconds
      }
    let date = Date(timeIntervalSince1970: Double(instant))
    // The C library turns a date that doesn't exist into another day.
    let shown = self.time(of: date)
    return (shown.month, shown.day) == (time.month, time.day) ? date : nil
  }

  /// Returns a time as people talk about it: `today 07:52`, `tomorrow 07:52`, `yesterday 07:52`,
  /// `Thu 07:52` within six days, else `2026-11-21 07:52`.
  public func describe(_ date: Date, now: Date) -> String {
    let time = time(of: date)
    return "\(dayName(of: date, now: now)) \(time.clock)"
  }

  /// Returns an instant as this wall clock shows it, and in UTC for readers who may live elsewhere.
  public func describeForOthers(_ date: Date) -> String {
    let local = time(of: date)
    let utc = CivilCalendar.utc.time(of: date)
    let text = "\(local.weekdayName) \(local.dateText) \(local.clock)"
    if local == utc { return text + " UTC" }
    if local.dateText == utc.dateText { return "\(text) (\(utc.clock) UTC)" }
    return "\(text) (\(utc.dateText) \(utc.clock) UTC)"
  }

  /// Returns a time of the last or next days, without the current time to compare it with:
  /// `Thu 07:52`.
  public func describe(_ date: Date) -> String {
    let time = time(of: date)
    return "\(time.weekdayName) \(time.clock)"
  }

  /// Returns the day part of ``describe(_:now:)``.
  public func dayName(of date: Date, now: Date) -> String {
    let time = time(of: date)
    switch time.dayNumber - self.time(of: now).dayNumber {
    case 0: return "today"
    case 1: return "tomorrow"
    case -1: return "yesterday"
    case -6...6: return time.weekdayName
    default: return time.dateText
    }
  }
}

/// A date and time of day without a zone.
public struct CivilTime: Hashable, Sendable {
  public var year: Int
  /// 1–12.
  public var month: Int
  /// 1–31.
  public var day: Int
  public var hour: Int
  public var minute: Int
  public var second: Int
  /// The day of the week; 0 is Sunday.
  public var weekday: Int

  public init(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.weekday = weekday
  }

  /// `07:52`.
  public var clock: String { "\(pad(hour)):\(pad(minute))" }
  /// `2026-11-21`.
  public var dateText: String { "\(year)-\(pad(month))-\(pad(day))" }
  public var weekdayName: String { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday] }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar, after Hinnant's *days_from_civil*.
  public var dayNumber: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Date {
  /// RFC 3339 in UTC with whole seconds: `2026-11-21T07:52:00Z`.
  public var rfc3339: String {
    let time = CivilCalendar.utc.time(of: self)
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(time.dateText)T\(time.clock):\(pad(time.second))Z"
  }
}

/// The machine's time zone, which can change while a program runs for months.
private enum LocalZone {
  private static let lastLook = Atomic<Int>(.min)

  /// Has the C library read the zone again if `/etc/localtime` was replaced, which it looks for in
  /// no call but this one. At most once a second, because frames show many times.
  static func refresh() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    guard lastLook.exchange(time.tv_sec, ordering: .relaxed) != time.tv_sec else { return }
    tzset()
  }
}
