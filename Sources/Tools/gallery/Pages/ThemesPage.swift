import Composable
import Terminal

/// Each role of the chosen theme, as text and as a background.
struct ThemesPage: View {
  let store: StoreOf<GalleryFeature>

  private static let texts: [ThemeRole] = [.text, .dim, .accent, .calm, .warning, .danger]
  private static let grounds: [ThemeRole] = [
    .accent, .calm, .warning, .danger, .selection, .inactiveSelection, .field,
  ]

  private var theme: Theme { store.theme.theme(isASCII: store.isASCII) }

  /// Shows the contrast ratio of WCAG 2.2 with one decimal. Shows nothing without colours, because
  /// then the terminal decides how dim text looks.
  @ViewBuilder private func contrast(_ ink: Color, _ ground: Color?) -> some View {
    let ink = ink == .standard ? theme.canvas.text : ink
    let ground = ground ?? theme.canvas.background
    if store.theme != .mono, let ratio = ink.contrast(to: ground) {
      let tenths = Int((ratio * 10).rounded(.down))
      Text("\(tenths / 10).\(tenths % 10)").foreground(.dim).layoutPriority(1)
    }
  }

  var body: some View {
    VStack {
      Panel("Settings", isFocused: true) {
        HStack(spacing: 3) {
          Picker(
            "Theme", choices: GalleryTheme.allCases.map(\.rawValue),
            selected: GalleryTheme.allCases.firstIndex(of: store.theme)!, isFocused: true
          ) { store.send(.themeSelected(GalleryTheme.allCases[$0])) }
          Toggle("ASCII", isOn: store.isASCII) { _ in store.send(.asciiToggled) }
          Toggle("Reduced motion", isOn: store.reducesMotion) { _ in store.send(.motionToggled) }
        }
      }
      .frame(height: 3)
      HStack(spacing: 0) {
        Panel("Text") {
          ForEach(0..<Self.texts.count) { index in
            let role = Self.texts[index]
            Specimen("\(role)") {
              Text("The quick brown fox").foreground(role).lineLimit(1)
              Spacer()
              contrast(theme[role].foreground, nil)
            }
          }
          Divider()
          Specimen("border") { Text("────────").foreground(.border) }
          Specimen("focus") { Text("────────").foreground(.focusedBorder) }
          Specimen("track") { Text("────────").foreground(.track) }
        }
        Panel("Grounds") {
          ForEach(0..<Self.grounds.count) { index in
            let role = Self.grounds[index]
            HStack(spacing: 1) {
              Text("\(role)").foreground(.dim).lineLimit(1).frame(width: 17, alignment: .leading)
                .layoutPriority(1)
              Text(" jumps ").lineLimit(1).background(role)
              Spacer()
              contrast(theme.filled(role).foreground, theme.filled(role).background)
            }
          }
        }
      }
    }
  }
}
