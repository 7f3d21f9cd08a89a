public import FoundationEssentials

/// An alert that was begun: it is raised at its instant by whoever is there then, unless the person
/// stops it (ALT-7).
public struct ArmedAlert: Identifiable, Equatable, Codable, Sendable {
  /// The identity that the raised alert has, whoever raises it.
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

  /// What the person is told of one that was stopped, and all that is.
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

/// An armed alert that waits in a file because the store could not be written.
public struct SpooledAlert: Equatable, Codable, Sendable {
  public var account: User.ID
  public var armed: ArmedAlert

  public init(account: User.ID, armed: ArmedAlert) {
    self.account = account
    self.armed = armed
  }
}

extension Alert {
  /// The message with a text that was typed after it was sent; `nil` where that is no news, or the alert
  /// is over.
  public func message(adding text: String) -> String? {
    guard isActive, !text.isEmpty, message != text, !message.hasSuffix("\n" + text) else {
      return nil
    }
    return message.isEmpty ? text : ProfileRules.shortenedAlertMessage(message + "\n" + text)
  }
}
