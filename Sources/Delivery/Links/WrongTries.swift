import FoundationEssentials

/// How often codes were tried that are none, so that nobody can go through them all.
struct WrongTries {
  /// In a minute, for all codes together.
  static let limit = 30
  /// In a minute, for codes that begin alike.
  static let limitPerPrefix = 10

  private var tries: [(date: Date, prefix: Substring)] = []

  /// Whether one more may be tried now.
  mutating func allows(_ code: String, now: Date) -> Bool {
    // A clock that was set back leaves nothing behind that would last.
    tries.removeAll { $0.date > now || now.timeIntervalSince($0.date) >= 60 }
    return tries.count < Self.limit
      && tries.count { $0.prefix == code.prefix(2) } < Self.limitPerPrefix
  }

  /// Notes that a code was none.
  mutating func note(_ code: String, now: Date) { tries.append((now, code.prefix(2))) }
}
