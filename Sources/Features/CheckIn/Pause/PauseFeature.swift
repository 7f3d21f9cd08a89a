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
    case saveFailed(CheckInError)
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      state.position = position
      state.error = nil
      return .none

    case .customEdited(let edit):
      if !state.isCustom {
        // Who types a number while a preset is chosen means another pause.
        guard case .insert = edit else { return .none }
        state.position.selected = Pause.presets.count
      }
      state.customText.apply(edit)
      state.error = nil
      return .none

    case .passphraseEdited(let edit):
      state.passphrase.apply(edit)
      return .none

    case .chooseButtonTapped:
      do throws(ValidationError) {
        state.step = .confirming(try state.chosenEnd())
      } catch {
        state.error = error
      }
      return .none

    case .changeButtonTapped:
      state.step = .choosing
      state.failure = nil
      return .none

    case .confirmButtonTapped:
      guard !state.isSaving, state.step != .choosing else { return .none }
      state.isSaving = true
      state.failure = nil
      return save(state)

    case .backButtonTapped:
      state.step = .choosing
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
      state.passphrase = TextInput(limit: 256, isSecure: true)
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    let passphrase = state.hasGate ? Secret(state.passphrase.text) : nil
    return .run { [checkInClient, step = state.step] send in
      do throws(CheckInError) {
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
