import Clients
import Composable

/// How the screen looks: theme and reduced motion, kept as the document `settings/appearance`. A
/// choice shows at once and is kept at once.
struct SettingsFeature: Reducer {
  enum Field: String, CaseIterable, Codable, Equatable, Sendable {
    case theme, motion
  }

  struct State: Equatable, Sendable {
    private(set) var appearance: Appearance
    var focus = Field.theme

    init(snapshot: AccountSnapshot) { appearance = snapshot.appearance }

    /// Shows what the store says now.
    mutating func show(_ snapshot: AccountSnapshot) { appearance = snapshot.appearance }

    fileprivate mutating func choose(_ change: (inout Appearance) -> Void) { change(&appearance) }
  }

  enum Action: Codable, Equatable, Sendable {
    case themeChosen(ThemeName)
    case motionToggled
    case focusMoved
    case closeButtonTapped
    case failed(StorageError)
  }

  @Dependency(\.storageClient) var storageClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .themeChosen(let theme):
      state.focus = .theme
      state.choose { $0.theme = theme }
      return keep(state.appearance)

    case .motionToggled:
      state.focus = .motion
      state.choose { $0.reducesMotion.toggle() }
      return keep(state.appearance)

    case .focusMoved:
      state.focus = state.focus.next
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }

    case .failed:
      return .none
    }
  }

  private func keep(_ appearance: Appearance) -> Effect<Action> {
    .run { [storageClient] send in
      do throws(StorageError) {
        try await storageClient.setValue(appearance, at: .appearance)
      } catch {
        await send(.failed(error))
      }
    }
  }
}
