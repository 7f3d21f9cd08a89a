/// Views side by side, from left to right.
public struct HStack<Content: View>: PrimitiveView {
  private let element: StackElement
  private let content: Content

  /// - Parameters:
  ///   - alignment: The vertical alignment of views of different heights.
  ///   - spacing: The number of columns between views.
  ///   - content: The views, from left to right.
  public init(
    alignment: VerticalAlignment = .top, spacing: Int = 1, @ViewBuilder content: () -> Content
  ) {
    let cross: StackElement.CrossAlignment =
      switch alignment {
      case .top: .leading
      case .center: .center
      case .bottom: .trailing
      }
    element = StackElement(axis: .horizontal, spacing: max(0, spacing), alignment: cross)
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.add(element) { content.build(in: tree) }
  }
}

/// Views stacked vertically, from top to bottom.
public struct VStack<Content: View>: PrimitiveView {
  private let element: StackElement
  private let content: Content

  /// - Parameters:
  ///   - alignment: The horizontal alignment of views of different widths.
  ///   - spacing: The number of rows between views.
  ///   - content: The views, from top to bottom.
  public init(
    alignment: HorizontalAlignment = .leading, spacing: Int = 0,
    @ViewBuilder content: () -> Content
  ) {
    let cross: StackElement.CrossAlignment =
      switch alignment {
      case .leading: .leading
      case .center: .center
      case .trailing: .trailing
      }
    element = StackElement(axis: .vertical, spacing: max(0, spacing), alignment: cross)
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.add(element) { content.build(in: tree) }
  }
}

/// Views on top of each other, the first at the bottom.
public struct ZStack<Content: View>: PrimitiveView {
  private let alignment: Alignment
  private let content: Content

  /// - Parameters:
  ///   - alignment: The alignment of smaller views within the largest.
  ///   - content: The views, the first at the bottom.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.add(LayeredElement(alignment: alignment)) { content.build(in: tree) }
  }
}

/// Sets the priority of its child in a stack.
struct PriorityElement: Element {
  let priority: Double
}

extension View {
  /// Sets the priority with which the enclosing stack gives the view space. Views of a higher
  /// priority take what they want before others get more than their minimum. The default is 0.
  public func layoutPriority(_ priority: Double) -> some View {
    ElementView(element: PriorityElement(priority: priority), content: self)
  }
}
