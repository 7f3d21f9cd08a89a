/// Replaces its content with a label when views are read aloud.
struct LabelledView<Content: View>: PrimitiveView {
  let content: Content
  let label: String

  func build(in tree: ViewTree) {
    guard tree.environment.isSpoken else { return content.build(in: tree) }
    if !label.isEmpty { Text(label).build(in: tree) }
  }
}

extension View {
  /// Sets the text read aloud in place of the view, for drawings that carry meaning; see
  /// ``ViewHost/spokenLines(of:columns:rows:)``. An empty label reads nothing.
  public func accessibilityLabel(_ label: String) -> some View {
    LabelledView(content: self, label: label)
  }
}

extension ViewHost {
  /// Returns a view as lines of text, for screen readers and for output that isn't a terminal: top
  /// to bottom, without boxes or pictures, each item with its label. If sheets or dialogs are open,
  /// only the topmost one is read, followed by the floating panels above it.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - columns: The width at which text wraps.
  ///   - rows: The height offered, which limits how many rows of a list are read.
  public func spokenLines(of view: some View, columns: Int = 100, rows: Int = 200) -> [String] {
    let size = Size(columns: max(0, columns), rows: max(0, rows))
    let tree = ViewTree(theme: theme.adapted(to: .none))
    tree.isSpoken = true
    tree.layOut(view, size: size)
    var lines: [String] = []
    for layer in tree.spokenLayers {
      let screen = Screen(depth: .none, links: tree.links)
      screen.begin(size: size)
      tree.draw(layer.root, on: Canvas(screen: screen, glyphs: theme.glyphs))
      for line in Frame(screen: screen).lines {
        // Collapse the spaces that only position text.
        let words = line.split(separator: " ")
        if !words.isEmpty { lines.append(words.joined(separator: " ")) }
      }
    }
    return lines
  }
}

extension ViewTree {
  /// The layers that are read aloud, bottom to top.
  fileprivate var spokenLayers: [Layer] {
    [layers[topModalLayer]] + layers.filter { $0.kind == .floating }
  }
}

/// Places the invisible cursor at its first cell, for braille displays and magnifiers.
struct CursorRestElement: Element {
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.cursorRequests.append(
      CursorRequest(
        point: tree.rect(of: node).origin, layer: tree.nodes[node].pointee.layer,
        isVisible: false))
    tree.drawChildren(of: node, on: canvas)
  }
}

extension View {
  /// Marks the view as focused: the invisible cursor is placed at it so that braille displays and
  /// magnifiers follow. Fields, buttons and lists do this themselves.
  @ViewBuilder public func focused(_ isFocused: Bool = true) -> some View {
    if isFocused { ElementView(element: CursorRestElement(), content: self) } else { self }
  }
}
