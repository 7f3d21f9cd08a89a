public import FoundationEssentials

/// An operation that postpones or weakens help, and so asks for the passphrase of the gate (CHK-3).
///
/// The stores, the screens, the commands and the contract tests all use this one table.
public enum GatedOperation: String, CaseIterable, Codable, Sendable {
  case checkIn, pause, resume, answerPings, cancelAlert
  /// Sets an interval by which help may come later than before; another one needs no passphrase.
  case lengthenInterval
  /// Chooses set times by which help may come later than before (SCH-4).
  case laterSchedule
  /// Starts an outing until whose end the deadline waits (OUT-3).
  case letDeadlineWait
  /// Moves the end of an outing to a later time (OUT-3).
  case extendOuting
  /// Sets a longer grace or repeat time, or removes a reminder.
  case weakenEscalation
  /// Removes a contact.
  case removeContact
  /// Takes a role or a channel from a contact, or replaces a channel's token.
  case weakenContact
  /// Has a responder wait longer before they are notified (ESC-8).
  case delayResponder
  /// Takes a role from a linked contact.
  case removeRole
  case removeChannel
  case muteChannel
  /// Shows the secret of a channel.
  case showSecret
  /// Replaces the secret of a channel; a wrong one would block it.
  case replaceSecret
  /// Sets, changes or removes something that watches over the monitor.
  case changeStandby
  /// Allows check-ins by link; forbidding them needs no passphrase.
  case allowLinks
  /// Has commands typed in a shell check in (CHK-10); ending that needs no passphrase.
  case allowSigns
  /// Replaces or removes an e-mail address.
  case changeAddress
  case changePassword, changeGate, endSilentAlert, deleteAccount, importAccount
  /// Moves the account to a server, after which it takes no check-ins here.
  case moveAccount
  /// Acts on the machine rather than on one account: the gate of the signed-in account applies.
  case stopMonitor, restoreStore
  /// Changes a secret that a monitor uses, such as the password of the mail account.
  case changeSecret

  /// Whether it is a sign of life, which a password reset never delays (AUTH-5).
  public var isSignOfLife: Bool {
    switch self {
    case .checkIn, .answerPings, .resume: true
    default: false
    }
  }

  /// The text after "Your passphrase is needed to".
  public var displayText: String {
    switch self {
    case .checkIn: "check in"
    case .pause: "pause"
    case .resume: "end the pause, which is a check-in"
    case .answerPings: "answer, which is a check-in"
    case .cancelAlert: "cancel the alert; it is still on"
    case .lengthenInterval: "check in less often"
    case .laterSchedule: "check in later"
    case .letDeadlineWait: "let your check-in wait"
    case .extendOuting: "be back later"
    case .weakenEscalation: "send reminders or alerts later or less often"
    case .removeContact: "remove this contact"
    case .weakenContact: "take a role or a channel from this contact"
    case .delayResponder: "have this contact notified later"
    case .removeRole: "take a role from this contact"
    case .removeChannel: "remove this channel"
    case .muteChannel: "mute this channel"
    case .showSecret: "show the secret"
    case .replaceSecret: "replace the secret of this channel"
    case .changeStandby: "change who watches if this computer is off"
    case .allowLinks: "allow checking in by a link"
    case .allowSigns: "have what you type in a shell check in"
    case .changeAddress: "change your e-mail address"
    case .changePassword: "change your password"
    case .changeGate: "change the passphrase gate"
    case .endSilentAlert: "end a silent alert"
    case .deleteAccount: "delete your account"
    case .importAccount: "import into this account"
    case .moveAccount: "move your account to a server"
    case .stopMonitor: "remove the monitor"
    case .restoreStore: "restore a backup"
    case .changeSecret: "change a secret of this computer"
    }
  }
}

/// The notices to responders that something was weakened; each follows the person's name.
public enum ResponderNotice {
  public static func promise(_ new: Promise, insteadOf old: Promise) -> String {
    "now checks in \(new.inWords(unlike: old)) instead of \(old.inWords(unlike: new))"
  }

  public static func out(_ until: Date) -> String { "is out until \(instant(until))" }
  public static func longer(_ until: Date) -> String {
    "is out for longer, until \(instant(until))"
  }
  public static let back = "is back"
  public static let checkedIn = "checked in"
  /// The notice that a deadline waits for an outing (OUT-3).
  public static func heldDeadline(_ date: Date, until: Date) -> String {
    "lets the check-in that is due on \(instant(date)) wait until \(instant(until)), because of an outing"
  }

  private static func instant(_ date: Date) -> String {
    CivilCalendar.local.describeForOthers(date)
  }

  /// The notice that a responder is notified later than before, to that responder.
  public static func wait(_ span: TimeSpan) -> String {
    "has you notified of a missed check-in only after \(span.inWords), if nobody is responding by then"
  }

  /// How long after a channel was added its address can be corrected without a notice.
  public static let correctionTime = TimeSpan.hours(1)

  /// - Parameters:
  ///   - contact: The name of the contact who had the channel, or `nil` for the person's own.
  ///   - isReplaced: Whether another channel takes its place.
  public static func removedChannel(
    _ kind: Channel.Kind, of contact: String?, isReplaced: Bool = false
  ) -> String {
    let verb = isReplaced ? "replaced" : "removed"
    return contact.map { "\(verb) a channel of \($0) (\(kind.title))" }
      ?? "removed one of their own channels (\(kind.title))"
  }

  /// The notice that a check-in arrived so late that its deadline has passed (CHK-1).
  public static let lateSign = "had checked in, but that arrived too late. Call to be sure"
  /// The notice that a link was pressed after responders were notified, which ends nothing (CHK-8).
  public static let linkPressed = "pressed I'm OK in a message. Call to be sure"

  /// The notice that the administrator of the server has disabled the account.
  public static let disabled =
    "can't check in at the moment: the server's administrator has disabled the account"
  /// The notice that the gate has locked (DUR-2).
  public static let locked =
    "can't enter their passphrase for a while: too many wrong ones were typed"
}

// MARK: Weakening changes

extension User {
  /// Whether these times bring help later, or remind the person less.
  public func isWeakened(
    byReminders reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan
  ) -> Bool {
    grace > self.grace || repeatInterval > self.repeatInterval
      || !Set(reminders).isSuperset(of: self.reminders)
  }
}

extension Contact {
  /// Whether a change takes a role or a channel from the contact, or replaces a channel's token.
  public func isWeakened(by draft: ContactDraft) -> Bool {
    !draft.roles.isSuperset(of: roles)
      || channels.contains { channel in
        guard let kept = draft.channels.first(where: { $0.isFor(channel) }) else { return true }
        return kept.token != nil
      }
  }
}

extension [Contact] {
  /// Returns the contacts with the channels of others of the same identity added, each address once
  /// for each contact.
  public func adding(_ others: [Contact]) -> [Contact] {
    others.reduce(into: self) { contacts, other in
      guard let index = contacts.firstIndex(where: { $0.id == other.id }) else {
        return contacts.append(other)
      }
      contacts[index].channels += other.channels.filter { channel in
        !contacts[index].channels.contains { $0.hasSameAddress(as: channel) }
      }
    }
  }
}
