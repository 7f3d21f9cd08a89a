public import FoundationEssentials

/// When a request was made, as far as its device can say. A server may execute it much later: it
/// was frozen, the device slept in between, or the line was away.
public struct RequestTime: Equatable, Sendable {
  /// The server's time of the last answer that the device had before.
  public var after: Date?
  /// The server's time when it was made, counted from ``after`` by a clock that nobody can set;
  /// `nil` if the device has been restarted since.
  public var at: Date?
  /// How many seconds ago it was made when it was sent this time; `nil` if the device has been
  /// restarted since.
  public var age: Double?
  /// How often the server's clock had been set at its last answer.
  public var era: Int?

  public init(after: Date? = nil, at: Date? = nil, age: Double? = nil, era: Int? = nil) {
    (self.after, self.at, self.age, self.era) = (after, at, age, era)
  }

  /// Returns what holds on a server whose clock was set so often: times that it said before it was
  /// set mean something else now.
  public func ofEra(_ era: Int) -> RequestTime {
    self.era ?? era == era ? self : RequestTime(age: age, era: era)
  }

  /// How late a request can be executed without a difference.
  public static let tolerance = TimeSpan.seconds(30)
  /// How old a request that weakens help can be.
  public static let lifetime = TimeSpan.minutes(2)

  /// Returns the earliest instant at which the request can have been made, so that nobody has more
  /// time than they promised; `nil` if nothing is known.
  ///
  /// A time of the device's that lies in the future was given by a clock that has since been set
  /// back, and is ignored.
  /// - Parameter now: The server's time.
  public func earliest(now: Date) -> Date? {
    let after = after.flatMap { $0 <= now ? $0 : nil }
    let times = [at.flatMap { $0 <= now ? $0 : nil }, age.map { now - max(0, $0) }]
    let made = times.compactMap(\.self)
    guard let earliest = made.min() ?? after else { return nil }
    return max(earliest, after ?? earliest)
  }
}

// MARK: As a header

extension RequestTime {
  /// Reads what ``header`` returns; ignores what it doesn't understand.
  public init(header: String) {
    self.init()
    for part in header.prefix(200).split(separator: ";") {
      let words = part.split(separator: "=", maxSplits: 1)
      guard words.count == 2, let number = Int64(words[1]), (0...Self.most).contains(number) else {
        continue
      }
      switch words[0].drop(while: { $0 == " " }) {
      case "after": after = Self.date(number)
      case "at": at = Self.date(number)
      case "age": age = Double(number) / 1_000
      case "era": era = Int(number)
      default: break
      }
    }
  }

  /// The times in milliseconds, such as `after=1795000000000; at=1795000012000; age=20`.
  public var header: String {
    let parts = [
      after.map { "after=\(Self.milliseconds($0))" }, at.map { "at=\(Self.milliseconds($0))" },
      age.map { "age=\(Self.bounded($0 * 1_000))" }, era.map { "era=\($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  private static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    bounded((date.timeIntervalSince1970 * 1_000).rounded())
  }

  private static func bounded(_ milliseconds: Double) -> Int64 {
    Int64(max(0, min(milliseconds, Double(most))))
  }

  /// The end of the year 9999.
  private static let most: Int64 = 253_402_300_799_999
}
