import Domain
import FoundationEssentials

extension EmergencyFeature {
  /// An armed alert that hasn't been raised yet, as far as this process knows.
  struct Armed: Equatable, Sendable {
    var id: Alert.ID
    var secondsLeft: Int
    /// The seconds since it was armed.
    var elapsed = 0
    /// Whether it was armed here rather than by another process of the same person.
    var isOwn = true
    /// Whether it is in the store, or in a spool file that every monitor reads.
    var isStored = false
    /// Whether a server that hasn't answered may have stored it.
    var mayBeStored = false
    /// Whether a request to store it is running.
    var isStoring = false
    /// Whether it is due but is only in its spool file, where it waits for a monitor or the server.
    var isQueued = false
    /// Why it is only in its spool file.
    var reason: ErrorText?
    /// Whether it has changed since the last request to store it began.
    var isStale = false
    /// Why it could not be stopped.
    var problem: ErrorText?

    init(_ id: Alert.ID, secondsLeft: Int = AlertTrigger.countdown) {
      self.id = id
      self.secondsLeft = secondsLeft
    }

    /// An alert that another process armed.
    init(_ armed: ArmedAlert, at now: Date) {
      self.init(armed.id, secondsLeft: armed.secondsLeft(at: now))
      elapsed = max(0, Int(now.timeIntervalSince(armed.armedAt)))
      isOwn = false
      isStored = true
    }
  }

  /// What was done so far in the panel that cancels the alert.
  struct Cancellation: Equatable, Sendable {
    var trigger: CancelTrigger
    /// The letters of the word that were typed.
    var typed = ""
    /// The time of the last letter.
    var lastLetter: Date?
    /// Whether a mouse button is held on the panel's button.
    var isHolding = false

    init(openedAt now: Date) { trigger = CancelTrigger(openedAt: now) }

    enum Step: Equatable { case waiting, confirmed, other }

    /// Takes a key that types text: another press of `x`, the next letter of the word, or another
    /// key, which closes the panel.
    mutating func enter(_ character: Character, isRepeat: Bool, at now: Date) -> Step {
      let letter = character.lowercased().first ?? character
      if letter == "x", typed.isEmpty {
        return trigger.press(at: now, isRepeat: isRepeat) ? .confirmed : .waiting
      }
      // A letter that was hit twice by a trembling hand counts once.
      if let lastLetter, typed.last == letter,
        isRepeat || (0..<CancelTrigger.shortestPause).contains(now.timeIntervalSince(lastLetter))
      {
        return .waiting
      }
      guard EmergencyFeature.cancellationWord.hasPrefix(typed + String(letter)) else {
        return .other
      }
      trigger.reset()
      typed.append(letter)
      lastLetter = now
      return typed == EmergencyFeature.cancellationWord ? .confirmed : .waiting
    }
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// Chosen in the palette, which happens too easily by accident, so a word must be typed to
    /// confirm.
    case confirming
    /// The key was pressed five times; the alert is sent when the countdown ends.
    case raising
    /// A message is being typed; the alert is sent some seconds after the last key.
    case writingMessage
    case storing
    /// The countdown was stopped.
    case stopping
    /// The alert is on. The panel shows who has been notified and stays until it is closed, so that
    /// keys still being typed do nothing.
    case raised(Alert)
    /// A second message is being typed.
    case writingSecondMessage(Alert)
    /// The alert could not be stored anywhere; storing it is retried automatically.
    case failed(ErrorText)
    /// The panel is open in which five presses, the word or a held button cancel the alert (ALT-2).
    case confirmingCancellation(Cancellation)
    case storingCancellation
    case cancellationFailed(ErrorText)
  }
}

extension EmergencyFeature.Phase {
  /// Whether an alert is on its way but isn't on yet.
  var isRaising: Bool {
    switch self {
    case .raising, .writingMessage, .storing, .stopping, .failed: true
    case .idle, .confirming, .raised, .writingSecondMessage, .confirmingCancellation,
      .storingCancellation, .cancellationFailed:
      false
    }
  }

  /// Whether the alert is sent when the countdown ends.
  var isCountingDown: Bool { self == .raising || self == .writingMessage }

  /// Whether presses of the emergency key count.
  var acceptsPresses: Bool {
    switch self {
    case .idle, .confirming, .cancellationFailed: true
    case .raising, .writingMessage, .storing, .stopping, .raised, .writingSecondMessage, .failed,
      .confirmingCancellation, .storingCancellation:
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
