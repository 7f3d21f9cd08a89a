import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Terminal

/// Raises an alert with the emergency key and cancels it, above every screen (ALT-1, ALT-2).
///
/// The fifth press arms the alert in the store, and a monitor raises it when it is due, whatever
/// happens to this process (ALT-7). The countdown shows the time left and raises the alert as well.
struct EmergencyFeature: Reducer {
  struct State: Equatable, Sendable {
    var trigger = AlertTrigger()
    var phase = Phase.idle
    /// The armed alert that hasn't been raised yet (ALT-7).
    var armed: Armed?
    /// The alert that was raised or stopped last. Late news about it doesn't open the panel again.
    var lastFinishedAlert: Alert.ID?
    /// The optional short message that goes with the alert (ALT-4).
    var message = Self.messageInput()
    /// Why the second message could not be sent.
    var messageProblem: ErrorText?
    /// The text typed to confirm the alert.
    var confirmation = TextInput(limit: 20)
    /// Whether a wrong word was typed as confirmation.
    var isConfirmationWrong = false
    /// Whether the panel of a cancellation stays above the question for the passphrase, so that
    /// another press of the same keys isn't typed there.
    var isLingering = false

    /// Whether the alert waits in its spool file for a monitor because the store can't be written.
    var isQueued: Bool { phase == .storing && armed?.isQueued == true }

    /// Returns the field of the message. Long messages are shown whole, and pasted ones keep their
    /// lines.
    static func messageInput(_ text: String = "") -> TextInput {
      TextInput(text, limit: 500, isMultiline: true)
    }

    /// Closes the panel of an alert that has ended, so that the emergency key counts again.
    mutating func closePanel(ofEndedAlertIn reports: [AlertReport]) {
      switch phase {
      case .raised(let alert), .writingSecondMessage(let alert):
        let isOver = reports.contains { $0.id == alert.id && !$0.alert.isActive }
        if isOver { phase = .idle }
      case .confirmingCancellation:
        // It was cancelled on another device.
        let isOn = reports.contains { $0.alert.isActive && $0.alert.kind == .manual }
        if !isOn { phase = .idle }
      default: break
      }
    }

    /// Shows the countdown of an armed alert.
    mutating func begin(_ armed: Armed) {
      trigger.reset()
      self.armed = armed
      message = Self.messageInput()
      phase = .raising
    }
  }

  enum Action: Codable, Equatable, Sendable {
    /// `!` was pressed outside text fields.
    case emergencyKeyPressed
    /// `!` was pressed while an alert is on, which shows that alert.
    case alertShown(Alert)
    /// The palette's command was chosen (ALT-1).
    case alertCommandChosen
    case confirmationEdited(TextEdit)
    case confirmationSubmitted
    /// Two seconds have passed without a press.
    case barEmptied
    case countdownTicked
    case stopButtonTapped
    case sendNowButtonTapped
    case messageButtonTapped
    case messageEdited(TextEdit)
    case messageClosed
    /// The armed alert is in the store.
    case armed(ArmedAlert)
    /// The armed alert is only in its spool file, because the store or the server failed.
    case kept(ArmedAlert, ClientError)
    /// The armed alert in the store has changed, here or in another process.
    case armedChanged(ArmedAlert?)
    /// The alert was stopped, here or in another process.
    case disarmed
    case disarmFailed(ClientError)
    case raised(Alert)
    case raiseFailed(ClientError)
    /// The second message is stored and will be sent.
    case moreSent(Alert)
    case moreRefused(Alert, ClientError)
    case retryTicked
    /// `x` was pressed or chosen, which opens the panel that cancels the alert.
    case cancelButtonTapped
    /// A key that types text was pressed in that panel.
    case cancellationTyped(String, isRepeat: Bool)
    /// The mouse went down on the panel's button, or was released or moved away.
    case cancellationHeld(Bool)
    /// The mouse was held for two seconds.
    case cancellationHoldEnded
    /// Two seconds have passed without a press of `x`.
    case cancellationBarEmptied
    case cancelled(Alert)
    case cancellationFailed(ClientError)
    case lingeringEnded
  }

  /// The emergency key's title in the help bar.
  static let keyTitle = "×5 Alert"
  /// The word that confirms an alert.
  static let confirmationWord = "alert"
  /// The word that cancels an alert.
  static let cancellationWord = "cancel"

  enum CancelID: Hashable, Sendable { case bar, countdown, retry, hold, lingering }

  @Dependency(\.alertClient) var alertClient
  @Dependency(\.accountHost) var accountHost
  @Dependency(\.attentionClient) var attentionClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.uuid) var uuid
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dateClient) var dateClient

  /// How long the panel stays after an alert was cancelled, so that another press of the same keys
  /// doesn't reach what is beneath.
  static let lingering = TimeSpan.seconds(1)
  static let retryDelay = Duration.seconds(2)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .emergencyKeyPressed:
      guard state.phase.acceptsPresses else { return .none }
      guard state.trigger.press(at: dateClient.personNow()) else {
        return after(AlertTrigger.barLifetime, .barEmptied, id: .bar)
      }
      return .merge(.cancel(id: CancelID.bar), begin(&state))

    case .alertCommandChosen:
      guard state.phase == .idle else { return .none }
      state.confirmation = TextInput(limit: 20)
      state.isConfirmationWrong = false
      state.phase = .confirming

    case .confirmationEdited(let edit):
      state.confirmation.apply(edit)
      state.isConfirmationWrong = false

    case .confirmationSubmitted:
      let typed = state.confirmation.text.trimmingWhitespace().lowercased()
      guard state.phase == .confirming else { return .none }
      guard typed == Self.confirmationWord else {
        state.isConfirmationWrong = true
        return .none
      }
      return begin(&state)

    case .alertShown(let alert):
      if state.phase == .idle { state.phase = .raised(alert) }

    case .barEmptied: state.trigger.reset()

    case .countdownTicked:
      switch state.phase {
      case .raising, .writingMessage, .failed:
        guard var armed = state.armed, armed.secondsLeft > 0 else { return .none }
        armed.secondsLeft -= 1
        armed.elapsed += 1
        state.armed = armed
        guard armed.secondsLeft == 0, state.phase.isCountingDown else { return countDown() }
        return raise(&state)
      default:
        return .none
      }

    case .stopButtonTapped:
      state.trigger.reset()
      switch state.phase {
      // On this machine a monitor sends it all the same. A server that hasn't received it can't.
      case .storing where state.isQueued && accountHost.serverName != nil: return stop(&state)
      case .storing where state.isQueued:
        state.armed = nil
        state.phase = .idle
        return .cancel(id: CancelID.retry)
      case .storing, .stopping, .storingCancellation: return .none
      case .raising, .writingMessage, .failed: return stop(&state)
      default:
        state.phase = .idle
        return .merge(
          .cancel(id: CancelID.bar), .cancel(id: CancelID.countdown), .cancel(id: CancelID.hold))
      }

    case .sendNowButtonTapped:
      switch state.phase {
      case .raising, .writingMessage, .failed:
        state.armed?.secondsLeft = 0
        state.phase = .storing
        return raise(&state)
      case .storing where state.isQueued: return storeArmedAlert(&state)
      case .writingSecondMessage(let alert): return sendMore(&state, alert)
      default: return .none
      }

    case .messageButtonTapped:
      switch state.phase {
      case .raising:
        state.phase = .writingMessage
        return postpone(&state)
      case .raised(let alert) where alert.isActive:
        state.phase = .writingSecondMessage(alert)
        return .none
      default: return .none
      }

    case .messageEdited(let edit):
      state.message.apply(edit)
      return state.phase == .writingMessage ? postpone(&state) : .none

    case .messageClosed:
      switch state.phase {
      case .writingMessage: state.phase = .raising
      case .writingSecondMessage(let alert): state.phase = .raised(alert)
      default: break
      }

    case .kept(let kept, let error):
      guard state.armed != nil else { return .none }
      let isNews = !state.isQueued
      if error.isOutcomeUnknown { state.armed?.mayBeStored = true }
      let effect = reduce(into: &state, action: .armed(kept))
      state.armed?.reason = error.text
      guard isNews, state.isQueued, accountHost.serverName != nil else { return effect }
      return .merge(effect, callAttention(state))

    case .armed(let stored):
      guard var armed = state.armed else { return .none }
      if armed.id != stored.id {
        // Another process of the same person had already armed an alert.
        let isOver = armed.secondsLeft == 0
        armed = Armed(stored, at: dateClient.now())
        if isOver { armed.secondsLeft = 0 }
        if state.message.isEmpty { state.message = State.messageInput(stored.message) }
        armed.isStale = isOver
      }
      armed.isStored = true
      armed.isStoring = false
      armed.reason = nil
      if case .failed = state.phase { state.phase = armed.secondsLeft > 0 ? .raising : .storing }
      armed.isQueued = state.phase == .storing && !armed.isStale
      state.armed = armed
      guard armed.isStale else {
        // If it is due it is only in its spool file, where a monitor finds it. Retry the store.
        return state.phase == .storing ? retry() : .cancel(id: CancelID.retry)
      }
      return .merge(.cancel(id: CancelID.retry), storeArmedAlert(&state))

    case .armedChanged(let stored?):
      guard stored.id != state.lastFinishedAlert else { return .none }
      switch state.phase {
      case .idle, .confirming:
        state.begin(Armed(stored, at: dateClient.now()))
        state.message = State.messageInput(stored.message)
        return .merge(.cancel(id: CancelID.bar), countDown())
      case .raising where state.armed?.id == stored.id && state.armed?.isStoring == false:
        // Its message is being typed in another process.
        state.message = State.messageInput(stored.message)
        let seconds = stored.secondsLeft(at: dateClient.now())
        if let known = state.armed, abs(known.secondsLeft - seconds) > 1, seconds > 0 {
          state.armed?.secondsLeft = seconds
        }
        return .none
      default: return .none
      }

    case .armedChanged(nil):
      // It was raised or stopped elsewhere; ask the store which.
      guard let armed = state.armed, armed.isStored, !armed.isStoring, state.phase != .stopping
      else { return .none }
      return storeArmedAlert(&state)

    case .disarmed:
      state.lastFinishedAlert = state.armed?.id ?? state.lastFinishedAlert
      state.armed = nil
      state.phase = .idle
      return .merge(.cancel(id: CancelID.countdown), .cancel(id: CancelID.retry))

    case .disarmFailed(let error):
      guard state.phase == .stopping, let armed = state.armed else { return .none }
      // No program of this machine sends it any more; the server may have had it before.
      if case .queued = error { return reduce(into: &state, action: .disarmed) }
      // It was never stored anywhere, so nothing can raise it.
      if !armed.isStored, !armed.isStoring, !armed.mayBeStored, error != .alertAlreadyOn {
        return .send(.disarmed)
      }
      state.phase = .raising
      state.armed?.problem = error.text
      guard error != .alertAlreadyOn, armed.secondsLeft > 0 else { return raise(&state) }
      return countDown()

    case .raised(let alert):
      // Both the monitor and the store report it; the second report must not undo what the person
      // has done since the first.
      guard state.armed != nil || alert.id != state.lastFinishedAlert else { return .none }
      let isWriting = state.phase == .writingMessage
      let rest = isWriting ? state.message.text.dropping(prefix: alert.message) : ""
      state.lastFinishedAlert = alert.id
      state.armed = nil
      state.message = State.messageInput(rest)
      state.phase = isWriting ? .writingSecondMessage(alert) : .raised(alert)
      return .merge(.cancel(id: CancelID.countdown), .cancel(id: CancelID.retry))

    case .raiseFailed(let error):
      // It was stopped in the meantime.
      guard state.armed != nil else { return .none }
      // By another program, which doesn't know whether it was sent before.
      if case .queued = error { return reduce(into: &state, action: .disarmed) }
      state.armed?.isStoring = false
      if error.isOutcomeUnknown { state.armed?.mayBeStored = true }
      switch state.phase {
      case .stopping, .writingSecondMessage: return .none
      default: break
      }
      state.phase = .failed(error.text)
      return .merge(callAttention(state), retry())

    case .moreSent(let alert):
      switch state.phase {
      // The person is already typing a third message.
      case .writingSecondMessage: state.phase = .writingSecondMessage(alert)
      case .raised:
        state.phase = .raised(alert)
        state.message = State.messageInput()
      // The panel was closed, or the alert is being cancelled.
      default: state.message = State.messageInput()
      }

    case .moreRefused(let alert, let error):
      switch state.phase {
      case .idle, .raised, .writingSecondMessage:
        state.phase = .writingSecondMessage(alert)
        state.messageProblem = error.text
      default: break
      }

    case .retryTicked:
      switch state.phase {
      case .failed, .storing: return storeArmedAlert(&state)
      default: return .none
      }

    case .cancelButtonTapped:
      switch state.phase {
      case .idle, .cancellationFailed: break
      default: return .none
      }
      state.trigger.reset()
      state.phase = .confirmingCancellation(Cancellation(openedAt: dateClient.personNow()))
      return .cancel(id: CancelID.bar)

    case .cancellationTyped(let text, let isRepeat):
      guard case .confirmingCancellation(var cancellation) = state.phase,
        let character = text.first
      else { return .none }
      let step = cancellation.enter(character, isRepeat: isRepeat, at: dateClient.personNow())
      state.phase = .confirmingCancellation(cancellation)
      switch step {
      case .confirmed: return cancelAlert(&state)
      case .other:
        state.phase = .idle
        return .merge(.cancel(id: CancelID.bar), .cancel(id: CancelID.hold))
      case .waiting: return after(CancelTrigger.longestPause, .cancellationBarEmptied, id: .bar)
      }

    case .cancellationBarEmptied:
      guard case .confirmingCancellation(var cancellation) = state.phase else { return .none }
      cancellation.trigger.reset()
      state.phase = .confirmingCancellation(cancellation)

    case .cancellationHeld(let isHolding):
      guard case .confirmingCancellation(var cancellation) = state.phase else { return .none }
      cancellation.isHolding = isHolding
      state.phase = .confirmingCancellation(cancellation)
      return isHolding
        ? after(CancelTrigger.holdTime, .cancellationHoldEnded, id: .hold)
        : .cancel(id: CancelID.hold)

    case .cancellationHoldEnded:
      guard case .confirmingCancellation(let cancellation) = state.phase, cancellation.isHolding
      else { return .none }
      return cancelAlert(&state)

    case .cancelled:
      if state.phase == .storingCancellation { state.phase = .idle }

    case .lingeringEnded: state.isLingering = false
    case .cancellationFailed(let error): state.phase = .cancellationFailed(error.text(dateClient))
    }
    return .none
  }
}

extension String {
  /// The text after `prefix`, which has already been sent, or all of it without that prefix. What
  /// is sent is trimmed.
  fileprivate func dropping(prefix: String) -> String {
    let text = trimmingWhitespace()
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)).trimmingWhitespace() : self
  }
}
