import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Pausing: a list of spans or free entry, then a confirmation that says what it means; and ending a
/// pause that runs (CHK-7).
struct PauseFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var user: User
    /// Decides whether an end lies within the next 30 days.
    private(set) var now: Date
    let calendar: CivilCalendar
    var step: Step
    /// The choice; the row after the last preset is free entry.
    var position = ListPosition(selected: 1)
    var customText = TextInput(limit: 40)
    /// Typed where there is a gate (CHK-3).
    var passphrase = TextInput(limit: 256, isSecure: true)
    var error: ValidationError?
    var isSaving = false
    var failure: ErrorText?

    init(snapshot: AccountSnapshot) {
      user = snapshot.user
      now = snapshot.now
      calendar = snapshot.calendar
      step = snapshot.user.deadline.isPaused(at: snapshot.now) ? .resuming : .choosing
    }

    /// Shows what the store and the clock say now.
    mutating func show(_ snapshot: AccountSnapshot) {
      user = snapshot.user
      now = snapshot.now
    }

    /// Whether the row for free entry is chosen.
    var isCustom: Bool { position.selected >= Pause.presets.count }

    var hasGate: Bool { user.locks.contains(.gate) }

    /// The deadline that the proposed pause would mean.
    var proposedDeadline: Deadline? {
      guard case .confirming(let end) = step else { return nil }
      return Deadline(
        lastCheckIn: user.lastCheckIn, interval: user.interval, grace: user.grace,
        pausedUntil: end)
    }

    /// When the chosen or typed pause would end.
    fileprivate func chosenEnd() throws(ValidationError) -> Date {
      guard isCustom else {
        return try Pause(from: now, until: now + Pause.presets[position.selected]).end
      }
      return try Pause.end(parsing: customText.text, now: now, calendar: calendar)
    }
  }

  enum Step: Equatable, Sendable {
    case choosing
    /// The end waits for its confirmation.
    case confirming(Date)
    /// The question whether to end the pause that runs.
    case resuming
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case customEdited(TextEdit)
    case passphraseEdited(TextEdit)
    case chooseButtonTapped
    /// Another end for the pause that runs.
    case changeButtonTapped
    case confirmButtonTapped
    case backButtonTapped
    case closeButtonTapped
    case saved(User)
    case saveFailed(ClientError)
  }

  @Dependency(\.checkInClient) var checkInClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      state.position = position
      state.error = nil

    case .customEdited(let edit):
      if !state.isCustom {
        // Who types a number while a preset is chosen means another pause.
        guard case .insert = edit else { return .none }
        state.position.selected = Pause.presets.count
      }
      state.customText.apply(edit)
      state.error = nil

    case .passphraseEdited(let edit): state.passphrase.apply(edit)

    case .chooseButtonTapped:
      do throws(ValidationError) {
        state.step = .confirming(try state.chosenEnd())
      } catch {
        state.error = error
      }

    case .changeButtonTapped:
      state.step = .choosing
      state.failure = nil

    case .confirmButtonTapped:
      guard !state.isSaving, state.step != .choosing else { return .none }
      state.isSaving = true
      state.failure = nil
      return save(state)

    case .backButtonTapped:
      state.step = .choosing
      state.failure = nil

    case .closeButtonTapped: return .dismiss()
    case .saved: state.isSaving = false

    case .saveFailed(let error):
      state.isSaving = false
      state.failure = error.text
      state.passphrase = TextInput(limit: 256, isSecure: true)
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    let passphrase = state.hasGate ? Secret(state.passphrase.text) : nil
    return .run { [checkInClient, step = state.step] send in
      do throws(ClientError) {
        switch step {
        case .confirming(let end):
          await send(.saved(try await checkInClient.pause(end, passphrase)))
        case .choosing, .resuming:
          await send(.saved(try await checkInClient.resume(.manual, passphrase)))
        }
      } catch {
        await send(.saveFailed(error))
      }
    }
  }
}

/// The sheet of presets and free entry, and the questions before a pause begins or ends.
struct PauseView: View {
  let store: StoreOf<PauseFeature>

  var body: some View {
    switch store.step {
    case .choosing: choice
    case .confirming: question("Pause?", confirmation, confirm: "Pause")
    case .resuming:
      question("Paused", resumption, confirm: "Resume")
        .command("e", "Another end", isHidden: store.state.hasGate) {
          store.send(.changeButtonTapped)
        }
    }
  }

  private var choice: some View {
    Sheet("Pause for …", width: 48) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          rows, position: store.position, isFocused: true,
          onMove: { store.send(.moved($0)) }, onOpen: { _ in store.send(.chooseButtonTapped) }
        ) { row, _ in
          Text(row)
        }
        .frame(height: rows.count)
        TextField(
          "Until", input: store.customText, isFocused: store.state.isCustom,
          placeholder: "36h, 2d 12h, 2026-12-24 18:00", error: store.error?.errorDescription,
          onFocus: { store.send(.moved(ListPosition(selected: Pause.presets.count))) },
          onEdit: { store.send(.customEdited($0)) })
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Choose") { store.send(.chooseButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .with(digits)
  }

  /// A number that is typed while a preset is chosen begins another pause.
  private var digits: [Command] {
    "0123456789".map { digit in
      Command(key: KeyPress(.character(digit)), title: "Another pause", isHidden: true) {
        store.send(.customEdited(.insert(String(digit))))
      }
    }
  }

  private var rows: [String] {
    Pause.presets.map(\.exactDescription) + ["another span, or until a date"]
  }

  private func question(_ title: String, _ text: String, confirm: String) -> some View {
    Sheet(title, width: 58) {
      VStack(alignment: .leading, spacing: 1) {
        Text(text)
        if store.state.hasGate {
          TextField(
            "Passphrase", input: store.passphrase, isFocused: true,
            onEdit: { store.send(.passphraseEdited($0)) })
        }
        if let failure = store.failure { FailureText(failure) }
        HStack(spacing: 1) {
          Spacer(minLength: 0)
          Button("Back", key: "esc") { leave() }
          if store.step == .resuming, !store.state.hasGate {
            Button("Another end", key: "e") { store.send(.changeButtonTapped) }
          }
          Button(store.isSaving ? "One moment …" : confirm, key: "enter", role: .accent) {
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
    let end = store.calendar.describe(deadline.start, now: store.now)
    let first = store.calendar.describe(deadline.date, now: store.now)
    let reminder =
      store.user.profile.email == nil
      ? "" : " You are reminded before it ends."
    return "Until \(end) nobody expects a check-in, and nobody is told when there is none."
      + "\(reminder) Your first deadline after it is \(first).\n\n"
      + "You can raise an alert at any time."
  }

  private var resumption: String {
    let deadline = store.user.deadline
    let end = store.calendar.describe(deadline.start, now: store.now)
    let next = store.calendar.describe(store.now + store.user.interval.span, now: store.now)
    return "You are paused until \(end).\n\n"
      + "Resuming ends the pause by a check-in; your next deadline would be \(next)."
  }
}
