public import FoundationEssentials

/// What signs a person in.
public struct Credentials: Equatable, Codable, Sendable {
  /// Compared without regard to case.
  public var email: String
  public var password: Secret<String>

  public init(email: String, password: Secret<String>) {
    self.email = email
    self.password = password
  }
}

/// The rules of passwords and passphrases.
public enum SecretRules {
  /// 8–256 characters, taken as they are typed.
  public static func password(_ text: String) throws(ValidationError) -> String {
    let count = text.utf8.count > 4_096 ? text.utf8.count : text.count
    guard (8...256).contains(count) else { throw .passwordLength(count) }
    return text
  }

  /// 4–256 characters, taken as they are typed.
  public static func passphrase(_ text: String) throws(ValidationError) -> String {
    let count = text.utf8.count > 4_096 ? text.utf8.count : text.count
    guard (4...256).contains(count) else { throw .passphraseLength(count) }
    return text
  }
}

/// The passphrases that guard what could be done under duress (CHK-3).
public struct Gate: Equatable, Codable, Sendable {
  public var passphrase: Secret<String>
  /// Does on screen what the other one does, and raises a silent alert; `nil` for none.
  public var duress: Secret<String>?

  public init(passphrase: Secret<String>, duress: Secret<String>? = nil) {
    self.passphrase = passphrase
    self.duress = duress
  }

  /// The gate after its rules: the two differ in more than letter case and white space.
  public func checked() throws(ValidationError) -> Gate {
    _ = try SecretRules.passphrase(passphrase.value)
    guard let duress else { return self }
    _ = try SecretRules.passphrase(duress.value)
    func plain(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
    guard plain(passphrase.value) != plain(duress.value) else { throw .passphrasesAlike }
    return self
  }
}

/// What a passphrase opened.
public enum GatePass: Equatable, Sendable {
  case open
  /// The same as far as anybody can see; responders are notified silently.
  case duress
}

/// Whether somebody is signed in (AUTH-2).
public enum AuthState: Equatable, Codable, Sendable {
  /// Nobody has an account here yet: the onboarding comes first.
  case newcomer
  /// There are accounts, and a password opens one.
  case signedOut
  case signedIn(User.ID)
}

/// Somebody signed in on a device (AUTH-2).
public struct Session: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// The machine's name and the terminal's.
  public var device: String
  public var createdAt: Date
  public var lastUsedAt: Date
  /// Whether it is this program's own.
  public var isCurrent: Bool

  public init(id: UUID, device: String, createdAt: Date, lastUsedAt: Date, isCurrent: Bool) {
    self.id = id
    self.device = device
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.isCurrent = isCurrent
  }

  /// A session that is not used for this long ends.
  public static let lifetime = TimeSpan.days(30)
}

/// How wrong passwords and passphrases lock (AUTH-3).
public enum LockOut {
  /// Wrong tries in a row that are still free.
  public static let freeTries = 5
  public static let shortest = TimeSpan.minutes(1)
  public static let longest = TimeSpan.hours(1)

  /// How long the next try has to wait after this many wrong ones in a row: a minute after the
  /// fifth, doubling with each further one to an hour; zero before.
  public static func pause(afterWrongTries count: Int) -> TimeSpan {
    guard count >= freeTries else { return .zero }
    let doublings = min(count - freeTries, 6)
    return min(longest, .seconds(shortest.seconds << doublings))
  }

  /// The longest lock of a gate from an hour before a deadline on.
  public static let longestBeforeDeadline = TimeSpan.minutes(5)

  /// Until when a gate is locked: within the last hour before a deadline, and after it, for five
  /// minutes at most, so that nobody can keep the person from checking in (DUR-2).
  public static func gateEnd(
    afterWrongTries count: Int, lastAt last: Date, deadline: Date
  ) -> Date {
    let end = last + pause(afterWrongTries: count)
    return min(end, max(last, deadline - .hours(1)) + longestBeforeDeadline)
  }
}

/// How an e-mail address changes (AUTH-5).
public enum AddressRules {
  /// How long the code for a new address counts.
  public static let codeLifetime = TimeSpan.hours(24)
  /// How long the code that brings the old address back, or takes back what waits, counts.
  public static let takeBackPeriod = TimeSpan.days(7)
  public static let takenBackNotice =
    "Your e-mail address is again what it was, and all sessions have ended. Reset your password now."
}

/// What a reset of the password holds up (AUTH-5).
public enum ResetRules {
  /// How long after it whatever postpones or weakens help needs the gate; without one it waits.
  public static let caution = TimeSpan.hours(72)
  /// How long it waits from when it was first asked for, and can be taken back.
  public static let wait = TimeSpan.hours(24)

  public static let notice =
    "Your password was reset by a code, and all sessions have ended. If it was not you, reset it now."

  /// From when an operation that was first asked for at an instant is possible without a gate; nothing
  /// waits longer than the caution lasts.
  public static func end(ofRequestAt asked: Date, afterResetAt reset: Date) -> Date {
    min(asked + wait, reset + caution)
  }

  /// What the person is notified of when something waits.
  public static func notice(of operation: GatedOperation, from now: Date, to end: Date) -> String {
    let wait = TimeSpan.seconds(Int(bounded: end.timeIntervalSince(now)))
    return "Someone who is signed in wants to \(operation.displayText). It is possible in"
      + " \(wait.inWords)."
  }

  /// What stands behind it where only the person reads it.
  public static func takeBack(_ code: String) -> String {
    " If it was not you, choose \u{201C}This wasn't me\u{201D} where lifesignal asks for your password, or run"
      + " lifesignal confirm --not-me, and type \(code)."
  }

  public static let takenBackNotice =
    "What was asked for has been taken back, and all sessions have ended. Reset your password now."
}
