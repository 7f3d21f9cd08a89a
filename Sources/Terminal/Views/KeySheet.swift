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
    let keys = commands.map { $0.key.displayName(ascii: isASCII) }
    let width = keys.reduce(0) { max($0, $1.columns) }
    tree.build(under: node, context) {
      VStack {
        ForEach(0..<commands.count) { index in
          HStack(spacing: 2) {
            Text(keys[index]).bold().foreground(commands[index].isEnabled ? .accent : .dim)
              .frame(width: width, alignment: .trailing)
            Text(commands[index].title).foreground(commands[index].isEnabled ? .text : .dim)
          }
        }
      }
      .build(in: tree)
    }
  }
}
