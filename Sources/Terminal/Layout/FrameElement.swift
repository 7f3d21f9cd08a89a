/// Gives its child a fixed size, or limits its size.
struct FrameElement: Element {
  /// The limits in one direction. Small, so that the element fits into an existential without a
  /// heap allocation.
  struct Bounds {
    private let packedMinimum: UInt16
    private let packedIdeal: UInt16
    private let packedMaximum: UInt16

    init(minimum: Int? = nil, ideal: Int? = nil, maximum: Int? = nil) {
      packedMinimum = Self.pack(minimum)
      packedIdeal = Self.pack(ideal)
      packedMaximum = Self.pack(maximum)
    }

    var minimum: Int? { Self.unpack(packedMinimum) }
    var ideal: Int? { Self.unpack(packedIdeal) }
    var maximum: Int? { Self.unpack(packedMaximum) }

    private static let none = UInt16.max
    private static let infinite = none - 1

    /// Clamps to 16 bits; no terminal is that long.
    private static func pack(_ extent: Int?) -> UInt16 {
      guard let extent else { return none }
      return UInt16(clamping: min(extent, Int(infinite)))
    }

    private static func unpack(_ packed: UInt16) -> Int? {
      switch packed {
      case none: nil
      case infinite: Proposal.infinite
      default: Int(packed)
      }
    }

    /// Returns the length proposed to the child.
    func offer(_ proposed: Int) -> Int {
      if proposed == Proposal.ideal {
        return ideal ?? (minimum == maximum ? minimum : nil) ?? proposed
      }
      return max(minimum ?? 0, min(maximum ?? Proposal.infinite, proposed))
    }

    /// Returns the resulting length for a child of length `own` when `proposed` is offered.
    func extent(of own: Int, proposed: Int) -> Int {
      if proposed == Proposal.ideal { return clamp(ideal ?? own) }
      switch (minimum, maximum) {
      case (nil, nil): return own
      case (let minimum?, nil): return max(minimum, min(own, proposed))
      case (nil, let maximum?): return min(maximum, max(own, proposed))
      case (let minimum?, let maximum?): return max(minimum, min(maximum, proposed))
      }
    }

    private func clamp(_ extent: Int) -> Int {
      max(minimum ?? 0, min(maximum ?? Proposal.infinite, extent))
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

  func extents(along axis: Axis, across: Int) -> Extents? {
    let bounds = axis == .horizontal ? columns : rows
    guard let fixed = bounds.minimum, fixed == bounds.maximum else { return nil }
    return Extents(minimum: fixed, ideal: fixed, maximum: fixed)
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
  /// - Parameters:
  ///   - width: The width in columns; `nil` for that of the view.
  ///   - height: The height in rows; `nil` for that of the view.
  ///   - alignment: The position of the view within the frame.
  public func frame(
    width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    ElementView(
      element: FrameElement(
        columns: FrameElement.Bounds(minimum: width, maximum: width),
        rows: FrameElement.Bounds(minimum: height, maximum: height), alignment: alignment),
      content: self)
  }

  /// Limits the size of the view. With a maximum of `.max` it takes all the space offered.
  /// - Parameters:
  ///   - minWidth: The smallest width in columns.
  ///   - idealWidth: The width where views take the space that they need.
  ///   - maxWidth: The largest width.
  ///   - minHeight: The smallest height in rows.
  ///   - idealHeight: The height where views take the space that they need.
  ///   - maxHeight: The largest height.
  ///   - alignment: The position of the view within the frame.
  public func frame(
    minWidth: Int? = nil, idealWidth: Int? = nil, maxWidth: Int? = nil, minHeight: Int? = nil,
    idealHeight: Int? = nil, maxHeight: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    ElementView(
      element: FrameElement(
        columns: FrameElement.Bounds(minimum: minWidth, ideal: idealWidth, maximum: maxWidth),
        rows: FrameElement.Bounds(minimum: minHeight, ideal: idealHeight, maximum: maxHeight),
        alignment: alignment),
      content: self)
  }
}
