/// Says how soon a stack serves the child.
struct PriorityElement: Element {
  let priority: Double
}

extension View {
  /// How soon the stack around serves the view; those of higher priority take what they like
  /// before others get more than their least. Usually 0.
  public func layoutPriority(_ priority: Double) -> some View {
    ElementView(element: PriorityElement(priority: priority), content: self)
  }
}
