import Composable
import Terminal

/// Overlays: dialogs, sheets, toasts and more.
struct DialogsPage: View {
  let store: StoreOf<GalleryFeature>

  var body: some View {
    VStack {
      if store.isBannerShown {
        Banner("The server cannot be reached.", hint: "b dismiss")
      }
      Panel("Over everything else") {
        VStack(spacing: 1) {
          entry("d", "Dialog", "a question with its answers") {
            store.send(.overlayShown(.dialog(selected: 0)))
          }
          entry("s", "Sheet", "a panel that slides in, at once where motion is reduced") {
            store.send(.overlayShown(.sheet(step: 0)))
          }
          entry("o", "Toast", "a message for three seconds that takes no keys") {
            store.send(.toastShown("Saved. Nothing else changed."))
          }
          entry("b", "Banner", "a line that stays until something is done") {
            store.send(.bannerToggled)
          }
          entry(":", "Commands", "everything that can be done, found by typing") {
            store.send(.overlayShown(.palette))
          }
          entry("?", "Keys", "what each key does here") { store.send(.overlayShown(.keys)) }
        }
        .padding(.top, 1)
      }
    }
  }

  private func entry(
    _ key: KeyPress, _ title: String, _ explanation: String,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    HStack(spacing: 2) {
      Button(title, key: key, action: action).frame(width: 18, alignment: .leading)
        .layoutPriority(1)
      Text(explanation).foreground(.dim).lineLimit(1)
    }
  }
}

/// The question on the dialogs page.
struct QuestionDialog: View {
  let store: StoreOf<GalleryFeature>
  let selected: Int

  var body: some View {
    Dialog(
      title: "Remove Grace Hopper?",
      message: "She will no longer be notified if you don't check in.", role: .danger,
      buttons: [
        DialogButton("Keep", key: "esc") { store.send(.dialogAnswered("She stays.")) },
        DialogButton("Remove", key: "y", role: .danger) {
          store.send(.dialogAnswered("Removed, if this were not the gallery."))
        },
      ], selected: selected, onSelect: { store.send(.dialogMoved($0)) })
  }
}

/// The sheet on the dialogs page.
struct SlidingSheet: View {
  let store: StoreOf<GalleryFeature>
  let step: Int

  var body: some View {
    Sheet(
      "Grace Hopper", width: 50, footer: "Esc close",
      progress: Double(step) / Double(GalleryFeature.slideSteps)
    ) {
      VStack {
        Text("▲ non-responsive for 2h 13m").foreground(.danger)
        Divider()
        Specimen("last seen") { Text("yesterday 07:58, every 24 h") }
        Specimen("phone") { Text("+44 20 7183 8750") }
        Specimen("note") { Text("Key with the neighbour, no 4.") }
      }
    }
    .command("esc", "Close") { store.send(.overlayClosed) }
  }
}
