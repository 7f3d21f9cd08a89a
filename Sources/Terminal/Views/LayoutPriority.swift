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
