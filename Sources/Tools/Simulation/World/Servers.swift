import Domain

/// The servers of all addresses, and their conditions.
struct Servers {
  enum Condition: String {
    case well
    /// Answers at once that it can't accept anything now.
    case busy
    /// Accepts a message or not, but never answers.
    case mute
    /// Keeps clients waiting, then cuts the connection.
    case hanging
    /// Doesn't know the recipient.
    case refusing
    /// Rejects our login.
    case closed
  }

  private var conditions: [String: (condition: Condition, since: Moment)] = [:]

  func condition(of address: String) -> Condition { conditions[address]?.condition ?? .well }

  /// Returns since when a server has been well, or `nil` if it isn't.
  func well(_ address: String) -> Moment? {
    guard let (condition, since) = conditions[address] else { return .zero }
    return condition == .well ? since : nil
  }

  mutating func change(_ address: String, to condition: Condition, at now: Moment) {
    conditions[address] = (condition, now)
  }

  mutating func healAll(at now: Moment) {
    for (address, entry) in conditions where entry.condition != .well {
      conditions[address] = (.well, now)
    }
  }
}
