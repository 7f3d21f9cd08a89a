import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Changes how often the person checks in: within an interval or by set times, then a confirmation
/// that shows the new deadlines (INT-1, SCH-4).
struct IntervalFeature: Reducer {
  struct State: EntryChooserState {
    static let presetCount = CheckInInterval.presets.count

    var position: ListPosition
    var customText = TextInput(limit: 200)
    var error: ValidationError?
    /// What waits for confirmation.
    var proposed: Promise?
    var request = Request<Action>()
    /// The zone of times that are typed without one.
    let zone: String
    /// How long before a time a check-in counts.
    let opening: TimeSpan

    init(snapshot: AccountSnapshot) {
      let promise = snapshot.user.promise
      let index = CheckInInterval.presets.firstIndex { .interval($0) == promise }
      position = ListPosition(selected: index ?? Self.presetCount)
      let ownZone = snapshot.calendar.zoneName
      zone = snapshot.user.schedule?.times.zone ?? ownZone
      opening = snapshot.user.schedule?.times.opening ?? SetTimes.standardOpening
      if index == nil {
        customText = TextInput(
          zone == ownZone ? promise.typedText : "\(promise.typedText) \(zone)", limit: 200)
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
          ? try Promise(
            parsing: state.customText.text, zone: state.zone, opening: state.opening)
          : .interval(CheckInInterval.presets[state.position.selected])
        if case .setTimes(let times)? = state.proposed, ZoneData.rules(of: times.zone) == nil {
          state.proposed = nil
          throw .zone(times.zone)
        }
      } catch {
        state.error = error
      }

    case .confirmButtonTapped:
      guard let promise = state.proposed, !state.request.isRunning else { return .none }
      state.request.begin()
      return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
        try await checkInClient.update(promise)
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

/// The sheet of presets and free entry, then the confirmation of the new deadlines.
struct IntervalView: View {
  let store: StoreOf<IntervalFeature>
  /// The current snapshot, since another terminal may check in in the meantime.
  let snapshot: AccountSnapshot

  var body: some View {
    if let proposed = store.proposed {
      confirmation(proposed)
    } else {
      ChooserSheet(title: "How often", width: 50, rows: rows, store: store) {
        ChooserField(
          label: "Other", placeholder: "36h, daily 09:00, mon-fri 8:30",
          digitTitle: "Another interval or times",
          // Also the first letters of what times begin with, such as daily, every, mon or noon.
          beginnings: "0123456789dewmtfsnab", store: store)
      }
    }
  }

  private var rows: [ChooserRow] {
    CheckInInterval.presets.map {
      ChooserRow(
        text: "every \($0.displayText)", isCurrent: .interval($0) == snapshot.user.promise)
    } + [ChooserRow(text: "another interval, or times of day")]
  }

  private func confirmation(_ proposed: Promise) -> some View {
    let message = message(about: proposed)
    return store.confirm(
      "Change how often?", message.text, role: message.isDanger ? .danger : .accent,
      no: .backButtonTapped, yes: ("Change", .confirmButtonTapped),
      request: store.request, progress: "Saving")
  }

  private func message(about proposed: Promise) -> (text: String, isDanger: Bool) {
    let (user, now) = (snapshot.user, snapshot.now)
    let title = "You will check in \(proposed.inWords)"
    guard let changed = try? user.changing(to: proposed, at: now) else { return (title, true) }
    let deadline = changed.deadline
    let when = snapshot.calendar.describe(deadline.date, now: now)
    // The new deadline may already have passed, so that responders would be notified soon.
    if deadline.date <= now, user.schedule != nil {
      return ("\(title).\nYour deadline would already be past (\(when)): check in first.", true)
    }
    if deadline.date <= now {
      return (
        "\(title).\nYour deadline would already be past (\(when)): unless you check in, your responders"
          + " would be notified "
          + (deadline.graceEnd > now
            ? "\(snapshot.calendar.describe(deadline.graceEnd, now: now))." : "at once."),
        true
      )
    }
    guard let schedule = changed.schedule else {
      return ("\(title).\nYour next deadline will be \(when). This is not a check-in.", false)
    }
    let next = schedule.upcoming(3).map { snapshot.calendar.describe($0, now: now) }
    let there = schedule.clockThere(snapshot.calendar).map { " (\($0))" } ?? ""
    let old = user.schedule?.upcoming(3) ?? [user.deadline.date]
    return (
      "\(title), \(schedule.times.zoneTitle) time.\n"
        + "Your next deadlines will be \(next.joinedAsList)\(there); now "
        + "\(old.map { snapshot.calendar.describe($0, now: now) }.joinedAsList).\n"
        + "A check-in will count from \(snapshot.calendar.describe(schedule.opens, now: now)). The"
        + " longest you can be silent: \(changed.longestSilence(from: now).shortDescription). This is not"
        + " a check-in.", false
    )
  }
}

extension Promise {
  /// The promise as a person would type it.
  fileprivate var typedText: String {
    switch self {
    case .interval(let interval): interval.span.exactDescription
    case .setTimes(let times): times.text
    }
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
    return .saved(user, text: "You now check in \(user.promiseInWords).")
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    IntervalView(store: store, snapshot: snapshot)
  }
}

extension IntervalFeature.State: SheetState {}
