/// The keys of the layer below and what they do, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  /// Creates a table of the commands below the sheet that contains it.
  public init() {}

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      // The sheet's border, the top line and the help bar stay visible.
      KeyTable(
        commands: commands, isASCII: tree.theme.glyphs != .unicode, rows: max(1, tree.size.rows - 4)
      )
      .build(in: tree)
    }
  }
}
