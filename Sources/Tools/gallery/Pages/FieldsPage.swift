import Composable
import Terminal
import TerminalExtras

/// Fields and their errors.
struct FieldsPage: View {
  let store: StoreOf<FieldsFeature>

  var body: some View {
    VStack {
      Panel("A form", isFocused: store.focus != nil) {
        VStack(spacing: 1) {
          TextField(
            "Name", input: store.state.input(.name), isFocused: store.focus == .name,
            placeholder: "Ada Lovelace", error: store.state.error(.name),
            onFocus: { store.send(.focused(.name)) }, onEdit: { store.send(.edited(.name, $0)) })
          TextField(
            "Address", input: store.state.input(.address), isFocused: store.focus == .address,
            placeholder: "ada@example.org", error: store.state.error(.address),
            onFocus: { store.send(.focused(.address)) },
            onEdit: { store.send(.edited(.address, $0)) })
          TextField(
            "Password", input: store.state.input(.password), isFocused: store.focus == .password,
            error: store.state.error(.password), onFocus: { store.send(.focused(.password)) },
            onEdit: { store.send(.edited(.password, $0)) })
          TextField(
            "Note", input: store.state.input(.note), isFocused: store.focus == .note,
            onFocus: { store.send(.focused(.note)) }, onEdit: { store.send(.edited(.note, $0)) })
        }
        .labelWidth(10)
        .frame(maxWidth: 72, alignment: .leading)
        .padding(.top, 1)
      }
      Panel("What can be done in a field") {
        Markdown(
          """
          - `Ctrl-A` `Ctrl-E` ends of the line, `Alt-B` `Alt-F` words, `Shift` selects
          - `Ctrl-W` `Ctrl-U` `Ctrl-K` cut, `Ctrl-Y` puts back, `Ctrl-Z` undoes
          """)
      }
      .frame(height: 4)
    }
    .command("tab", "Next field") { store.send(.moved(1)) }
    .command("shift+tab", "Previous field", isHidden: true) { store.send(.moved(-1)) }
    .command("esc", "Leave the form", isEnabled: store.focus != nil) { store.send(.left) }
  }
}
