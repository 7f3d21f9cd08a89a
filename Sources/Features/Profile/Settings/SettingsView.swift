import Composable
import Terminal

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
