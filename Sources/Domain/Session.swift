public import FoundationEssentials

/// The e-mail address and password that sign a person in.
public struct Credentials: Equatable, Codable, Sendable {
  /// The address, compared without regard to case.
  public var email: String
  public var password: Secret<String>

  public init(email: String, password: Secret<String>) {
    self.email = email
    self.password = password
  }
}

/// The rules of passwords and passphrases.
public enum SecretRules {
  /// Returns a password of 8–256 characters as it was typed.
  public static func password(_ text: String) throws(ValidationError) -> String {
    let count = text.utf8.count > 4_096 ? text.utf8.count : text.count
    guard (8...256).contains(count) else { throw .passwordLength(count) }
    return text
  }

  /// Returns a passphrase of 4–256 characters as it was typed.
  public static func passphrase(_ text: String) throws(ValidationError) -> String {
    let count = text.utf8.count > 4_096 ? text.utf8.count : text.count
    guard (4...256).contains(count) else { throw .passphraseLength(count) }
    return text
  }
}

/// The passphrases that guard what a person could be forced to do (CHK-3).
public struct Gate: Equatable, Codable, Sendable {
  public var passphrase: Secret<String>
  /// A passphrase that does the same on screen, but raises a silent alert; `nil` for none.
  public var duress: Secret<String>?

  public init(passphrase: Secret<String>, duress: Secret<String>? = nil) {
    self.passphrase = passphrase
    self.duress = duress
  }

  /// Returns the gate if it follows the rules: the two passphrases differ in more than letter case
  /// and white space.
  public func checked() throws(ValidationError) -> Gate {
    _ = try SecretRules.passphrase(passphrase.value)
    guard let duress else { return self }
    _ = try SecretRules.passphrase(duress.value)
    func plain(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
    guard plain(passphrase.value) != plain(duress.value) else { throw .passphrasesAlike }
    return self
  }
}

/// The way the gate was opened.
public enum GatePass: Equatable, Sendable {
  case open
  /// Looks the same to everyone; the responders are notified silently.
  case duress
}

/// Whether a person is signed in (AUTH-2).
public enum AuthState: Equatable, Codable, Sendable {
  /// There is no account yet: the onboarding comes first.
  case newcomer
  /// There are accounts, and none is signed in.
  case signedOut
  case signedIn(User.ID)
}

/// A sign-in on a device (AUTH-2).
public struct Session: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// The names of the machine and the terminal.
  public var device: String
  public var createdAt: Date
  public var lastUsedAt: Date
  /// Whether it is this program's own session.
  public var isCurrent: Bool

  public init(id: UUID, device: String, createdAt: Date, lastUsedAt: Date, isCurrent: Bool) {
    self.id = id
    self.device = device
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.isCurrent = isCurrent
  }

  /// How long a session lasts without being used.
  public static let lifetime = TimeSpan.days(30)
}

/// The rules by which wrong passwords and passphrases lock an account (AUTH-3).
public enum LockOut {
  /// The number of wrong tries in a row after which the next one must wait.
  public static let freeTries = 5
  public static let shortest = TimeSpan.minutes(1)
  public static let longest = TimeSpan.hours(1)

  /// The same for all networks together, where one account's guesses are also counted by their
  /// network (AUTH-3).
  public static let budget = 100
  /// The same for the codes of a forgotten password, which have 40 random bits.
  public static let codeBudget = 1_000

  /// Returns how long the next try must wait after this many wrong ones in a row: a minute after
  /// the last free one, doubling with each further one up to an hour; zero before.
  /// - Parameter free: After how many it must wait a minute.
  public static func pause(afterWrongTries count: Int, free: Int = freeTries) -> TimeSpan {
    guard count >= free else { return .zero }
    let doublings = min(count - free, 6)
    return min(longest, .seconds(shortest.seconds << doublings))
  }

  /// The number of wrong passphrases in a row from an account's sessions of the last day together
  /// after which the next one must wait.
  public static let newSessionsTries = 20

  /// The longest lock of a gate in the last hour before a deadline, and after it.
  public static let longestBeforeDeadline = TimeSpan.minutes(5)

  /// Returns until when a gate is locked. In the last hour before a deadline and after it, that is
  /// for five minutes at most, so that nobody can keep the person from checking in (DUR-2).
  public static func gateEnd(
    afterWrongTries count: Int, free: Int = freeTries, lastAt last: Date, deadline: Date
  ) -> Date {
    guard count >= free else { return last }
    let end = last + pause(afterWrongTries: count, free: free)
    return min(end, max(last, deadline - .hours(1)) + longestBeforeDeadline)
  }
}

/// The rules for changing an e-mail address (AUTH-5).
public enum AddressRules {
  /// How long the code for a new address is valid.
  public static let codeLifetime = TimeSpan.hours(24)
  /// How long the code that restores the old address or cancels a waiting operation is valid.
  public static let undoPeriod = TimeSpan.days(7)
  public static let undoneNotice =
    "Your e-mail address was changed back, and all sessions have ended. Reset your password now."
}

/// What people are notified of when their server was restored from a backup.
public enum RestoreNotice {
  /// What follows if an outing is on again (OUT-4).
  public static func outing(until end: Date) -> String {
    " An outing until \(CivilCalendar.utc.describeForOthers(end)) is on: if you are back from it, say so."
  }

  /// - Parameters:
  ///   - date: When the backup was made.
  ///   - endsSessions: Whether every device was signed out.
  public static func text(_ date: Date, endsSessions: Bool) -> String {
    "Your server went back to its state of \(CivilCalendar.utc.describeForOthers(date)). "
      + (endsSessions
        ? "Sign in again on each device, and check in. Then look at these: if an alert was on,"
          + " raise it again; if you have since ended a pause, or changed a password, a passphrase"
          + " or a responder, do it again."
        : "Check in now. If an alert was on, raise it again. If you have since ended a pause or a"
          + " session, or changed a password, a passphrase or a responder, do it again.")
  }
}

/// The rules for operations that have to wait after a password reset (AUTH-5).
public enum ResetRules {
  /// How many codes to set a new password can be valid at a time. A person who asks for more has
  /// these in their mail.
  public static let mostCodes = 5
  /// How long after a reset operations that postpone or weaken help need the gate; without a gate
  /// they have to wait.
  public static let caution = TimeSpan.hours(72)
  /// How long an operation waits after it was first asked for, and can be cancelled.
  public static let wait = TimeSpan.hours(24)

  public static let notice =
    "Your password was reset by a code, and all sessions have ended. If it wasn't you, reset it now."

  /// Returns when an operation that was first asked for at an instant becomes possible without a
  /// gate; it never waits longer than ``caution`` lasts.
  public static func end(ofRequestAt asked: Date, afterResetAt reset: Date) -> Date {
    min(asked + wait, reset + caution)
  }

  /// Returns the text that notifies the person of a waiting operation.
  public static func notice(of operation: GatedOperation, from now: Date, to end: Date) -> String {
    let wait = TimeSpan.seconds(Int(bounded: end.timeIntervalSince(now)))
    return "Someone who is signed in wants to \(operation.displayText). They can do so in"
      + " \(wait.inWords)."
  }

  /// Returns the text that follows ``notice`` where only the person reads it.
  public static func undoAdvice(_ code: String) -> String {
    " If it wasn't you, choose \u{201C}This wasn't me\u{201D} where lifesignal asks for your password, or run"
      + " lifesignal confirm --not-me, and type \(code)."
  }

  public static let undoneNotice =
    "The waiting request has been cancelled, and all sessions have ended. Reset your password now."
}
