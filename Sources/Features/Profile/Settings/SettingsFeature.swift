import Clients
import Composable
import Terminal

/// The look of the screen: theme and reduced motion. A choice shows at once and is stored at once,
/// in the document `settings/appearance`.
struct SettingsFeature: Reducer {
  enum Field: String, CaseIterable, Codable, Equatable, Sendable {
    case theme, motion
  }

  struct State: Equatable, Sendable {
    private(set) var appearance: Appearance
    var focus = Field.theme

    init(snapshot: AccountSnapshot) { appearance = snapshot.appearance }

    /// Shows the stored appearance.
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

    case .focusMoved: state.focus = state.focus.next
    case .closeButtonTapped: return .dismiss()
    case .failed: break
    }
    return .none
  }

  private func keep(_ appearance: Appearance) -> Effect<Action> {
    .request(or: Action.failed) { () throws(StorageError) in
      try await storageClient.setValue(appearance, at: .appearance)
    }
  }
}

/// The sheet for the look of the screen.
struct SettingsView: View {
  let store: StoreOf<SettingsFeature>

  var body: some View {
    let themes = ThemeName.allCases
    Sheet("Settings", width: 52) {
      VStack(alignment: .leading, spacing: 0) {
        Picker(
          "Theme", choices: themes.map(\.rawValue),
          selected: themes.firstIndex(of: store.appearance.theme) ?? 0,
          isFocused: store.focus == .theme, onChange: { store.send(.themeChosen(themes[$0])) }
        )
        .labelWidth(14)
        HStack(spacing: 1) {
          Text("Reduced motion").foreground(store.focus == .motion ? .accent : .dim)
            .frame(width: 14, alignment: .leading)
          Toggle(
            "nothing moves by itself", isOn: store.appearance.reducesMotion,
            isFocused: store.focus == .motion, onChange: { _ in store.send(.motionToggled) })
        }
      }
      .padding(.horizontal, 1)
    }
    .command("tab", "Next") { store.send(.focusMoved) }
    .command("down", "Next", isHidden: true) { store.send(.focusMoved) }
    .command("up", "Previous", isHidden: true) { store.send(.focusMoved) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }
}
