import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Choosing how often to check in: a list of presets or free entry, then a confirmation that shows
/// the new deadline (INT-1).
struct IntervalFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var lastCheckIn: Date
    private(set) var pausedUntil: Date?
    private(set) var grace: TimeSpan
    private(set) var current: CheckInInterval
    /// Decides whether a new deadline is already past.
    private(set) var now: Date
    let calendar: CivilCalendar
    /// The choice; the row after the last preset is free entry.
    var position: ListPosition
    var customText = TextInput(limit: 40)
    var error: ValidationError?
    /// The interval that waits for its confirmation.
    var proposed: CheckInInterval?
    var isSaving = false
    var failure: ErrorText?

    init(snapshot: AccountSnapshot) {
      lastCheckIn = snapshot.user.lastCheckIn
      pausedUntil = snapshot.user.pausedUntil
      grace = snapshot.user.grace
      current = snapshot.user.interval
      now = snapshot.now
      calendar = snapshot.calendar
      let index = CheckInInterval.presets.firstIndex(of: snapshot.user.interval)
      position = ListPosition(selected: index ?? CheckInInterval.presets.count)
      if index == nil {
        customText = TextInput(snapshot.user.interval.span.exactDescription, limit: 40)
        customText.apply(.selectAll)
      }
    }

    /// Shows what the store and the clock say now: another terminal may check in meanwhile.
    mutating func show(_ snapshot: AccountSnapshot) {
      lastCheckIn = snapshot.user.lastCheckIn
      pausedUntil = snapshot.user.pausedUntil
      grace = snapshot.user.grace
      current = snapshot.user.interval
      now = snapshot.now
    }

    /// Chooses the row for free entry. Typing replaces what was there.
    fileprivate mutating func chooseCustom() {
      position.selected = CheckInInterval.presets.count
      customText.apply(.selectAll)
    }

    /// Whether the row for free entry is chosen.
    var isCustom: Bool { position.selected >= CheckInInterval.presets.count }

    /// The deadline that the proposed interval would mean.
    var proposedDeadline: Deadline? {
      proposed.map {
        Deadline(lastCheckIn: lastCheckIn, interval: $0, grace: grace, pausedUntil: pausedUntil)
      }
    }

    /// Whether that deadline has passed already, so that responders would be told soon.
    var proposedIsPast: Bool { proposedDeadline.map { $0.date <= now } ?? false }
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case customEdited(TextEdit)
    case chooseButtonTapped
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
      let wasCustom = state.isCustom
      state.position = position
      if state.isCustom, !wasCustom { state.chooseCustom() }
      state.error = nil

    case .customEdited(let edit):
      if !state.isCustom {
        // Who types a number while a preset is chosen means another interval.
        guard case .insert = edit else { return .none }
        state.chooseCustom()
      }
      state.customText.apply(edit)
      state.error = nil

    case .chooseButtonTapped:
      do throws(ValidationError) {
        state.proposed =
          state.isCustom
          ? try CheckInInterval(parsing: state.customText.text)
          : CheckInInterval.presets[state.position.selected]
      } catch {
        state.error = error
      }

    case .confirmButtonTapped:
      guard let interval = state.proposed, !state.isSaving else { return .none }
      state.isSaving = true
      state.failure = nil
      return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
        try await checkInClient.updateInterval(interval)
      }

    case .backButtonTapped:
      state.proposed = nil
      state.failure = nil

    case .closeButtonTapped: return .dismiss()
    case .saved: state.isSaving = false

    case .saveFailed(let error):
      state.isSaving = false
      state.failure = error.text
    }
    return .none
  }
}

/// The sheet of presets and free entry, then the question whether the new deadline is meant.
struct IntervalView: View {
  let store: StoreOf<IntervalFeature>

  var body: some View {
    if let proposed = store.proposed {
      confirmation(proposed)
    } else {
      Sheet("Check in every …", width: 44) {
        VStack(alignment: .leading, spacing: 0) {
          List(
            rows, position: store.position, isFocused: true,
            onMove: { store.send(.moved($0)) }, onOpen: { _ in store.send(.chooseButtonTapped) }
          ) { row, _ in
            HStack(spacing: 1) {
              Text(row.text)
              Spacer(minLength: 0)
              if row.isCurrent { Text("now").foreground(.dim) }
            }
          }
          .frame(height: rows.count)
          TextField(
            "Other", input: store.customText, isFocused: store.isCustom, placeholder: "36h, 2d 12h",
            error: store.error?.errorDescription,
            onFocus: { store.send(.moved(ListPosition(selected: CheckInInterval.presets.count))) },
            onEdit: { store.send(.customEdited($0)) })
        }
        .padding(.horizontal, 1)
      }
      .command("enter", "Choose") { store.send(.chooseButtonTapped) }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
      .with(digits)
    }
  }

  /// A number that is typed while a preset is chosen begins another interval.
  private var digits: [Command] {
    "0123456789".map { digit in
      Command(key: KeyPress(.character(digit)), title: "Another interval", isHidden: true) {
        store.send(.customEdited(.insert(String(digit))))
      }
    }
  }

  private struct Row {
    var text: String
    var isCurrent: Bool
  }

  private var rows: [Row] {
    CheckInInterval.presets.map { Row(text: $0.displayText, isCurrent: $0 == store.current) }
      + [Row(text: "another interval", isCurrent: false)]
  }

  private func confirmation(_ proposed: CheckInInterval) -> some View {
    let deadline = store.proposedDeadline!
    let when = store.calendar.describe(deadline.date, now: store.now)
    var message = "You will check in every \(proposed.displayText).\n"
    if store.proposedIsPast {
      message +=
        "Your deadline would already be past (\(when)): unless you check in, your responders would "
        + "be told "
        + (deadline.graceEnd > store.now
          ? "\(store.calendar.describe(deadline.graceEnd, now: store.now))." : "at once.")
    } else {
      message += "Your next deadline will be \(when). This is not a check-in."
    }
    if let failure = store.failure { message += "\n\n\(failure.sentence)" }
    return store.confirm(
      "Change the interval?", message, role: store.proposedIsPast ? .danger : .accent,
      no: .backButtonTapped, yes: (store.isSaving ? "Saving …" : "Change", .confirmButtonTapped))
  }
}
