/// Gives its child a fixed size, or bounds to the size that it takes.
struct FrameElement: Element {
  /// The bounds of one direction.
  struct Bounds {
    var least: Int?
    var ideal: Int?
    var most: Int?

    /// The offer that the child gets.
    func offer(_ proposed: Int) -> Int {
      if proposed == Proposal.ideal { return ideal ?? (least == most ? least : nil) ?? proposed }
      return max(least ?? 0, min(most ?? Proposal.infinite, proposed))
    }

    /// The extent for a child of extent `own` when `proposed` is on offer.
    func extent(of own: Int, proposed: Int) -> Int {
      if proposed == Proposal.ideal { return clamp(ideal ?? own) }
      switch (least, most) {
      case (nil, nil): return own
      case (let least?, nil): return max(least, min(own, proposed))
      case (nil, let most?): return min(most, max(own, proposed))
      case (let least?, let most?): return max(least, min(most, proposed))
      }
    }

    private func clamp(_ extent: Int) -> Int {
      max(least ?? 0, min(most ?? Proposal.infinite, extent))
    }
  }

  let columns: Bounds
  let rows: Bounds
  let alignment: Alignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, offer(proposal))
    return Size(
      columns: columns.extent(of: own.columns, proposed: proposal.columns),
      rows: rows.extent(of: own.rows, proposed: proposal.rows))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let offer = offer(Proposal(rect.size))
    let size = tree.measure(child, offer)
    tree.place(child, in: alignment.place(size, in: rect), proposal: offer)
  }

  private func offer(_ proposal: Proposal) -> Proposal {
    Proposal(columns: columns.offer(proposal.columns), rows: rows.offer(proposal.rows))
  }
}

extension View {
  /// Gives the view a fixed size in one or both directions.
  /// - Parameter alignment: Where the view stands in it.
  public func frame(
    width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    ElementView(
      element: FrameElement(
        columns: FrameElement.Bounds(least: width, most: width),
        rows: FrameElement.Bounds(least: height, most: height), alignment: alignment),
      content: self)
  }

  /// Bounds the size of the view. With a `max` of `.max` it takes all that is on offer.
  /// - Parameter alignment: Where the view stands in the room that it takes.
  public func frame(
    minWidth: Int? = nil, idealWidth: Int? = nil, maxWidth: Int? = nil, minHeight: Int? = nil,
    idealHeight: Int? = nil, maxHeight: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    ElementView(
      element: FrameElement(
        columns: FrameElement.Bounds(least: minWidth, ideal: idealWidth, most: maxWidth),
        rows: FrameElement.Bounds(least: minHeight, ideal: idealHeight, most: maxHeight),
        alignment: alignment),
      content: self)
  }
}
