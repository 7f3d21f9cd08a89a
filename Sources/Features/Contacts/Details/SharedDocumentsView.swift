import Clients
import Composable
import Domain
import Terminal

/// The sheet with a dependent's documents.
struct SharedDocumentsView: View {
  let store: StoreOf<SharedDocumentsFeature>

  var body: some View {
    Sheet("Documents of \(store.contact.name)", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        list.frame(height: min(max(1, store.documents?.count ?? 1), DocumentRow.visibleRows))
        Text("")
        if let download = store.download {
          Gauge("Saving \(download.document.name)", value: Double(download.percent) / 100)
        } else if let failure = store.failure {
          Banner(failure.text.sentence, role: .danger, hint: failure.text.dismissHint)
        } else if store.documents?.isEmpty == false {
          Text("Enter saves it in your documents folder.").foreground(.dim)
        }
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
  }

  @ViewBuilder private var list: some View {
    if let documents = store.documents {
      List(
        documents, position: store.position, isFocused: store.download == nil,
        onMove: { store.send(.moved($0)) },
        onOpen: { _ in store.send(.downloadButtonTapped) },
        row: { document, _ in
          let isOpen = store.state.isOpen(document)
          DocumentRow(
            document: document,
            note: document.access == .always
              ? "always" : isOpen ? "open during the alert" : "only during an alert",
            isOpen: isOpen)
        },
        empty: {
          Text("\(store.contact.name) has kept no documents here.").foreground(.dim)
        })
    } else {
      Text("Reading …").foreground(.dim)
    }
  }

  private var commands: [Command] {
    if store.download != nil {
      return [Command(key: "esc", title: "Stop saving") { store.send(.downloadCancelled) }]
    }
    var commands: [Command] = []
    if store.state.selected != nil {
      commands.append(
        Command(key: "enter", title: "Save here") { store.send(.downloadButtonTapped) })
    }
    if let failure = store.failure {
      if failure.text.isRetryable {
        commands.append(Command(key: "r", title: "Try again") { store.send(.retryButtonTapped) })
      }
      return commands + [Command(key: "esc", title: "Dismiss") { store.send(.failureDismissed) }]
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }
}
