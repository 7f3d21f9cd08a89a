public import Clients
public import Composable
public import Domain
public import FoundationEssentials
public import Terminal

/// Raising an alert with the emergency key, and cancelling it: over every screen, whatever is open
/// (ALT-1, ALT-2).
///
/// From the fifth press on the alert is in the store, armed, and a monitor raises it at its instant
/// whatever becomes of this program (ALT-7). The countdown shows how long that takes, and raises it,
/// too.
public struct EmergencyFeature: Reducer {
  public struct State: Equatable, Sendable {
    public var trigger = AlertTrigger()
    public var phase = Phase.idle
    /// The alert that was begun and is not raised yet (ALT-7).
    public internal(set) var armed: Armed?
    /// The optional short message that goes with the alert (ALT-4).
    public var message = TextInput(limit: 500)
    /// Why what was typed after the alert was on could not be sent.
    var messageProblem: ErrorText?
    /// What is typed to confirm that an alert is meant.
    public var confirmation = TextInput(limit: 20)
    /// Asks for the passphrase before the alert is cancelled (CHK-3).
    @Presents public var gate: GateFeature.State?

    public init() {}

    /// Whether it waits in its file for a monitor, since the store can't be written.
    var isQueued: Bool {
      phase == .storing && armed?.isStored == true && armed?.isStoring == false
    }

    /// Puts away what is shown of an alert that is over, so that the emergency key counts again.
    mutating func closePanel(ofEndedAlertIn reports: [AlertReport]) {
      switch phase {
      case .raised(let alert), .writingMore(let alert):
        let isOver = reports.contains { $0.id == alert.id && !$0.alert.isActive }
        if isOver { phase = .idle }
      default: break
      }
    }

    /// Shows the countdown of an alert that was begun.
    mutating func begin(_ armed: Armed) {
      trigger.reset()
      self.armed = armed
      message = TextInput(limit: 500)
      phase = .raising
    }
  }

  /// An alert that was begun, as far as this program knows.
  public struct Armed: Equatable, Sendable {
    public internal(set) var id: Alert.ID
    public internal(set) var secondsLeft: Int
    /// Since it was armed.
    var elapsed = 0
    /// Whether it was begun here, and not in another program of the same person.
    public internal(set) var isOwn = true
    /// Whether the store has it, or a file that every monitor reads.
    public internal(set) var isStored = false
    /// Whether the store is being asked to keep it.
    var isStoring = false
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

  public enum Phase: Equatable, Sendable {
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
    /// nothing, and shows who has been told.
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
    case messageClosed
    /// The store, or a file, has the alert that was begun.
    case armed(ArmedAlert)
    /// What is armed in the store has changed, by anyone.
    case armedChanged(ArmedAlert?)
    /// It was stopped, here or in another program.
    case disarmed
    case disarmFailed(AlertError)
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
  @Dependency(\.attentionClient) var attentionClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.uuid) var uuid
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
      return .merge(.cancel(id: CancelID.bar), begin(&state))

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
      return begin(&state)

    case .alertShown(let alert):
      if state.phase == .idle { state.phase = .raised(alert) }
      return .none

    case .barEmptied:
      state.trigger.reset()
      return .none

    case .countdownTicked:
      switch state.phase {
      case .raising, .writingMessage, .failed:
        guard var armed = state.armed, armed.secondsLeft > 0 else { return .none }
        armed.secondsLeft -= 1
        armed.elapsed += 1
        state.armed = armed
        guard armed.secondsLeft == 0, state.phase.isCountingDown else { return countDown() }
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
      case .storing where state.isQueued:
        state.armed = nil
        state.phase = .idle
        return .cancel(id: CancelID.retry)
      case .storing, .stopping, .storingCancellation:
        return .none
      case .raising, .writingMessage, .failed:
        return stop(&state)
      default:
        state.phase = .idle
        return .merge(.cancel(id: CancelID.bar), .cancel(id: CancelID.countdown))
      }

    case .sendNowButtonTapped:
      switch state.phase {
      case .raising, .writingMessage, .failed:
        state.armed?.secondsLeft = 0
        state.phase = .storing
        return raise(&state)
      case .writingMore(let alert): return sendMore(&state, alert)
      default: return .none
      }

    case .messageButtonTapped:
      switch state.phase {
      case .raising:
        state.phase = .writingMessage
        return postpone(&state)
      case .raised(let alert) where alert.isActive:
        state.phase = .writingMore(alert)
        return .none
      default: return .none
      }

    case .messageEdited(let edit):
      state.message.apply(edit)
      return state.phase == .writingMessage ? postpone(&state) : .none

    case .messageClosed:
      switch state.phase {
      case .writingMessage: state.phase = .raising
      case .writingMore(let alert): state.phase = .raised(alert)
      default: break
      }
      return .none

    case .armed(let stored):
      guard var armed = state.armed else { return .none }
      if armed.id != stored.id {
        // Another program of the person began one before.
        let isOver = armed.secondsLeft == 0
        armed = Armed(stored, at: dateClient.now())
        if isOver { armed.secondsLeft = 0 }
        if state.message.isEmpty { state.message = TextInput(stored.message, limit: 500) }
        armed.isStale = isOver
      }
      armed.isStored = true
      armed.isStoring = false
      state.armed = armed
      if case .failed = state.phase { state.phase = .raising }
      guard armed.isStale else {
        // It is only in its file, where a monitor finds it; the store may have it later.
        return state.phase == .storing ? retry() : .cancel(id: CancelID.retry)
      }
      return .merge(.cancel(id: CancelID.retry), keep(&state))

    case .armedChanged(let stored?):
      switch state.phase {
      case .idle, .confirming:
        state.begin(Armed(stored, at: dateClient.now()))
        state.message = TextInput(stored.message, limit: 500)
        return .merge(.cancel(id: CancelID.bar), countDown())
      case .raising where state.armed?.id == stored.id && state.armed?.isStoring == false:
        // Another program of the person types its message.
        state.message = TextInput(stored.message, limit: 500)
        let seconds = stored.secondsLeft(at: dateClient.now())
        if let known = state.armed, abs(known.secondsLeft - seconds) > 1, seconds > 0 {
          state.armed?.secondsLeft = seconds
        }
        return .none
      default: return .none
      }

    case .armedChanged(nil):
      // It was raised or stopped elsewhere; the store says which.
      guard let armed = state.armed, armed.isStored, !armed.isStoring, state.phase != .stopping
      else { return .none }
      return keep(&state)

    case .disarmed:
      state.armed = nil
      state.phase = .idle
      return .merge(.cancel(id: CancelID.countdown), .cancel(id: CancelID.retry))

    case .disarmFailed(let error):
      guard state.phase == .stopping, let armed = state.armed else { return .none }
      // Nothing has it, so that nothing can raise it.
      if !armed.isStored, error != .alreadyOn { return .send(.disarmed) }
      state.phase = .raising
      state.armed?.problem = error.text
      guard error != .alreadyOn, armed.secondsLeft > 0 else { return raise(&state) }
      return countDown()

    case .raised(let alert):
      if case .writingMore(let known) = state.phase, known.id == alert.id {
        // Said twice, as by a monitor and by this program: what is being typed stays.
        state.phase = .writingMore(alert)
        return .none
      }
      let isWriting = state.phase == .writingMessage
      let rest = isWriting ? state.message.text.dropping(prefix: alert.message) : ""
      state.armed = nil
      state.message = TextInput(rest, limit: 500)
      state.phase = isWriting ? .writingMore(alert) : .raised(alert)
      return .merge(.cancel(id: CancelID.countdown), .cancel(id: CancelID.retry))

    case .raiseFailed(let error):
      state.armed?.isStoring = false
      switch state.phase {
      case .stopping, .writingMore: return .none
      case .raised(let alert):
        // Only the second message was refused.
        state.phase = .writingMore(alert)
        state.messageProblem = error.text
        return .none
      default: break
      }
      state.phase = .failed(error.text)
      return .merge(
        .run { [attentionClient] _ in
          await attentionClient.call("LifeSignal", "Your alert is NOT SENT")
        },
        retry())

    case .retryTicked:
      switch state.phase {
      case .failed, .storing: return keep(&state)
      default: return .none
      }

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

  /// Arms an alert, and has somebody there who raises it.
  private func begin(_ state: inout State) -> Effect<Action> {
    state.begin(Armed(uuid()))
    return .merge(
      countDown(), keep(&state),
      // Whoever raises it says what hinders them.
      .run { [watchClient] _ in try? await watchClient.start() })
  }

  private func retry() -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: Self.retryDelay)
      await send(.retryTicked)
    }
    .cancellable(id: CancelID.retry, cancelInFlight: true)
  }

  /// Has the store keep what was begun, or raise it where no time is left. While the store is asked,
  /// what changes waits for its answer, so that nothing older comes after it.
  private func keep(_ state: inout State) -> Effect<Action> {
    guard var armed = state.armed else { return .none }
    armed.isStale = armed.isStoring
    defer { state.armed = armed }
    guard !armed.isStoring else { return .none }
    armed.isStoring = true
    let (id, delay) = (armed.id, TimeSpan.seconds(armed.secondsLeft))
    return .run { [alertClient, message = state.message.text] send in
      do throws(AlertError) {
        await send(Action(try await alertClient.arm(id, message, delay)))
      } catch {
        guard case .storage = error else { return await send(.raiseFailed(error)) }
        do throws(AlertError) {
          await send(.armed(try await alertClient.spool(id, message, delay)))
        } catch _ {
          await send(.raiseFailed(error))
        }
      }
    }
  }

  /// Counts on from the last key of the message.
  private func postpone(_ state: inout State) -> Effect<Action> {
    guard let armed = state.armed, armed.secondsLeft > 0 else { return .none }
    state.armed?.secondsLeft = max(
      1,
      min(
        ArmedAlert.writingDelay.seconds, ArmedAlert.longestDelay.seconds - armed.elapsed))
    return .merge(countDown(), keep(&state))
  }

  private func raise(_ state: inout State) -> Effect<Action> {
    state.armed?.secondsLeft = 0
    if state.phase != .writingMessage { state.phase = .storing }
    return .merge(.cancel(id: CancelID.countdown), .cancel(id: CancelID.retry), keep(&state))
  }

  private func stop(_ state: inout State) -> Effect<Action> {
    guard let armed = state.armed else {
      state.phase = .idle
      return .none
    }
    state.phase = .stopping
    return .merge(
      .cancel(id: CancelID.countdown), .cancel(id: CancelID.retry),
      .run { [alertClient] send in
        do throws(AlertError) {
          try await alertClient.disarm(armed.id)
          await send(.disarmed)
        } catch {
          await send(.disarmFailed(error))
        }
      })
  }

  /// Sends what was typed after the alert was on.
  private func sendMore(_ state: inout State, _ alert: Alert) -> Effect<Action> {
    state.phase = .raised(alert)
    state.messageProblem = nil
    let text = state.message.text
    guard !text.isEmpty else { return .none }
    return .run { [alertClient] send in
      do throws(AlertError) {
        await send(Action(try await alertClient.arm(alert.id, text, .zero)))
      } catch {
        await send(.raiseFailed(error))
      }
    }
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

extension EmergencyFeature.Action {
  /// What the store said of an alert that was begun.
  fileprivate init(_ arming: Arming) {
    self =
      switch arming {
      case .armed(let armed): .armed(armed)
      case .raised(let alert): .raised(alert)
      case .stopped: .disarmed
      }
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
  fileprivate var isCountingDown: Bool { self == .raising || self == .writingMessage }

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
  fileprivate func secondsLeft(at now: Date) -> Int {
    min(
      max(1, Int(firesAt.timeIntervalSince(now).rounded(.up))), ArmedAlert.longestDelay.seconds)
  }
}

extension String {
  /// What follows a beginning that was sent, or all of it.
  fileprivate func dropping(prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)).trimmingWhitespace() : self
  }
}
