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
    case saveFailed(CheckInError)
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      let wasCustom = state.isCustom
      state.position = position
      if state.isCustom, !wasCustom { state.chooseCustom() }
      state.error = nil
      return .none

    case .customEdited(let edit):
      if !state.isCustom {
        // Who types a number while a preset is chosen means another interval.
        guard case .insert = edit else { return .none }
        state.chooseCustom()
      }
      state.customText.apply(edit)
      state.error = nil
      return .none

    case .chooseButtonTapped:
      do throws(ValidationError) {
        state.proposed =
          state.isCustom
          ? try CheckInInterval(parsing: state.customText.text)
          : CheckInInterval.presets[state.position.selected]
      } catch {
        state.error = error
      }
      return .none

    case .confirmButtonTapped:
      guard let interval = state.proposed, !state.isSaving else { return .none }
      state.isSaving = true
      state.failure = nil
      return .run { [checkInClient] send in
        do throws(CheckInError) {
          await send(.saved(try await checkInClient.updateInterval(interval)))
        } catch {
          await send(.saveFailed(error))
        }
      }

    case .backButtonTapped:
      state.proposed = nil
      state.failure = nil
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }

    case .saved:
      state.isSaving = false
      return .none

    case .saveFailed(let error):
      state.isSaving = false
      state.failure = error.text
      return .none
    }
  }
}
