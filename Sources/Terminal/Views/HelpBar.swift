/// The line at the bottom: what the keys do here, most important first, cut to the width. It is
/// made of the commands that are declared in the frame, and they can be clicked. Global commands and
/// the way out keep their room where not all fit.
public struct HelpBar: PrimitiveView {
  private let letter: Character?

  /// A line of the commands that work in the frame that it is part of.
  /// - Parameter letter: The key of a global command that people may press wherever they are. Once a field
  ///   has taken it three times in a row, the line says so, and how to leave the field.
  public init(explaining letter: Character? = nil) { self.letter = letter }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    // The keys belong to the screen; who listens is asked in other ways.
    guard !tree.environment.isSpoken else { return }
    tree.add(HelpBarElement(letter: letter))
  }
}

struct HelpBarElement: Element {
  let letter: Character?

  private struct Item {
    var command: Command
    var key: String
    var width: Int { key.columns + 1 + command.title.columns }
    /// What works everywhere – help, the emergency key – and the way out.
    var keepsRoom: Bool { command.scope == .global || command.key == "esc" }
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    Size(
      columns: proposal.columns == Proposal.ideal ? tree.size.columns : proposal.columns, rows: 1)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.brightNodes.append(node)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let theme = tree.theme
    if let hint = hint(in: tree) {
      var style = theme[.warning]
      style.attributes.insert(.bold)
      canvas.write(hint, at: rect.origin.offset(columns: 1), style: style)
      return
    }
    var keyStyle = theme[.accent]
    keyStyle.attributes.insert(.bold)
    var column = rect.minColumn + 1
    let items = items(in: tree)
    // Closer together rather than fewer.
    let isTight = items.reduce(0) { $0 + $1.width + 3 } - 3 > rect.columns - 2
    let gap = isTight ? 2 : 3
    var kept = items.reduce(0) { $1.keepsRoom ? $0 + $1.width + gap : $0 }
    for item in items {
      let command = item.command
      if item.keepsRoom { kept -= item.width + gap }
      // Commands that no longer fit are left out; a shorter one may still fit.
      guard column + item.width + kept < rect.maxColumn else { continue }
      let start = column
      let isEnabled = command.isEnabled
      column += canvas.write(
        item.key, at: Point(column: column, row: rect.minRow),
        style: isEnabled ? keyStyle : theme[.dim])
      column += 1
      column += canvas.write(
        command.title, at: Point(column: column, row: rect.minRow),
        style: theme[isEnabled ? .text : .dim])
      if isEnabled {
        tree.addRegion(
          Rect(column: start, row: rect.minRow, columns: column - start, rows: 1),
          layer: tree.topModalLayer, .tap { _ in command.action() })
      }
      column += gap
    }
  }

  /// What to do where a field has taken a key that was meant for a command.
  private func hint(in tree: ViewTree) -> String? {
    guard let letter, let input = tree.focusedField?.input, input.endsInRun(of: letter),
      let command = tree.globalCommand(typing: letter), !command.isHidden, command.isEnabled
    else { return nil }
    return "In a field \(letter) is a letter: Esc leaves it, then \(letter) \(command.title)"
  }

  private func items(in tree: ViewTree) -> [Item] {
    let isASCII = tree.theme.glyphs != .unicode
    let field = tree.focusedField
    var titles: Set<String> = []
    return tree.commands(above: tree.topModalLayer).compactMap { command in
      guard !command.isHidden, let press = command.key else { return nil }
      // What would be typed into the field is no help.
      if let field, field.takes(press) { return nil }
      // Two keys for one thing are one too many here; the sheet of keys has both.
      guard titles.insert(command.title).inserted else { return nil }
      return Item(command: command, key: press.displayName(ascii: isASCII))
    }
  }
}

extension TextInput {
  /// Whether the character stands three times before the cursor. Of a secret it says no more than that
  /// there is nothing else in it so far.
  fileprivate func endsInRun(of character: Character) -> Bool {
    let typed = text.prefix(cursor)
    return typed.count >= 3 && typed.suffix(3).allSatisfy { $0 == character }
      && (!isSecure || typed.allSatisfy { $0 == character })
  }
}
