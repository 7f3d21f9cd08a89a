import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Changes the check-in interval: presets or free entry, then a confirmation that shows the new
/// deadline (INT-1).
struct IntervalFeature: Reducer {
  struct State: EntryChooserState {
    static let presetCount = CheckInInterval.presets.count

    var position: ListPosition
    var customText = TextInput(limit: 40)
    var error: ValidationError?
    /// The interval that waits for confirmation.
    var proposed: CheckInInterval?
    var request = Request<Action>()

    init(snapshot: AccountSnapshot) {
      let index = CheckInInterval.presets.firstIndex(of: snapshot.user.interval)
      position = ListPosition(selected: index ?? Self.presetCount)
      if index == nil {
        customText = TextInput(snapshot.user.interval.span.exactDescription, limit: 40)
        customText.apply(.selectAll)
      }
    }

  }

  enum Action: EntryChooserAction, Codable, Equatable {
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
      // Select the old text, so that typing replaces it.
      if state.move(to: position) { state.customText.apply(.selectAll) }

    case .customEdited(let edit): state.edit(edit) { $0.customText.apply(.selectAll) }

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
      guard let interval = state.proposed, !state.request.isRunning else { return .none }
      state.request.begin()
      return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
        try await checkInClient.updateInterval(interval)
      }

    case .backButtonTapped:
      state.proposed = nil
      state.request.failure = nil

    case .closeButtonTapped: return .dismiss()
    case .saved: state.request.end()

    case .saveFailed(let error):
      state.request.fail(error.text)
    }
    return .none
  }
}

/// The sheet of presets and free entry, then the confirmation of the new deadline.
struct IntervalView: View {
  let store: StoreOf<IntervalFeature>
  /// The current snapshot, since another terminal may check in in the meantime.
  let snapshot: AccountSnapshot

  var body: some View {
    if let proposed = store.proposed {
      confirmation(proposed)
    } else {
      ChooserSheet(title: "Check in every …", width: 44, rows: rows, store: store) {
        ChooserField(
          label: "Other", placeholder: "36h, 2d 12h", digitTitle: "Another interval", store: store)
      }
    }
  }

  private var rows: [ChooserRow] {
    CheckInInterval.presets.map {
      ChooserRow(text: $0.displayText, isCurrent: $0 == snapshot.user.interval)
    } + [ChooserRow(text: "another interval, from 1h to 30d")]
  }

  private func confirmation(_ proposed: CheckInInterval) -> some View {
    let deadline = snapshot.user.deadline(every: proposed)
    // The new deadline may already have passed, so that responders would be notified soon.
    let isPast = deadline.date <= snapshot.now
    let when = snapshot.calendar.describe(deadline.date, now: snapshot.now)
    var message = "You will check in every \(proposed.inWords).\n"
    if isPast {
      message +=
        "Your deadline would already be past (\(when)): unless you check in, your responders would "
        + "be notified "
        + (deadline.graceEnd > snapshot.now
          ? "\(snapshot.calendar.describe(deadline.graceEnd, now: snapshot.now))." : "at once.")
    } else {
      message += "Your next deadline will be \(when). This is not a check-in."
    }
    return store.confirm(
      "Change the interval?", message, role: isPast ? .danger : .accent,
      no: .backButtonTapped, yes: ("Change", .confirmButtonTapped),
      request: store.request, progress: "Saving")
  }
}

extension User {
  /// The deadline with another interval.
  func deadline(every interval: CheckInInterval) -> Deadline {
    Deadline(
      lastCheckIn: lastCheckIn, interval: interval, grace: grace, pausedUntil: pausedUntil)
  }
}

extension IntervalFeature: SheetFeature {
  static let element = pathElement { IntervalFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    guard case .saved(let user) = action else { return nil }
    return .saved(user, text: "You now check in every \(user.interval.inWords).")
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    IntervalView(store: store, snapshot: snapshot)
  }
}

extension IntervalFeature.State: SheetState {}
