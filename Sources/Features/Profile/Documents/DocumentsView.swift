import Composable
import Domain
import Terminal

/// The sheet of the person's own documents.
struct DocumentsView: View {
  let store: StoreOf<DocumentsFeature>

  var body: some View {
    Sheet("Emergency documents", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        list.frame(height: min(max(1, store.documents?.count ?? 1), DocumentRow.visibleRows))
        Text("")
        if let entry = store.entry {
          field(entry)
        } else if let upload = store.upload {
          Gauge("Adding \(upload.name)", value: Double(upload.percent) / 100)
        } else if let failure = store.failure {
          Banner(failure.text.sentence, role: .danger, hint: failure.text.dismissHint)
        } else {
          Text("Those who respond for you may open them. Up to 20 files of 10 MB.")
            .foreground(.dim)
        }
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .overlay {
      if let document = store.removal { removal(document) }
    }
  }

  @ViewBuilder private var list: some View {
    if let documents = store.documents {
      List(
        documents, position: store.position, isFocused: store.entry == nil,
        onMove: { store.send(.moved($0)) },
        row: { document, _ in
          DocumentRow(document: document, note: document.access.displayText)
        },
        empty: {
          Text("None yet. Press a to add a medical card, an address or an itinerary.")
            .foreground(.dim)
        })
    } else {
      Text("Reading …").foreground(.dim)
    }
  }

  @ViewBuilder private func field(_ entry: DocumentsFeature.Entry) -> some View {
    switch entry.purpose {
    case .adding(let access):
      TextField(
        "File", input: entry.text, isFocused: true, placeholder: "~/medical-card.pdf",
        onEdit: { store.send(.entryEdited($0)) }
      ).labelWidth(8)
      Text("Your responders may open it \(access.displayText); Tab changes that.")
        .foreground(.dim)
    case .renaming:
      TextField(
        "Name", input: entry.text, isFocused: true, onEdit: { store.send(.entryEdited($0)) }
      ).labelWidth(8)
    }
  }

  private var commands: [Command] {
    if let entry = store.entry {
      var commands = [Command(key: "enter", title: "Keep") { store.send(.entryConfirmed) }]
      if case .adding = entry.purpose {
        commands.append(Command(key: "tab", title: "When to open") { store.send(.accessToggled) })
      }
      return commands + [Command(key: "esc", title: "Back") { store.send(.entryCancelled) }]
    }
    if store.upload != nil {
      return [Command(key: "esc", title: "Stop adding") { store.send(.uploadCancelled) }]
    }
    var commands = [Command(key: "a", title: "Add") { store.send(.addButtonTapped) }]
    if store.state.selected != nil {
      commands += [
        Command(key: "e", title: "Rename") { store.send(.renameButtonTapped) },
        Command(key: "o", title: "When to open") { store.send(.accessButtonTapped) },
        Command(key: "x", title: "Remove") { store.send(.removeButtonTapped) },
      ]
    }
    if let failure = store.failure {
      if failure.text.isRetryable {
        commands.append(Command(key: "r", title: "Try again") { store.send(.retryButtonTapped) })
      }
      return commands + [Command(key: "esc", title: "Dismiss") { store.send(.failureDismissed) }]
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }

  private func removal(_ document: EmergencyDocument) -> some View {
    Dialog(
      title: "Remove \(document.name)?",
      message: "It is gone for your responders too, and cannot be brought back.", role: .danger,
      buttons: [
        DialogButton("Keep", key: "esc") { store.send(.removalCancelled) },
        DialogButton("Remove", key: "y", role: .danger) { store.send(.removalConfirmed) },
      ])
  }
}

/// A document in a line: its name, its size, and when it may be opened.
struct DocumentRow: View {
  let document: EmergencyDocument
  let note: String
  var isOpen = true

  /// The most rows of a list; it scrolls beyond them.
  static let visibleRows = 10

  var body: some View {
    HStack(spacing: 2) {
      Text(document.name).foreground(isOpen ? .text : .dim)
        .frame(maxWidth: .max, alignment: .leading)
      Text(document.sizeText).frame(width: 8, alignment: .trailing)
      Text(note).foreground(.dim).frame(width: 22, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }
}
