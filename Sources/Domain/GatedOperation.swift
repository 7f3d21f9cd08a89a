/// What postpones or weakens help, and so asks for the passphrase of the gate (CHK-3).
///
/// This is the one table: the stores, the screens, the commands and the contract tests go by it.
public enum GatedOperation: String, CaseIterable, Codable, Sendable {
  case checkIn, pause, resume, answerPings, cancelAlert
  /// A longer interval; a shorter one asks for nothing.
  case lengthenInterval
  /// A longer grace or repeat time, or a reminder less.
  case weakenEscalation
  /// A contact goes.
  case removeContact
  /// A contact loses a role or a channel, or a channel of theirs gets another token.
  case weakenContact
  /// A linked contact loses a role.
  case removeRole
  case removeChannel
  case muteChannel
  /// The secret of a channel is shown.
  case showSecret
  /// What opens a channel is replaced: a wrong one closes it.
  case replaceSecret
  /// Something that watches over the monitor is set, changed or taken away.
  case changeStandby
  /// Checking in by a link is allowed; forbidding it asks for nothing.
  case allowLinks
  /// An e-mail address is replaced or taken away.
  case changeAddress
  case changePassword, changeGate, endSilentAlert, deleteAccount, importAccount
  /// The account moves to a server, and takes no check-ins here any more.
  case moveAccount
  /// Of the machine rather than of one account: the gate of the signed-in account is asked for.
  case stopMonitor, restoreStore
  /// A secret that a monitor uses, such as the password of the mail account.
  case changeSecret

  /// Whether it is a sign of life, which a reset of the password never delays (AUTH-5).
  public var isSignOfLife: Bool {
    switch self {
    case .checkIn, .answerPings, .resume: true
    default: false
    }
  }

  /// What follows "Your passphrase is needed to".
  public var displayText: String {
    switch self {
    case .checkIn: "check in"
    case .pause: "pause"
    case .resume: "end the pause, which is a check-in"
    case .answerPings: "answer, which is a check-in"
    case .cancelAlert: "cancel the alert; it is still on"
    case .lengthenInterval: "check in less often"
    case .weakenEscalation: "send reminders or alerts later or less often"
    case .removeContact: "remove this contact"
    case .weakenContact: "take a role or a channel from this contact"
    case .removeRole: "take a role from this contact"
    case .removeChannel: "remove this channel"
    case .muteChannel: "mute this channel"
    case .showSecret: "show the secret"
    case .replaceSecret: "replace the secret of this channel"
    case .changeStandby: "change who watches if this computer is off"
    case .allowLinks: "allow checking in by a link"
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

/// What responders are notified of when something was weakened; it follows the person's name.
public enum ResponderNotice {
  public static func interval(_ new: CheckInInterval, insteadOf old: CheckInInterval) -> String {
    "now checks in every \(new.inWords) instead of every \(old.inWords)"
  }

  /// How long after a channel was added its address is corrected without a notice.
  public static let correctionTime = TimeSpan.hours(1)

  /// - Parameters:
  ///   - contact: Whose channel it was; `nil` for the person's own.
  ///   - isReplaced: Whether another one is there in its place.
  public static func removedChannel(
    _ kind: Channel.Kind, of contact: String?, isReplaced: Bool = false
  ) -> String {
    let verb = isReplaced ? "replaced" : "removed"
    return contact.map { "\(verb) a channel of \($0) (\(kind.title))" }
      ?? "removed one of their own channels (\(kind.title))"
  }

  /// What a link ends after responders were notified: nothing (CHK-8).
  public static let linkPressed = "pressed I'm OK in a message. Call to be sure"

  /// When the gate locks (DUR-2).
  public static let locked =
    "can't enter their passphrase for a while: too many wrong ones were typed"
}

// MARK: What weakens

extension User {
  /// Whether reminders, grace and repeats bring help later, or warn the person less.
  public func isWeakened(
    byReminders reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan
  ) -> Bool {
    grace > self.grace || repeatInterval > self.repeatInterval
      || !Set(reminders).isSuperset(of: self.reminders)
  }
}

extension Contact {
  /// Whether a change takes a role or a channel from the contact, or replaces what opens a channel.
  public func isWeakened(by draft: ContactDraft) -> Bool {
    !draft.roles.isSuperset(of: roles)
      || channels.contains { channel in
        guard let kept = draft.channels.first(where: { $0.isFor(channel) }) else { return true }
        return kept.token != nil
      }
  }
}

extension [Contact] {
  /// With further channels of contacts who may be among these, each place once for each contact.
  public func adding(_ others: [Contact]) -> [Contact] {
    others.reduce(into: self) { contacts, other in
      guard let index = contacts.firstIndex(where: { $0.id == other.id }) else {
        return contacts.append(other)
      }
      contacts[index].channels += other.channels.filter { channel in
        !contacts[index].channels.contains { $0.leadsToSamePlace(as: channel) }
      }
    }
  }
}
