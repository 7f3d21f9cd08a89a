import Composable
import Terminal

/// The look of the screen on this terminal: theme and reduced motion. A choice shows and is kept at
/// once.
struct SettingsFeature: Reducer {
  enum Field: String, CaseIterable, Codable, Equatable, Sendable {
    case theme, motion
  }

  struct State: RecordableBindings, Equatable, Sendable {
    static let bindableProperties = [
      BindableProperty("theme", \State.theme),
      BindableProperty("reducedMotion", \State.reducesMotion),
    ]

    @Shared(.terminalSettings) private var settings = TerminalSettings()
    var focus = Field.theme

    var theme: ThemeName {
      get { settings.appearance.theme }
      set { $settings.withLock { $0.appearance.theme = newValue } }
    }

    var reducesMotion: Bool {
      get { settings.appearance.reducesMotion }
      set { $settings.withLock { $0.appearance.reducesMotion = newValue } }
    }
  }

  enum Action: BindableAction, Codable, Equatable, Sendable {
    case binding(BindingAction<State>)
    case focusMoved
    case closeButtonTapped

    static let bindingCase = CasePath(reflecting: Self.binding)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(let change): state.focus = change.changes(\.theme) ? .theme : .motion
      case .focusMoved: state.focus = state.focus.next
      case .closeButtonTapped: return .dismiss()
      }
      return .none
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
          selected: themes.firstIndex(of: store.theme) ?? 0,
          isFocused: store.focus == .theme,
          onChange: { store.binding(\.theme).value = themes[$0] }
        )
        .labelWidth(14)
        HStack(spacing: 1) {
          Text("Reduced motion").foreground(store.focus == .motion ? .accent : .dim)
            .frame(width: 14, alignment: .leading)
          Toggle(
            "nothing moves by itself", isOn: store.reducesMotion,
            isFocused: store.focus == .motion,
            onChange: { store.binding(\.reducesMotion).value = $0 })
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

extension SettingsFeature: SheetFeature {
  static let element = pathElement { SettingsFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    SettingsView(store: store)
  }
}

extension SettingsFeature.State: SheetState {}
