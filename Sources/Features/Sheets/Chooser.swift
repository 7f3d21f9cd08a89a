import Composable
import Domain
import Terminal

/// The state of a sheet in which one of several presets is chosen, or something else is typed.
protocol ChooserState: Equatable, Sendable {
  static var presetCount: Int { get }
  /// The choice; the row after the last preset is free entry.
  var position: ListPosition { get set }
  var customText: TextInput { get set }
  var error: ValidationError? { get set }
}

extension ChooserState {
  /// Whether the row for free entry is chosen.
  var isCustom: Bool { position.selected >= Self.presetCount }

  /// - Returns: whether the choice has gone on to free entry.
  @discardableResult mutating func move(to position: ListPosition) -> Bool {
    let wasCustom = isCustom
    self.position = position
    error = nil
    return isCustom && !wasCustom
  }

  /// Types into the row for free entry. Who types while a preset is chosen means something else.
  /// - Parameter begin: What is done first where a preset is chosen.
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
  /// Whether it is what is so now.
  var isCurrent = false
}

/// A sheet with a list to choose from, and perhaps a field for something else.
struct ChooserSheet<Field: View>: View {
  let title: String
  let width: Int
  let rows: [ChooserRow]
  let position: ListPosition
  let onMove: @MainActor (ListPosition) -> Void
  let choose: @MainActor () -> Void
  let close: @MainActor () -> Void
  @ViewBuilder let field: Field

  var body: some View {
    Sheet(title, width: width) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          rows, position: position, isFocused: true, onMove: onMove, onOpen: { _ in choose() }
        ) { row, _ in
          HStack(spacing: 1) {
            Text(row.text)
            Spacer(minLength: 0)
            if row.isCurrent { Text("now").foreground(.dim) }
          }
        }
        .frame(height: rows.count)
        field
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Choose", action: choose)
    .command("esc", "Close", action: close)
  }
}

/// The field of a chooser, into which a digit goes while a preset is chosen.
struct ChooserField<State: ChooserState>: View {
  let label: String
  let state: State
  let placeholder: String
  /// What a digit begins.
  let digitTitle: String
  let onMove: @MainActor (ListPosition) -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  var body: some View {
    TextField(
      label, input: state.customText, isFocused: state.isCustom, placeholder: placeholder,
      error: state.error?.errorDescription,
      onFocus: { onMove(ListPosition(selected: State.presetCount)) }, onEdit: onEdit
    )
    .with(
      "0123456789".map { digit in
        Command(key: KeyPress(.character(digit)), title: digitTitle, isHidden: true) {
          onEdit(.insert(String(digit)))
        }
      })
  }
}
