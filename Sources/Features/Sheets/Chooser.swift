import Composable
import Domain
import Terminal

/// The state of a sheet in which the person chooses a row.
protocol ChooserState: Equatable, Sendable {
  var position: ListPosition { get set }
}

/// The actions of a chooser.
protocol ChooserAction: Sendable {
  static func moved(_ position: ListPosition) -> Self
  static var chooseButtonTapped: Self { get }
  static var closeButtonTapped: Self { get }
}

/// The state of a chooser whose last row is for free entry.
protocol EntryChooserState: ChooserState {
  static var presetCount: Int { get }
  var customText: TextInput { get set }
  var error: ValidationError? { get set }
}

protocol EntryChooserAction: ChooserAction {
  static func customEdited(_ edit: TextEdit) -> Self
}

extension EntryChooserState {
  /// Whether the row for free entry is selected.
  var isCustom: Bool { position.selected >= Self.presetCount }

  /// Moves the selection.
  /// - Returns: Whether it has just reached the row for free entry.
  @discardableResult mutating func move(to position: ListPosition) -> Bool {
    let wasCustom = isCustom
    self.position = position
    error = nil
    return isCustom && !wasCustom
  }

  /// Edits the row for free entry, selecting it first if the person starts to type on a preset.
  /// - Parameter begin: A change to make before the edit if a preset was selected.
  mutating func edit(_ edit: TextEdit, begin: (inout Self) -> Void = { _ in }) {
    if !isCustom {
      guard case .insert = edit else { return }
      position.selected = Self.presetCount
      begin(&self)
    }
    customText.apply(edit)
    error = nil
  }
}

/// A row of a chooser.
struct ChooserRow {
  var text: String
  /// Whether this is the current setting.
  var isCurrent = false
}

/// A sheet with a list to choose from and further content under it.
struct ChooserSheet<State: ChooserState, Action: ChooserAction, Footer: View>: View {
  let title: String
  let width: Int
  let rows: [ChooserRow]
  let store: Store<State, Action>
  @ViewBuilder let footer: Footer

  var body: some View {
    Sheet(title, width: width) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          rows, position: store.position, isFocused: true, onMove: { store.send(.moved($0)) },
          onOpen: { _ in store.send(.chooseButtonTapped) }
        ) { row, _ in
          HStack(spacing: 1) {
            Text(row.text)
            Spacer(minLength: 0)
            if row.isCurrent { Text("current").foreground(.dim) }
          }
        }
        .frame(height: rows.count)
        footer
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Choose") { store.send(.chooseButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }
}

/// The field for free entry of a chooser. What it can begin with goes there even while a preset is
/// selected.
struct ChooserField<State: EntryChooserState, Action: EntryChooserAction>: View {
  let label: String
  let placeholder: String
  /// The command title of the keys that begin an entry.
  let digitTitle: String
  /// What an entry can begin with.
  var beginnings = "0123456789"
  let store: Store<State, Action>

  var body: some View {
    TextField(
      label, input: store.customText, isFocused: store.isCustom, placeholder: placeholder,
      error: store.error?.errorDescription,
      onFocus: { store.send(.moved(ListPosition(selected: State.presetCount))) },
      onEdit: { store.send(.customEdited($0)) }
    )
    .with(
      beginnings.map { digit in
        Command(key: KeyPress(.character(digit)), title: digitTitle, isHidden: true) {
          store.send(.customEdited(.insert(String(digit))))
        }
      })
  }
}
