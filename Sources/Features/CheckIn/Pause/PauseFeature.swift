import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Pauses check-ins, with presets or free entry and a confirmation that explains the consequences,
/// and ends a pause (CHK-7).
struct PauseFeature: Reducer {
  struct State: EntryChooserState {
    static let presetCount = Pause.presets.count

    /// The current snapshot.
    var snapshot: AccountSnapshot
    var step: Step
    var position = ListPosition(selected: 1)
    var customText = TextInput(limit: 40)
    var error: ValidationError?
    var request = Request<Action>()
    /// Says that this machine's clock is far from the server's, by which the pause counts.
    var clockWarning: String?

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      step = snapshot.user.deadline.isPaused(at: snapshot.now) ? .resuming : .choosing
    }

    /// The deadline after the proposed pause.
    var proposedDeadline: Deadline? {
      guard case .confirming(let end) = step else { return nil }
      var user = snapshot.user
      user.pausedUntil = end
      user.graceFrom = nil
      user.schedule?.moveOn(lastCheckIn: user.lastCheckIn, pausedUntil: end)
      return user.deadline
    }

    /// The end of the chosen or typed pause.
    fileprivate func chosenEnd() throws(ValidationError) -> Date {
      let now = snapshot.now
      guard isCustom else {
        return try Pause(from: now, until: now + Pause.presets[position.selected]).end
      }
      return try Pause.end(parsing: customText.text, now: now, calendar: snapshot.calendar)
    }
  }

  enum Step: Equatable, Sendable {
    case choosing
    /// The pause's end waits for confirmation.
    case confirming(Date)
    /// The person is asked whether to end the current pause.
    case resuming
  }

  enum Action: EntryChooserAction, Codable, Equatable {
    case moved(ListPosition)
    case customEdited(TextEdit)
    case chooseButtonTapped
    /// Chooses another end for the current pause.
    case changeButtonTapped
    case confirmButtonTapped
    case backButtonTapped
    case closeButtonTapped
    case saved(User)
    case saveFailed(ClientError)
    case failureDismissed
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.move(to: position)
    case .customEdited(let edit): state.edit(edit)

    case .chooseButtonTapped:
      state.clockWarning = ConnectionClient.clockWarning(lead: connectionClient.clockLead())
      do throws(ValidationError) {
        state.step = .confirming(try state.chosenEnd())
      } catch {
        state.error = error
      }

    case .changeButtonTapped:
      state.step = .choosing
      state.request.failure = nil

    case .confirmButtonTapped:
      guard !state.request.isRunning, state.step != .choosing else { return .none }
      state.request.begin()
      return save(state)

    case .backButtonTapped:
      state.step = .choosing
      state.request.failure = nil

    case .closeButtonTapped: return .dismiss()
    case .saved: state.request.end()

    case .saveFailed(let error):
      state.request.fail(error.text(dateClient))
    case .failureDismissed: state.request.failure = nil
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    .request(Action.saved, or: Action.saveFailed) {
      [step = state.step] () throws(ClientError) in
      switch step {
      case .confirming(let end): try await checkInClient.pause(end)
      case .choosing, .resuming: try await checkInClient.resume(.manual)
      }
    }
  }
}

/// The sheet of presets and free entry, and the confirmations before a pause begins or ends.
struct PauseView: View {
  let store: StoreOf<PauseFeature>

  var body: some View {
    switch store.step {
    case .choosing: choice
    case .confirming: question("Pause?", confirmation, confirm: "Pause")
    case .resuming:
      question("Paused", resumption, confirm: "Resume")
        .command("e", "Another end") { store.send(.changeButtonTapped) }
    }
  }

  private var choice: some View {
    ChooserSheet(title: "Pause for …", width: 48, rows: rows, store: store) {
      ChooserField(
        label: "Until", placeholder: "2 weeks, tomorrow 18:00, 2026-12-24",
        digitTitle: "Another pause",
        store: store)
    }
  }

  private var rows: [ChooserRow] {
    Pause.presets.map { ChooserRow(text: $0.exactDescription) }
      + [ChooserRow(text: "another span, or until a date")]
  }

  private func question(_ title: String, _ text: String, confirm: String) -> some View {
    Sheet(title, width: 58) {
      VStack(alignment: .leading, spacing: 1) {
        Text(text)
        RequestView(
          store.request, store, progress: "One moment", retry: .other("Enter"),
          dismiss: .failureDismissed)
        HStack(spacing: 1) {
          Spacer(minLength: 0)
          Button("Back", key: "esc") { leave() }
          if store.step == .resuming {
            Button("Another end", key: "e") { store.send(.changeButtonTapped) }
          }
          Button(confirm, key: "enter", role: .accent) {
            store.send(.confirmButtonTapped)
          }
          Spacer(minLength: 0)
        }
      }
      .padding(.horizontal, 1)
    }
    .command("enter", confirm) { store.send(.confirmButtonTapped) }
    .command("esc", "Back") { leave() }
  }

  private func leave() {
    store.send(store.step == .resuming ? .closeButtonTapped : .backButtonTapped)
  }

  private var confirmation: String {
    guard let deadline = store.state.proposedDeadline else { return "" }
    let snapshot = store.snapshot
    let end = snapshot.calendar.describe(deadline.next(at: snapshot.now), now: snapshot.now)
    let first = snapshot.calendar.describe(deadline.date, now: snapshot.now)
    let reminder =
      snapshot.user.profile.email == nil
      ? "" : " You are reminded before it ends."
    let warning = store.state.clockWarning.map { "\n\n" + $0 } ?? ""
    // An outing is a promise of its own (OUT-1).
    let notice =
      snapshot.user.outing.map {
        ". Your outing goes on: if you aren't back by"
          + " \(snapshot.calendar.describe($0.until, now: snapshot.now)), your responders are notified."
      } ?? ", and nobody is notified."
    return "Until \(end) you don't need to check in\(notice)\(reminder) Your first"
      + " deadline after it is \(first).\n\nYou can raise an alert at any time.\(warning)"
  }

  private var resumption: String {
    let snapshot = store.snapshot
    let user = snapshot.user
    let end = snapshot.pauseEndText
    var resumed = user
    (resumed.lastCheckIn, resumed.pausedUntil) = (snapshot.now, nil)
    resumed.schedule?.moveOn(lastCheckIn: snapshot.now, pausedUntil: snapshot.now)
    let next = snapshot.calendar.describe(resumed.deadline.date, now: snapshot.now)
    return "You are paused until \(end).\n\n"
      + "Resume checks you in and ends the pause. Your next deadline would be \(next)."
  }
}

extension PauseFeature: SheetFeature {
  static let element = pathElement { PauseFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .paused(user) } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    PauseView(store: store)
  }
}

extension PauseFeature.State: SheetState {
  mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
}
