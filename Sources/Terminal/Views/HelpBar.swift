/// The bottom line, which says what the keys do here, most important first, as far as they fit. It
/// lists the commands declared in the frame, which can also be clicked. Global commands and Esc
/// always keep their place.
public struct HelpBar: PrimitiveView {
  private let letter: Character?

  /// Creates a help bar for the frame that contains it.
  /// - Parameter letter: The key of a global command that people might press anywhere. When it has
  ///   been typed into a field three times in a row, the bar explains how to leave the field.
  public init(explaining letter: Character? = nil) { self.letter = letter }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    // Keys belong to the screen; they mean nothing in text that is read aloud.
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
    /// Whether it works everywhere, as help and the emergency key do, or is the way out.
    var isAlwaysShown: Bool { command.scope == .global || command.key == "esc" }
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    Size(
      columns: proposal.columns == Proposal.ideal ? tree.size.columns : proposal.columns, rows: 1)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.undimmedNodes.append(node)
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
    // Reduce the gaps before dropping commands.
    let isTight = items.reduce(0) { $0 + $1.width + 3 } - 3 > rect.columns - 2
    let gap = isTight ? 2 : 3
    var kept = items.reduce(0) { $1.isAlwaysShown ? $0 + $1.width + gap : $0 }
    for item in items {
      let command = item.command
      if item.isAlwaysShown { kept -= item.width + gap }
      // Skip commands that don't fit; a shorter one might.
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

  /// Returns an explanation for when a field has swallowed a command's key.
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
      // Omit keys that the focused field would take.
      if let field, field.takes(press) { return nil }
      // Show only the first of several keys for one command; the key sheet has them all.
      guard titles.insert(command.title).inserted else { return nil }
      return Item(command: command, key: press.displayName(ascii: isASCII))
    }
  }
}

extension TextInput {
  /// Whether the character appears three times in a row before the cursor. For a secure field, only
  /// if nothing else precedes it, so that the hint reveals nothing about a secret.
  fileprivate func endsInRun(of character: Character) -> Bool {
    let typed = text.prefix(cursor)
    return typed.count >= 3 && typed.suffix(3).allSatisfy { $0 == character }
      && (!isSecure || typed.allSatisfy { $0 == character })
  }
}
