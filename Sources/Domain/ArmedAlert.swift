public import FoundationEssentials

/// An alert that was begun: it is raised at its instant by any monitor, unless the person
/// stops it (ALT-7).
public struct ArmedAlert: Identifiable, Equatable, Codable, Sendable {
  /// The identity that the raised alert has, no matter who raises it.
  public let id: Alert.ID
  public var message: String
  /// When the person asked for it.
  public var armedAt: Date
  public var firesAt: Date

  /// - Parameter firesAt: Never later than ``longestDelay`` after `armedAt`.
  public init(id: Alert.ID, message: String = "", armedAt: Date, firesAt: Date) {
    self.id = id
    self.message = message
    self.armedAt = armedAt
    self.firesAt = min(firesAt, armedAt + Self.longestDelay)
  }

  /// How long after the last key of its message it is raised.
  public static let writingDelay = TimeSpan.seconds(20)
  /// How long after it was armed it is raised at the latest.
  public static let longestDelay = TimeSpan.seconds(60)

  /// Whether it is to be raised now. One that was armed in the future was armed by a clock that has
  /// been set back since (ESC-5): help that comes too early does less harm.
  public func isDue(at now: Date) -> Bool {
    now >= firesAt || armedAt > now + WatchStatus.longestGap
  }

  /// This one and another one of the same person: there is one alert, with both texts, as soon as either
  /// is due.
  public func joined(with other: Self) -> Self {
    guard id != other.id else { return other }
    return Self(
      id: id, message: raised(at: armedAt).message(adding: other.message) ?? message,
      armedAt: armedAt, firesAt: min(firesAt, other.firesAt))
  }

  /// All that is said to the person of one that was stopped.
  public static let stoppedText = "Stopped. Nobody was notified."

  /// The alert that it becomes.
  public func raised(at now: Date) -> Alert {
    Alert(id: id, kind: .manual, message: message, raisedAt: now)
  }
}

/// How an alert that was begun stands (ALT-7).
public enum Arming: Equatable, Codable, Sendable {
  case armed(ArmedAlert)
  case raised(Alert)
  /// The person stopped it, here or in another program.
  case stopped
}

/// The result of an armed alert, or of a gate that was passed under duress, while the store could not be
/// written, as a file has it (ALT-7).
///
/// The account is `nil` where the store could not even be read: then it is that of the person the store
/// is for.
public enum SpooledAlert: Equatable, Codable, Sendable {
  case armed(ArmedAlert, account: User.ID?)
  /// The person stopped it, which counts where it was not due yet.
  case stopped(Alert.ID, at: Date, account: User.ID?)
  /// The person passed the gate under duress (CHK-3).
  case silent(Alert.ID, at: Date, account: User.ID?)

  public var id: Alert.ID {
    switch self {
    case .armed(let armed, _): armed.id
    case .stopped(let id, _, _), .silent(let id, _, _): id
    }
  }

  public var account: User.ID? {
    get {
      switch self {
      case .armed(_, let account), .stopped(_, _, let account), .silent(_, _, let account): account
      }
    }
    set {
      switch self {
      case .armed(let armed, _): self = .armed(armed, account: newValue)
      case .stopped(let id, let date, _): self = .stopped(id, at: date, account: newValue)
      case .silent(let id, let date, _): self = .silent(id, at: date, account: newValue)
      }
    }
  }

  /// When it was written, or what it is about was begun.
  public var date: Date {
    switch self {
    case .armed(let armed, _): armed.armedAt
    case .stopped(_, let date, _), .silent(_, let date, _): date
    }
  }

  public var armed: ArmedAlert? {
    if case .armed(let armed, _) = self { armed } else { nil }
  }

  /// The alert of somebody under duress.
  public var silent: Alert? {
    guard case .silent(let id, let date, _) = self else { return nil }
    return Alert(id: id, kind: .duress, raisedAt: date)
  }

  /// When it is raised; `nil` for one that was stopped.
  public var firesAt: Date? { armed?.firesAt ?? silent?.raisedAt }
}

extension Alert {
  /// The message with a text that was typed after it was sent; `nil` where it says nothing new, or the alert
  /// is over.
  public func message(adding text: String) -> String? {
    guard isActive, !text.isEmpty, message != text, !message.hasSuffix("\n" + text) else {
      return nil
    }
    return message.isEmpty ? text : ProfileRules.shortenedAlertMessage(message + "\n" + text)
  }
}
