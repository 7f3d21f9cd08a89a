import Domain
import FoundationEssentials

extension EmergencyFeature {
  /// An alert that was begun, as far as this program knows.
  struct Armed: Equatable, Sendable {
    var id: Alert.ID
    var secondsLeft: Int
    /// Since it was armed.
    var elapsed = 0
    /// Whether it was begun here, and not in another program of the same person.
    var isOwn = true
    /// Whether the store has it, or a file that every monitor reads.
    var isStored = false
    /// Whether a server may have it that hasn't answered.
    var mayBeStored = false
    /// Whether the store is being asked to keep it.
    var isStoring = false
    /// Whether it is due and only a file has it; so until the store or a monitor says otherwise.
    var isQueued = false
    /// Whether it has changed since the store was asked.
    var isStale = false
    /// Why it could not be stopped.
    var problem: ErrorText?

    init(_ id: Alert.ID, secondsLeft: Int = AlertTrigger.countdown) {
      self.id = id
      self.secondsLeft = secondsLeft
    }

    /// One that another program armed.
    init(_ armed: ArmedAlert, at now: Date) {
      self.init(armed.id, secondsLeft: armed.secondsLeft(at: now))
      elapsed = max(0, Int(now.timeIntervalSince(armed.armedAt)))
      isOwn = false
      isStored = true
    }
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// Asked for by a command, which is chosen too easily: a word has to be typed on purpose.
    case confirming
    /// Five presses were made; sent when the seconds are over.
    case raising
    /// A message is typed; sent some seconds after the last key.
    case writingMessage
    case storing
    /// The countdown was stopped.
    case stopping
    /// The alert is on. The panel stays until it is closed, so that keys still being typed do
    /// nothing, and shows who has been notified.
    case raised(Alert)
    /// Text is typed that goes out as a second message.
    case writingMore(Alert)
    /// The alert could not be stored anywhere; it is tried again by itself.
    case failed(ErrorText)
    /// Cancelling was asked for; done when the seconds are over (ALT-2).
    case cancelling(secondsLeft: Int)
    case storingCancellation
    case cancellationFailed(ErrorText)
  }
}

extension EmergencyFeature.Phase {
  /// Whether an alert was asked for that is not on yet.
  var isRaising: Bool {
    switch self {
    case .raising, .writingMessage, .storing, .stopping, .failed: true
    case .idle, .confirming, .raised, .writingMore, .cancelling, .storingCancellation,
      .cancellationFailed:
      false
    }
  }

  /// Whether the alert goes out by itself at the end of the countdown.
  var isCountingDown: Bool { self == .raising || self == .writingMessage }

  /// Whether pressing the emergency key counts now.
  var acceptsPresses: Bool {
    switch self {
    case .idle, .confirming, .cancelling, .cancellationFailed: true
    case .raising, .writingMessage, .storing, .stopping, .raised, .writingMore, .failed,
      .storingCancellation:
      false
    }
  }
}

extension ArmedAlert {
  func secondsLeft(at now: Date) -> Int {
    min(
      max(1, Int(firesAt.timeIntervalSince(now).rounded(.up))), ArmedAlert.longestDelay.seconds)
  }
}
