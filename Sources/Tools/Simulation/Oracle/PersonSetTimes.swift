import Domain
import FoundationEssentials

/// The set times of a person by the product's rules, without the product's code.
///
/// It walks over every minute of the simulated days and looks at the clock on the wall.
struct PersonSetTimes {
  /// A zone whose clocks change once, an hour forward or back.
  enum Zone: String, CaseIterable {
    case spring = "Simulated/Spring"
    case autumn = "Simulated/Autumn"

    /// The same as POSIX writes it: both on 18 November, the day on which simulations start.
    var rule: String { self == .spring ? "SIM0SIM,J322/13,J1/0" : "SIM0SIM,J1/0,J322/14:30" }

    /// How far its clocks are ahead of UTC, in seconds.
    fileprivate func offset(at minute: Int) -> Int {
      // 2026-11-18 00:00 UTC.
      let passed = minute - 1_794_960_000 / 60
      switch self {
      case .spring: return passed >= 13 * 60 ? 3_600 : 0
      case .autumn: return passed >= 13 * 60 + 30 ? 0 : 3_600
      }
    }
  }

  /// The set times of some days before the simulation and after its start.
  private let dates: [Date]
  private let opening: TimeSpan
  private let since: Date
  /// The next of them.
  private var index = 1

  init(
    _ times: [SetTimes.Time], in zone: Zone, opening: TimeSpan, lastCheckIn: Date, floor: Date,
    now: Date
  ) {
    self.opening = opening
    since = now
    let start = 1_794_960_000 / 60
    var dates: [Date] = []
    var latest = Int.min
    for minute in start - 8 * 1_440...start + 12 * 1_440 {
      let shown = minute + zone.offset(at: minute) / 60
      // The clocks have shown everything up to here before, but for what they skip now.
      for reading in max(latest + 1, shown - 60)..<max(latest + 1, shown + 1) {
        let weekday = (reading / 1_440 + 3) % 7
        let isSet = times.contains {
          $0.minute == reading % 1_440 && $0.days.rawValue >> weekday & 1 == 1
        }
        let date = Date(timeIntervalSince1970: Double(minute * 60))
        if isSet, dates.last != date { dates.append(date) }
      }
      latest = max(latest, shown)
    }
    self.dates = dates
    choose(lastCheckIn, floor: max(now, floor))
  }

  var deadline: Date { dates[index] }
  var opens: Date {
    let middle = dates[index - 1].timeIntervalSince1970 / 2 + dates[index].timeIntervalSince1970 / 2
    return max(Date(timeIntervalSince1970: middle), deadline - opening)
  }

  /// Serves what is open.
  mutating func serve(at date: Date) {
    while opens <= date { index += 1 }
  }

  /// Begins again, after a pause that ends at `floor`.
  mutating func choose(_ lastCheckIn: Date, floor: Date) {
    index = 1
    while deadline < max(floor, since) || opens <= lastCheckIn { index += 1 }
  }
}
