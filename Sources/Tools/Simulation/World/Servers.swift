import Domain

/// The servers of all addresses, the mail account that monitors send with, and their conditions.
struct Servers {
  enum Condition: String {
    case well
    /// Answers at once that it can't accept anything now.
    case busy
    /// Accepts nothing more today.
    case full
    /// Accepts a message or not, but never answers.
    case mute
    /// Accepts every message, but never says so.
    case lying
    /// Keeps clients waiting, then cuts the connection.
    case hanging
    /// Keeps clients waiting for minutes, then accepts the message.
    case slow
    /// Doesn't know the recipient.
    case refusing
    /// Refuses us by a policy.
    case closed

    /// How long after it is well again a message may still wait because of it (CHN-2).
    var recovery: Duration {
      switch self {
      case .well, .busy, .hanging: .zero
      // The longest pause, 15 min plus 20 %, beyond what every message may take.
      case .full: .seconds(300)
      case .slow: .seconds(Self.longestWait)
      case .mute, .lying: .seconds(1_800)
      case .refusing, .closed: .seconds(3_600)
      }
    }

    /// How many seconds a slow server takes.
    static let longestWait = 400
  }

  /// The state of the account at the mail server.
  enum Login: String {
    case well
    /// The password is refused.
    case refused
    /// The server offers no login.
    case missing
  }

  private var conditions: [String: (condition: Condition, wellFrom: Moment)] = [:]
  private(set) var login = Login.well
  private var loginWorksFrom = Moment.zero
  /// The number of the password in the settings.
  private(set) var password = 1

  func condition(of address: String) -> Condition { conditions[address]?.condition ?? .well }

  /// Returns since when messages to an address can go, or `nil` if they can't.
  func well(_ address: String) -> Moment? {
    guard login == .well else { return nil }
    guard let (condition, wellFrom) = conditions[address] else { return loginWorksFrom }
    return condition == .well ? max(wellFrom, loginWorksFrom) : nil
  }

  /// When messages to every address can go, if nothing else happens.
  var allWellFrom: Moment { conditions.values.map(\.wellFrom).reduce(loginWorksFrom, max) }

  mutating func change(_ address: String, to condition: Condition, at now: Moment) {
    let before = conditions[address]?.condition ?? .well
    let wellFrom = max(conditions[address]?.wellFrom ?? .zero, now + before.recovery)
    conditions[address] = (condition, wellFrom)
  }

  mutating func change(to new: Login, at now: Moment) {
    if login == .refused, new == .well {
      // The next probe may be an hour away.
      loginWorksFrom = max(loginWorksFrom, now + .seconds(3_600))
    } else if login != .well, new == .well {
      loginWorksFrom = max(loginWorksFrom, now)
    }
    login = new
  }

  /// The person corrects the password.
  mutating func changePassword(at now: Moment) {
    login = .well
    password += 1
    loginWorksFrom = now
  }

  mutating func healAll(at now: Moment) {
    for (address, entry) in conditions where entry.condition != .well {
      change(address, to: .well, at: now)
    }
    if login != .well { changePassword(at: now) }
  }
}
