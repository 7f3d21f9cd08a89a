/// A text that names keys, such as “Enter sends now · Esc stops”, each of which can be clicked.
///
/// What can be clicked reaches from a key's name to the next one, a `·` or the end of the sentence.
/// It does what the key does now; the name of a key that does nothing is plain text.
public struct KeyHint: View {
  private let text: String
  private let role: ThemeRole?

  /// - Parameters:
  ///   - text: The program's own text, which names the keys as the help bar does.
  ///   - role: The colour; `nil` for that of the text around it.
  public init(_ text: String, role: ThemeRole? = .dim) {
    self.text = text
    self.role = role
  }

  /// The view's content.
  public var body: some View {
    ElementView(
      element: KeyHintElement(text: text),
      content: role.map { Text(text).foreground($0) } ?? Text(text))
  }
}

private struct KeyHintElement: Element {
  let text: String

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.drawChildren(of: node, on: canvas)
    let rect = tree.rect(of: node)
    let commands = tree.commands(above: tree.topModalLayer)
    for (row, line) in text.wrapped(to: rect.columns).enumerated() where row < rect.rows {
      for part in Self.parts(of: line, commands) {
        tree.addRegion(
          Rect(
            column: rect.minColumn + part.column, row: rect.minRow + row, columns: part.columns,
            rows: 1),
          layer: tree.nodes[node].pointee.layer, .tap { _ in part.command.action() })
      }
    }
  }

  private struct Part {
    var column: Int
    var columns: Int
    var command: Command
  }

  /// Returns the parts of a line that can be clicked.
  private static func parts(of line: String, _ commands: [Command]) -> [Part] {
    var parts: [Part] = []
    var column = 0
    var isOpen = false
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let name = word.trimming { ",.;:".contains($0) }
      if let command = commands.first(where: { $0.isEnabled && $0.isNamed(name) }) {
        parts.append(Part(column: column, columns: String(word).columns, command: command))
        isOpen = true
      } else if word == "·" {
        isOpen = false
      } else if isOpen, let last = parts.indices.last {
        parts[last].columns = column + String(word).columns - parts[last].column
      }
      if word.hasSuffix(".") || word.hasSuffix(";") { isOpen = false }
      column += String(word).columns + 1
    }
    return parts
  }
}

extension Command {
  /// Whether a text names the command's key: `Esc`, `x`, `^S` or `Ctrl-S`.
  fileprivate func isNamed(_ name: Substring) -> Bool {
    guard let key else { return false }
    return key.displayName == name
      || (key.modifiers == .control && key.text == nil
        && "Ctrl-\(KeyPress(key.key).displayName.uppercased())" == name)
  }
}

extension Substring {
  fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    while let first = rest.first, isDropped(first) { rest.removeFirst() }
    return rest
  }
}
