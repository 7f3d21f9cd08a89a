/// A kind of message to the person themselves that they can switch off on a channel (CHN-3).
///
/// There is no topic for a call for help or what belongs to one – who is responding, that the
/// person's own deadline passed –, nor for the safety of the account, so that nobody can switch off
/// what must be sent. Not an ntfy topic, which is an address.
public enum Topic: String, Hashable, Codable, CaseIterable, Sendable {
  /// The deadline is near (REM-1).
  case reminders
  /// A pause is about to end (CHK-7).
  case pauses
}

extension Topic {
  /// What it means that the topic is off on every channel: nothing is sent, but the history still
  /// has it (NOT-1).
  public var mutedEverywhereText: String {
    switch self {
    case .reminders: "Reminders aren't sent to any channel; only the app shows them."
    case .pauses: "The end of a pause isn't sent to any channel; only the app shows it."
    }
  }
}

extension Stage {
  /// The topic by which the message can be switched off; `nil` for a message that is always sent,
  /// and for one to others.
  public var topic: Topic? {
    switch self {
    case .reminder: .reminders
    case .outingEnds(let lead, _): lead > .zero ? .reminders : nil
    case .pauseEnds: .pauses
    // The last message before others are notified.
    case .deadlinePassed, .noticedLate, .outingNoticedLate: nil
    // The person has just asked for these and is waiting.
    case .passwordReset, .channelTest, .addressCode: nil
    // It asks for a check-in.
    case .serverRestored: nil
    // A warning of a stranger in the account can't be switched off.
    case .passwordWasReset, .addressReplaced, .addressTakenBack, .requestWaits: nil
    case .nonResponsive, .nonResponsiveAgain, .alertOn, .alertOnAgain, .allClear, .alertOff,
      .acknowledged, .withdrawn, .linkPressed, .lateSign, .accountDeleted, .alertNote,
      .contactAdded, .unwatched, .responderNotice, .reassurance,
      .checkedIn:
      nil
    }
  }
}
