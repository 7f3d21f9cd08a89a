/// Handles mouse events in its rectangle.
struct HitElement: Element {
  let action: HitRegion.Action

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(rect, node: node, action)
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }
}

extension View {
  /// Adds an action for a left click on the view.
  public func onTap(perform action: @escaping @MainActor () -> Void) -> some View {
    ElementView(element: HitElement(action: .tap { _ in action() }), content: self)
  }

  /// Adds an action for the mouse wheel over the view.
  /// - Parameter action: Receives the number of steps: positive down, negative up.
  public func onScroll(perform action: @escaping @MainActor (Int) -> Void) -> some View {
    ElementView(element: HitElement(action: .scroll(action)), content: self)
  }

  /// Adds an action for a left button that is held on the view.
  /// - Parameter action: Receives `true` when the button goes down, and `false` when it is released
  ///   or the mouse leaves the view.
  public func onHold(perform action: @escaping @MainActor (Bool) -> Void) -> some View {
    ElementView(element: HitElement(action: .hold(action)), content: self)
  }

  /// Gives everything that the mouse does over the view to an action, before the gestures in it and
  /// around it.
  /// - Parameter action: Receives the event with its position relative to the view's top left. Returns
  ///   whether it has handled the event.
  public func onMouse(perform action: @escaping @MainActor (MouseEvent) -> Bool) -> some View {
    ElementView(element: HitElement(action: .any(action)), content: self)
  }

  /// Gives every key to an action while the view, or the sheet that it is, has the keys: after the
  /// commands in the view, before those around it.
  /// - Parameter action: Returns whether it has handled the key.
  public func onKey(perform action: @escaping @MainActor (KeyPress) -> Bool) -> some View {
    KeyView(content: self, action: action)
  }
}

extension View {
  /// Keeps keys and pasted text, in order, while the view waits for something: they reach what comes
  /// after it. Esc, keys with Control and global commands act at once.
  public func holdingKeys(while isWaiting: Bool) -> some View {
    WaitingView(content: self, isWaiting: isWaiting)
  }
}

private struct WaitingView<Content: View>: PrimitiveView {
  let content: Content
  let isWaiting: Bool

  func build(in tree: ViewTree) {
    let layerCount = tree.layers.count
    content.build(in: tree)
    guard isWaiting else { return }
    // The layer of the sheet that the content is, or the one around it.
    tree.waitingLayers.append(tree.layers.count > layerCount ? layerCount : tree.layer)
  }
}

private struct KeyView<Content: View>: PrimitiveView {
  let content: Content
  let action: @MainActor (KeyPress) -> Bool

  func build(in tree: ViewTree) {
    let keys = KeyResponder { press, rank in rank == .primary && action(press) }
    tree.addResponder(.keys(keys)) { content.build(in: tree) }
  }
}
