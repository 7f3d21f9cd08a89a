import Domain

/// The servers behind all addresses, and how each of them is.
struct Servers {
  enum Condition: String {
    case well
    /// Answers at once that it cannot take anything now.
    case busy
    /// Takes what it gets, or not, and says nothing of it.
    case mute
    /// Lets everybody wait, then cuts the connection.
    case hanging
    /// Does not know the recipient.
    case refusing
    /// Does not let us in.
    case closed
  }

  private var conditions: [String: (condition: Condition, since: Moment)] = [:]

  func condition(of address: String) -> Condition { conditions[address]?.condition ?? .well }

  /// Since when a server has been well, or `nil` while it is not.
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
