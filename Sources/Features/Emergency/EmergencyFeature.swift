public import Clients
public import Composable
public import Domain
public import Terminal

/// Raising an alert with the emergency key, and cancelling it: over every screen, whatever is open
/// (ALT-1, ALT-2).
public struct EmergencyFeature: Reducer {
  public struct State: Equatable, Sendable {
    public var trigger = AlertTrigger()
    public var phase = Phase.idle
    /// The optional short message that goes with the alert (ALT-4).
    public var message = TextInput(limit: 500)
    /// What is typed to confirm that an alert is meant.
    public var confirmation = TextInput(limit: 20)
    /// Asks for the passphrase before the alert is cancelled (CHK-3).
    @Presents public var gate: GateFeature.State?

    public init() {}
  }

  public enum Phase: Equatable, Sendable {
    case idle
    /// Asked for by a command, which is chosen too easily: a word has to be typed on purpose.
    case confirming
    /// Five presses were made; sent when the seconds are over.
    case raising(secondsLeft: Int)
    /// The countdown waits while a message is typed.
    case writingMessage
    case storing
    /// The alert is on. The panel stays until it is closed, so that keys still being typed do
    /// nothing, and shows who has been told.
    case raised(Alert)
    /// The alert could not be stored; it is tried again by itself.
    case failed(ErrorText)
    /// Cancelling was asked for; done when the seconds are over (ALT-2).
    case cancelling(secondsLeft: Int)
    case storingCancellation
    case cancellationFailed(ErrorText)
  }

  public enum Action: Codable, Equatable, Sendable {
    /// `!` – also while a field has the focus.
    case emergencyKeyPressed
    /// `!` while an alert is on: there is no second one to raise.
    case alertShown(Alert)
    /// The command of the palette (ALT-1).
    case alertCommandChosen
    case confirmationEdited(TextEdit)
    case confirmationSubmitted
    /// Two seconds without a press.
    case barEmptied
    case countdownTicked
    case stopButtonTapped
    case sendNowButtonTapped
    case messageButtonTapped
    case messageEdited(TextEdit)
    case raised(Alert)
    case raiseFailed(AlertError)
    case retryTicked
    case cancelButtonTapped
    case cancelled(Alert)
    case cancellationFailed(AlertError)
    case gate(PresentationAction<GateFeature.Action>)

    static let gateCase = CasePath(Self.gate) {
      if case .gate(let action) = $0 { action } else { nil }
    }
  }

  /// The word that confirms an alert.
  public static let confirmationWord = "alert"

  enum CancelID: Hashable, Sendable { case bar, countdown, retry }

  @Dependency(\.alertClient) var alertClient
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dateClient) var dateClient

  /// Seconds in which cancelling an alert can still be stopped (ALT-2).
  public static let cancellationCountdown = 3
  public static let retryDelay = Duration.seconds(2)

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in reduce(&state, action) }
      .ifLet(\.$gate, action: Action.gateCase) { GateFeature() }
  }

  private func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .emergencyKeyPressed:
      guard state.phase.acceptsPresses else { return .none }
      guard state.trigger.press(at: dateClient.personNow()) else {
        return after(AlertTrigger.barLifetime, .barEmptied, id: .bar)
      }
      state.trigger.reset()
      state.message = TextInput(limit: 500)
      state.phase = .raising(secondsLeft: AlertTrigger.countdown)
      return .merge(.cancel(id: CancelID.bar), countDown())

    case .alertCommandChosen:
      guard state.phase == .idle else { return .none }
      state.confirmation = TextInput(limit: 20)
      state.phase = .confirming
      return .none

    case .confirmationEdited(let edit):
      state.confirmation.apply(edit)
      return .none

    case .confirmationSubmitted:
      let typed = state.confirmation.text.trimmingWhitespace().lowercased()
      guard state.phase == .confirming, typed == Self.confirmationWord else { return .none }
      state.message = TextInput(limit: 500)
      state.phase = .raising(secondsLeft: AlertTrigger.countdown)
      return countDown()

    case .alertShown(let alert):
      if state.phase == .idle { state.phase = .raised(alert) }
      return .none

    case .barEmptied:
      state.trigger.reset()
      return .none

    case .countdownTicked:
      switch state.phase {
      case .raising(let seconds) where seconds > 1:
        state.phase = .raising(secondsLeft: seconds - 1)
        return countDown()
      case .raising:
        return raise(&state)
      case .cancelling(let seconds) where seconds > 1:
        state.phase = .cancelling(secondsLeft: seconds - 1)
        return countDown()
      case .cancelling:
        return cancelAlert(&state)
      default:
        return .none
      }

    case .stopButtonTapped:
      state.trigger.reset()
      switch state.phase {
      case .storing, .storingCancellation:
        return .none
      default:
        state.phase = .idle
        return .merge(
          .cancel(id: CancelID.bar), .cancel(id: CancelID.countdown), .cancel(id: CancelID.retry))
      }

    case .sendNowButtonTapped:
      switch state.phase {
      case .raising, .writingMessage, .failed: return raise(&state)
      default: return .none
      }

    case .messageButtonTapped:
      guard case .raising = state.phase else { return .none }
      state.phase = .writingMessage
      return .cancel(id: CancelID.countdown)

    case .messageEdited(let edit):
      state.message.apply(edit)
      return .none

    case .raised(let alert):
      state.phase = .raised(alert)
      state.message = TextInput(limit: 500)
      return .none

    case .raiseFailed(let error):
      state.phase = .failed(error.text)
      return .run { [clock] send in
        try await clock.sleep(for: Self.retryDelay)
        await send(.retryTicked)
      }
      .cancellable(id: CancelID.retry, cancelInFlight: true)

    case .retryTicked:
      guard case .failed = state.phase else { return .none }
      return raise(&state)

    case .cancelButtonTapped:
      switch state.phase {
      case .idle, .cancellationFailed: break
      default: return .none
      }
      state.phase = .cancelling(secondsLeft: Self.cancellationCountdown)
      return countDown()

    case .cancelled:
      state.phase = .idle
      return .none

    case .cancellationFailed(.gate(.required)):
      state.phase = .idle
      state.gate = GateFeature.State(.cancelAlert)
      return .none

    case .gate(.presented(.alertCancelled(let alert))):
      state.gate = nil
      return .send(.cancelled(alert))

    case .gate:
      return .none

    case .cancellationFailed(let error):
      state.phase = .cancellationFailed(error.text)
      return .none
    }
  }

  private func raise(_ state: inout State) -> Effect<Action> {
    state.phase = .storing
    return .merge(
      .cancel(id: CancelID.countdown),
      .cancel(id: CancelID.retry),
      .run { [alertClient, message = state.message.text] send in
        do throws(AlertError) {
          await send(.raised(try await alertClient.raise(message)))
        } catch {
          await send(.raiseFailed(error))
        }
      })
  }

  private func cancelAlert(_ state: inout State) -> Effect<Action> {
    state.phase = .storingCancellation
    return .run { [alertClient] send in
      do throws(AlertError) {
        await send(.cancelled(try await alertClient.cancel()))
      } catch {
        await send(.cancellationFailed(error))
      }
    }
  }

  private func countDown() -> Effect<Action> {
    after(.seconds(1), .countdownTicked, id: .countdown)
  }

  private func after(_ span: TimeSpan, _ action: Action, id: CancelID) -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: .seconds(span.seconds))
      await send(action)
    }
    .cancellable(id: id, cancelInFlight: true)
  }
}

extension EmergencyFeature.Phase {
  /// Whether an alert was asked for that is not stored yet.
  var isRaising: Bool {
    switch self {
    case .raising, .writingMessage, .storing, .failed: true
    case .idle, .confirming, .raised, .cancelling, .storingCancellation, .cancellationFailed: false
    }
  }

  /// Whether pressing the emergency key counts now.
  var acceptsPresses: Bool {
    switch self {
    case .idle, .confirming, .cancelling, .cancellationFailed: true
    case .raising, .writingMessage, .storing, .raised, .failed, .storingCancellation: false
    }
  }
}
