import Composable
import Domain
import Terminal

/// The sheet with the person's code: for a camera, for copying, and for reading aloud.
struct CodeView: View {
  let store: StoreOf<CodeFeature>

  var body: some View {
    Sheet("Your code", width: 80) {
      HStack(alignment: .top, spacing: 1) {
        if let modules = store.modules {
          QRCode(modules, label: "QR code of \(store.code.link)")
        }
        VStack(alignment: .leading, spacing: 0) {
          Text("Who has it can ask to be your contact; you decide.").foreground(.dim)
          Text("")
          Text("lifesignal://add/")
          Text(store.code.text)
          Text("")
          if let path = store.path { field(path) }
          if let message = store.message { Text(message).foreground(.calm) }
          if let failure = store.failure { Text("! \(failure.sentence)").foreground(.danger) }
          if store.isResetting { Text("Making a new code …").foreground(.dim) }
        }
        .frame(maxWidth: .max, alignment: .leading)
      }
    }
    .with(store.path == nil ? commands : pathCommands)
    .overlay {
      if store.isConfirmingReset { reset }
    }
  }

  private var commands: [Command] {
    [
      Command(key: "y", title: "Copy link") { store.send(.copyButtonTapped) },
      Command(key: "w", title: "Save picture") { store.send(.saveButtonTapped) },
      Command(key: "R", title: "New code") { store.send(.resetButtonTapped) },
      Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) },
    ]
  }

  private var pathCommands: [Command] {
    [
      Command(key: "enter", title: "Save") { store.send(.pathConfirmed) },
      Command(key: "esc", title: "Back") { store.send(.pathCancelled) },
    ]
  }

  private func field(_ path: TextInput) -> some View {
    VStack(alignment: .leading, spacing: 0) {
      TextField(
        "Save as", input: path, isFocused: true, placeholder: "code.png or code.svg",
        onEdit: { store.send(.pathEdited($0)) }
      ).labelWidth(8)
      Text("a .png or .svg file").foreground(.dim)
    }
  }

  private var reset: some View {
    Dialog(
      title: "Make a new code?",
      message:
        "Your old code is worth nothing from then on: whoever has it cannot ask you any more."
        + " Your contacts stay.",
      role: .warning,
      buttons: [
        DialogButton("Keep", key: "esc") { store.send(.resetCancelled) },
        DialogButton("New code", key: "y", role: .danger) { store.send(.resetConfirmed) },
      ])
  }
}
