import Composable
import Terminal

/// Buttons, switches, choices and spinners.
struct ControlsPage: View {
  let store: StoreOf<ControlsFeature>
  let frame: Int

  private static let forms = Spinner.Form.allCases

  var body: some View {
    VStack {
      Panel("Buttons", isFocused: focuses(.checkIn, .alert)) {
        HStack(spacing: 2) {
          Button("Check in", key: "c", isFocused: store.focus == .checkIn) {
            store.send(.buttonPressed("Checked in."))
          }
          Button("Alert", key: "!", role: .danger, isFocused: store.focus == .alert) {
            store.send(.buttonPressed("No alert: this is the gallery."))
          }
          Button("Not now", isEnabled: false) {}
        }
        .padding(.top, 1)
      }
      .frame(height: 5)
      HStack(spacing: 0) {
        Panel("Switches and choices", isFocused: focuses(.sound, .watch, .interval, .spinner)) {
          VStack(spacing: 1) {
            Toggle("Sound", isOn: store.hasSound, isFocused: store.focus == .sound) { _ in
              store.send(.soundToggled)
            }
            Toggle("Watch at night", isOn: store.isWatched, isFocused: store.focus == .watch) {
              _ in store.send(.watchToggled)
            }
            Picker(
              "Every", choices: ControlsFeature.intervals, selected: store.interval,
              isFocused: store.focus == .interval
            ) { store.send(.intervalChosen($0)) }
            Picker(
              "Spinner", choices: Self.forms.map { "\($0)" }, selected: store.spinner,
              isFocused: store.focus == .spinner
            ) { store.send(.spinnerChosen($0)) }
          }
          .labelWidth(9)
          .padding(.top, 1)
        }
        Panel("Waiting") {
          VStack(spacing: 1) {
            HStack {
              Spinner(frame: frame, form: Self.forms[store.spinner])
              Text("sending …")
            }
            ForEach(0..<Self.forms.count) { index in
              HStack {
                Spinner(frame: frame + index, form: Self.forms[index])
                Text("\(Self.forms[index])").foreground(.dim)
              }
            }
          }
          .padding(.top, 1)
        }
      }
    }
    .command("tab", "Next") { store.send(.moved(1)) }
    .command("shift+tab", "Previous", isHidden: true) { store.send(.moved(-1)) }
    .command("down", "Next", isHidden: true) { store.send(.moved(1)) }
    .command("up", "Previous", isHidden: true) { store.send(.moved(-1)) }
  }

  private func focuses(_ controls: ControlsFeature.Control...) -> Bool {
    controls.contains(store.focus)
  }
}
