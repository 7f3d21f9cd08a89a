import Composable
import Terminal
import TerminalExtras

/// Lists and tables.
struct ListsPage: View {
  let store: StoreOf<ListsFeature>

  private static let sections = [
    ListSection("Some", rows: 0..<10), ListSection("Hundreds", rows: 10..<1_000),
    ListSection("The rest", rows: 1_000..<1_000_000),
  ]

  var body: some View {
    let people = store.rows
    let editsFilter = store.filter.isEditing
    HStack(spacing: 0) {
      List(
        sections: Self.sections, position: store.numbers,
        isFocused: store.focus == .numbers && !editsFilter,
        onMove: { store.send(.numbersMoved($0)) }
      ) { number, _ in
        HStack {
          Text("row \(number)")
          Spacer()
          Text(number.isMultiple(of: 2) ? "even" : "odd").foreground(.dim)
        }
      } empty: {
        EmptyView()
      }
      .border(
        title: "Sections", footer: "\(store.numbers.selected + 1)/1000000",
        isFocused: store.focus == .numbers
      )
      .frame(maxWidth: 34)
      Table(
        people,
        columns: [
          TableColumn("Name") { Text($0.name) },
          TableColumn("Field") { Text($0.field).foreground(.dim) },
          TableColumn("Born", width: .fixed(6), alignment: .trailing) { Text("\($0.born)") },
        ], position: store.people, sort: store.sort,
        isFocused: store.focus == .people && !editsFilter,
        onSort: { store.send(.sorted($0)) }, onMove: { store.send(.peopleMoved($0)) }
      ) {
        Text("Nobody is called that. Esc shows all.").foreground(.dim)
      }
      .filterable(by: store.filter, prompt: "part of a name or field") {
        store.send(.filter($0))
      }
      .border(
        title: "Table",
        footer: people.isEmpty ? nil : "\(store.people.selected + 1)/\(people.count)",
        isFocused: store.focus == .people)
    }
    .command("tab", "Other list") { store.send(.focusMoved) }
  }
}
