public import FoundationEssentials

/// An alert that has been started and not raised yet: any monitor raises it when it is due, unless
/// the person stops it (ALT-7).
public struct ArmedAlert: Identifiable, Equatable, Codable, Sendable {
  /// The identity of the raised alert, whichever process raises it.
  public let id: Alert.ID
  public var message: String
  /// When the person asked for it.
  public var armedAt: Date
  public var firesAt: Date

  /// - Parameter firesAt: When to raise it; limited to ``longestDelay`` after `armedAt`.
  public init(id: Alert.ID, message: String = "", armedAt: Date, firesAt: Date) {
    self.id = id
    self.message = message
    self.armedAt = armedAt
    self.firesAt = min(firesAt, armedAt + Self.longestDelay)
  }

  /// How long after the last keystroke in its message it is raised.
  public static let writingDelay = TimeSpan.seconds(20)
  /// The longest time from arming it to raising it.
  public static let longestDelay = TimeSpan.seconds(60)

  /// Returns whether it must be raised now. An `armedAt` well in the future means that the clock
  /// has been set back since (ESC-5); it is due then, because help that comes too early does less
  /// harm.
  public func isDue(at now: Date) -> Bool {
    now >= firesAt || armedAt > now + WatchStatus.longestGap
  }

  /// Returns this alert with another message and a later time, unless that is too late: what is due
  /// may have been sent.
  public func changed(to new: Self) -> Self {
    let isTooLate = isDue(at: new.armedAt)
    return Self(
      id: id, message: new.message, armedAt: armedAt,
      firesAt: isTooLate ? min(firesAt, new.firesAt) : new.firesAt)
  }

  /// Returns this alert merged with another one of the same person: one alert with both texts, due
  /// as soon as either is.
  public func joined(with other: Self) -> Self {
    guard id != other.id else { return other }
    return Self(
      id: id, message: raised(at: armedAt).message(adding: other.message) ?? message,
      armedAt: armedAt, firesAt: min(firesAt, other.firesAt))
  }

  /// The only text the person sees about an alert that was stopped.
  public static let stoppedText = "Stopped. Nobody was notified."

  /// What they see if a server may have received it and doesn't answer.
  public static let maybeSentText =
    "It may have been sent. It is stopped as soon as the server answers; call your responders."

  /// The alert that it becomes. One that waited for a monitor was raised at its instant, not now; after a day it
  /// counts from now, so that its call is repeated as long as any other (ESC-2).
  public func raised(at now: Date) -> Alert {
    let isDated = (now - .days(1)...now).contains(firesAt)
    return Alert(
      id: id, kind: .manual, message: message, raisedAt: isDated ? firesAt : now)
  }
}

/// The result of arming an alert (ALT-7).
public enum Arming: Equatable, Codable, Sendable {
  case armed(ArmedAlert)
  case raised(Alert)
  /// The person stopped it, here or in another process.
  case stopped
}

/// An armed alert, the stop of one, or a gate that was passed under duress, written to a file while
/// the store could not be written (ALT-7).
///
/// The account is `nil` if the store could not even be read; it is then the account of the person
/// the store is for.
public enum SpooledAlert: Equatable, Codable, Sendable {
  case armed(ArmedAlert, account: User.ID?)
  /// The person stopped it. This counts only if it was not due yet; `dueAt` is when it was due, as
  /// the program that stopped it knew.
  case stopped(Alert.ID, at: Date, dueAt: Date? = nil, account: User.ID?)
  /// The person passed the gate under duress (CHK-3).
  case silent(Alert.ID, at: Date, account: User.ID?)

  public var id: Alert.ID {
    switch self {
    case .armed(let armed, _): armed.id
    case .stopped(let id, _, _, _), .silent(let id, _, _): id
    }
  }

  public var account: User.ID? {
    get {
      switch self {
      case .armed(_, let account), .stopped(_, _, _, let account), .silent(_, _, let account):
        account
      }
    }
    set {
      switch self {
      case .armed(let armed, _): self = .armed(armed, account: newValue)
      case .stopped(let id, let date, let dueAt, _):
        self = .stopped(id, at: date, dueAt: dueAt, account: newValue)
      case .silent(let id, let date, _): self = .silent(id, at: date, account: newValue)
      }
    }
  }

  /// When the alert was armed or stopped, or the gate passed.
  public var date: Date {
    switch self {
    case .armed(let armed, _): armed.armedAt
    case .stopped(_, let date, _, _), .silent(_, let date, _): date
    }
  }

  public var armed: ArmedAlert? {
    if case .armed(let armed, _) = self { armed } else { nil }
  }

  /// Whether this is a stop of the armed alert before it was due. It may have been postponed since
  /// `armed` was read.
  public func stops(_ armed: ArmedAlert) -> Bool {
    guard case .stopped(armed.id, let date, let dueAt, _) = self else { return false }
    var armed = armed
    armed.firesAt = max(armed.firesAt, dueAt ?? armed.firesAt)
    return !armed.isDue(at: date)
  }

  /// The silent alert, if the gate was passed under duress.
  public var silent: Alert? {
    guard case .silent(let id, let date, _) = self else { return nil }
    return Alert(id: id, kind: .duress, raisedAt: date)
  }

  /// When it is raised, or `nil` for one that was stopped.
  public var firesAt: Date? { armed?.firesAt ?? silent?.raisedAt }
}

extension Alert {
  /// Returns the message with a text that was typed later, or `nil` if the text adds nothing or the
  /// alert is over.
  public func message(adding text: String) -> String? {
    guard isActive, !text.isEmpty, message != text, !message.hasSuffix("\n" + text) else {
      return nil
    }
    return message.isEmpty ? text : ProfileRules.shortenedAlertMessage(message + "\n" + text)
  }
}
