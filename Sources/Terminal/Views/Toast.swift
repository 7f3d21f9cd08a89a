/// A short message at the bottom right, above everything else. It takes no keys.
public struct Toast: PrimitiveView {
  private let text: String
  private let role: ThemeRole

  /// - Parameters:
  ///   - text: A sentence; at most three lines are shown.
  ///   - role: The colour of its mark.
  public init(_ text: String, role: ThemeRole = .accent) {
    self.text = text
    self.role = role
  }

  /// Narrow enough for the right-hand one of two panels, so that the border between them stays
  /// visible.
  private static var width: Int { 44 }
  /// The rows of the help bar, the status line above it and a panel's border.
  private static var rowsBelow: Int { 3 }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      HStack(spacing: 0) {
        Text("▌").foreground(role)
        Text(text).lineLimit(3)
      }
      .padding(.horizontal, 1)
      .background(.inactiveSelection)
      .frame(maxWidth: Self.width, alignment: .trailing)
      .padding(.bottom, Self.rowsBelow).padding(.trailing, 1)
      .frame(maxWidth: .max, maxHeight: .max, alignment: .bottomTrailing)
      .build(in: tree)
    }
  }
}
