/// All that the keys do in the layer beneath, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  public init() {}

  public func build(in tree: ViewTree) {
    let context = tree.captureContext()
    tree.add(KeySheetElement(context: context))
  }
}

/// Made when it is first measured: by then everything beneath has been placed, so that all
/// commands are known.
struct KeySheetElement: Element {
  let context: BuildContext

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if tree.firstChild(of: node) == nil { build(in: tree, node: node) }
    guard let child = tree.firstChild(of: node) else { return .zero }
    return tree.measure(child, proposal)
  }

  private func build(in tree: ViewTree, node: NodeID) {
    let isASCII = tree.theme.glyphs == .ascii
    let commands = tree.commands(beneath: context.layer)
    // Several keys for one thing share a line.
    var lines: [(keys: String, title: String, isEnabled: Bool)] = []
    for command in commands {
      let key = command.key.displayName(ascii: isASCII)
      if let known = lines.firstIndex(where: { $0.title == command.title }) {
        lines[known].keys += " " + key
        lines[known].isEnabled = lines[known].isEnabled || command.isEnabled
      } else {
        lines.append((key, command.title, command.isEnabled))
      }
    }
    let width = lines.reduce(0) { max($0, $1.keys.columns) }
    tree.build(under: node, context) {
      VStack {
        ForEach(lines.indices) { index in
          let line = lines[index]
          HStack(spacing: 2) {
            Text(line.keys).bold().foreground(line.isEnabled ? .accent : .dim)
              .frame(width: width, alignment: .trailing)
            Text(line.title).foreground(line.isEnabled ? .text : .dim)
          }
        }
      }
      .build(in: tree)
    }
  }
}
