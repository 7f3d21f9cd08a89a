import Domain
import FoundationEssentials

extension DemoStory {
  /// Days before today without a check-in: after each the person was late, and others were told.
  private static let missedDays: Set<Int> = [8, 97, 241]
  /// Days before today on which nobody expected a check-in (CHK-7).
  private static let holiday = 131...139
  /// How many days the history goes back.
  private static let days = 365

  /// The check-ins of the last year, oldest first.
  func checkIns() -> [CheckIn] {
    let time = calendar.time(of: now)
    let midnight = now - .seconds(time.hour * 3_600 + time.minute * 60 + time.second)
    let dates = (0...Self.days).reversed().flatMap { day in
      minutes(ofDay: day, weekday: (time.weekday + 7 * 53 - day) % 7).map { minutes in
        midnight - .days(day) + .minutes(minutes) + .seconds(day * 37 % 60)
      }
    }
    var previous: Date?
    return dates.filter { $0 < now - .minutes(5) }.enumerated().map { index, date in
      let margin = previous.map { previous in
        // A pause moves the deadline; of the time after it nothing is gone.
        date.timeIntervalSince(previous) > 4 * 86_400
          ? TimeSpan.hours(30)
          : .seconds(Self.interval.span.seconds - Int(date.timeIntervalSince(previous).rounded()))
      }
      previous = date
      return CheckIn(
        id: makeUUID(), date: date, source: Self.source(ofCheckIn: index), sequence: index,
        margin: margin)
    }
  }

  /// Minutes after midnight at which the person checked in on a day: in the morning, later at
  /// weekends, and now and then once more in the evening.
  private func minutes(ofDay day: Int, weekday: Int) -> [Int] {
    guard !Self.missedDays.contains(day), !Self.holiday.contains(day) else { return [] }
    if day == 0 { return [7 * 60 + 52] }
    let isWeekend = weekday == 0 || weekday == 6
    let morning = 7 * 60 + 30 + (isWeekend ? 70 : 0) + Self.variation(of: day) % 55
    let hasEvening = Self.variation(of: day + 1_000) % 6 == 0
    return hasEvening ? [morning, 20 * 60 + 15 + Self.variation(of: day + 2_000) % 130] : [morning]
  }

  private static func source(ofCheckIn index: Int) -> CheckIn.Source {
    switch variation(of: index + 3_000) % 20 {
    case 0...1: .commandLine
    case 2: .pingAnswer
    default: .manual
    }
  }

  /// A number that looks like chance and is the same each time: one step of SplitMix64.
  private static func variation(of seed: Int) -> Int {
    var bits = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) >> 33)
  }
}
