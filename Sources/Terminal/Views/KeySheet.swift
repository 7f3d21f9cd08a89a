/// All that the keys do in the layer beneath, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  /// A table of the commands that work beneath the sheet that it is part of.
  public init() {}

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      // The sheet's lines, the line at the top and the help bar stay in sight.
      KeyTable(
        commands: commands, isASCII: tree.theme.glyphs != .unicode, rows: max(1, tree.size.rows - 4)
      )
      .build(in: tree)
    }
  }
}
