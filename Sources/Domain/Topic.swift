/// A class of messages to oneself that a person may do without on a channel of theirs (CHN-3).
///
/// There is no topic for a call for help, nor for what belongs to one – who takes care, that the own
/// deadline passed –, nor for the safety of the account: a choice cannot name what must be sent. No
/// relation to a topic of ntfy, which is an address.
public enum Topic: String, Hashable, Codable, CaseIterable, Sendable {
  /// That the deadline comes nearer (REM-1).
  case reminders
  /// That a pause is about to end (CHK-7).
  case pauses
}

extension Topic {
  /// What is so while it is off on every channel: nothing is sent, and the history has it all the same
  /// (NOT-1).
  public var toldNowhereText: String {
    switch self {
    case .reminders: "Reminders aren't sent to any channel; only the app shows them."
    case .pauses: "The end of a pause isn't sent to any channel; only the app shows it."
    }
  }
}

extension Stage {
  /// What a message belongs to that may be switched off; `nil` for one that is always told, and for
  /// one that goes to others.
  public var topic: Topic? {
    switch self {
    case .reminder: .reminders
    case .pauseEnds: .pauses
    // The last message before others are notified.
    case .deadlinePassed, .noticedLate: nil
    // A person who asks for a new password, or for a test, waits for it.
    case .passwordReset, .channelTest, .addressCode: nil
    // Nobody may switch off what warns of a stranger in the account.
    case .passwordWasReset, .addressReplaced, .addressTakenBack, .requestWaits: nil
    case .nonResponsive, .nonResponsiveAgain, .alertOn, .alertOnAgain, .allClear, .alertOff,
      .acknowledged, .withdrawn, .linkPressed, .accountDeleted, .alertNote, .contactAdded,
      .unwatched, .responderNotice:
      nil
    }
  }
}
