/// A short message at the bottom right, over everything else. It takes no keys.
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

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      HStack(spacing: 0) {
        Text("▌").foreground(role)
        Text(text).lineLimit(3)
      }
      .padding(.horizontal, 1)
      .background(.inactiveSelection)
      .frame(maxWidth: 60, alignment: .trailing)
      .padding(.bottom, 2).padding(.trailing, 1)
      .frame(maxWidth: .max, maxHeight: .max, alignment: .bottomTrailing)
      .build(in: tree)
    }
  }
}
