import Composable
import Domain
import Terminal

/// A list of contacts with its filter line. Each tab provides its own rows and its text
/// for an empty list.
struct ContactListView<Row: View & Equatable, Empty: View>: View {
  let store: StoreOf<ContactListFeature>
  let title: String
  let row: @MainActor (Contact, AccountSnapshot) -> Row
  let empty: Empty

  init(
    store: StoreOf<ContactListFeature>, title: String,
    row: @escaping @MainActor (Contact, AccountSnapshot) -> Row, @ViewBuilder empty: () -> Empty
  ) {
    self.store = store
    self.title = title
    self.row = row
    self.empty = empty()
  }

  var body: some View {
    let rows = store.rows
    SizeReader { size in
      HStack(spacing: 0) {
        list(rows)
        if size.columns >= 110, !rows.isEmpty {
          // Show the details of the selected contact without opening them.
          let contact = rows[min(store.position.selected, rows.count - 1)]
          ContactFacts(contact: contact, snapshot: store.snapshot, isBesideList: true)
            .padding(.horizontal, 1)
            .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
            .border(title: contact.name)
            .frame(width: size.columns * 2 / 5)
        }
      }
    }
    .commandIf(!rows.isEmpty && !store.filter.isEditing, "enter", "Open") {
      store.send(.opened(rows[min(store.position.selected, rows.count - 1)].id))
    }
    .commandIf(
      store.isSortable && !store.filter.isEditing, "s", "Sort",
      fullTitle: "Sort \(title.lowercased())"
    ) {
      store.send(.sortButtonTapped)
    }
    .command(
      "a", "Add \(title.dropLast().lowercased())",
      fullTitle: "Add a \(title.dropLast().lowercased())", keywords: ["contact", "person"]
    ) {
      store.send(.addButtonTapped)
    }
    .commandIf(
      store.snapshot.host != .thisMachine, "i", "Invite",
      fullTitle: "Invite someone to this server", keywords: ["invitation", "link", "join", "qr"]
    ) {
      store.send(.inviteButtonTapped)
    }
    .command("c", "Add by code", fullTitle: "Add a contact by code", keywords: ["qr", "scan"]) {
      store.send(.addByCodeButtonTapped)
    }
    .command("k", "My code", fullTitle: "Show my code", keywords: ["qr", "share"]) {
      store.send(.codeButtonTapped)
    }
  }

  private func list(_ rows: [Contact]) -> some View {
    // Once for all rows: it is large.
    let snapshot = store.snapshot
    return List(
      rows, position: store.position, isFocused: !store.filter.isEditing,
      onMove: { store.send(.moved($0)) }, onOpen: { store.send(.opened($0.id)) }
    ) { contact, _ in
      row(contact, snapshot)
    } empty: {
      if !store.filter.input.isEmpty {
        Text("Nobody here is called that.").foreground(.dim)
      } else if !store.snapshot.areContactsKnown {
        ProgressView("Reading your contacts")
      } else {
        empty
      }
    }
    .keepingRows()
    .frame(maxWidth: .max, maxHeight: .max)
    .filterable(by: store.filter) { store.send(.filter($0)) }
    .border(
      title: "\(title) · \(store.order.title)\(store.isSortable ? " ▾" : "")",
      footer: rows.isEmpty ? nil : "\(store.position.selected + 1)/\(rows.count)"
    )
  }
}
