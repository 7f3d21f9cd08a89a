import Composable
import Terminal

/// The workload's screen: tabs, a boxed list and a footer.
struct ContactsView: View {
  let store: StoreOf<ContactsFeature>

  var body: some View {
    let time = store.time
    return VStack(spacing: 0) {
      HStack(spacing: 0) {
        Text(" Queue ")
        Text(" Contacts ").bold().reverse()
        Text(" Timeline  Settings ")
        Spacer(minLength: 0)
      }
      List(0..<Contact.count, position: store.position, onMove: { store.send(.moved($0)) }) {
        index, isSelected in
        ContactRow(contact: Contact(index: index), time: time, isSelected: isSelected)
      }
      .keepingRows()
      .selectionMark("▸")
      .scrollIndicators(false)
      .border(title: "Contacts \(Contact.count)", role: .text)
      HStack(spacing: 0) {
        Text("j/k move   / search   q quit")
        Spacer(minLength: 0)
        Text(
          "sel \(Contact.padded(store.position.selected, to: 5, with: "0"))"
            + "  frame \(Contact.padded(store.time, to: 5, with: "0"))")
      }
    }
    .command("q", "Quit", isHidden: true) { store.send(.quitButtonTapped) }
  }
}

struct ContactRow: View, Equatable {
  let contact: Contact
  let time: Int
  let isSelected: Bool

  var body: some View {
    HStack(spacing: 0) {
      Text(contact.name).frame(width: 40, alignment: .leading)
      status.frame(width: 10, alignment: .leading)
      Text(contact.deadline(at: time))
    }
  }

  @ViewBuilder private var status: some View {
    if isSelected {
      Text(contact.status)
    } else {
      Text(contact.status).foreground(Color.palette(contact.color))
    }
  }
}

extension Theme {
  /// The workload's colours.
  static var contacts: Theme {
    var theme = Theme.dark
    theme[.selection] = Style(
      foreground: .palette(231), background: .palette(24), attributes: .bold)
    theme[.accent] = .plain
    return theme
  }
}
