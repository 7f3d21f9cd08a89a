/// All that the keys do in the layer beneath, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  /// A table of the commands that work beneath the sheet that it is part of.
  public init() {}

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      KeyTable(commands: commands, isASCII: tree.theme.glyphs == .ascii).build(in: tree)
    }
  }
}
