/// All that the keys do in the layer beneath, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  public init() {}

  public func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      KeyTable(commands: commands, isASCII: tree.theme.glyphs == .ascii).build(in: tree)
    }
  }
}
