/// The last few sizes of a node for different proposals: a stack measures its children several
/// times.
struct SizeCache {
  /// A proposal or size packed into one word.
  private typealias Packed = UInt64

  private var proposals: (Packed, Packed, Packed, Packed, Packed, Packed) = (
    none, none, none, none, none, none
  )
  private var sizes: (Packed, Packed, Packed, Packed, Packed, Packed) = (0, 0, 0, 0, 0, 0)
  private var next = 0

  /// Different from every proposal ever made.
  private static let none = pack(Int(Int32.min), Int(Int32.min))

  subscript(proposal: Proposal) -> Size? {
    let key = Self.pack(proposal.columns, proposal.rows)
    if proposals.0 == key { return Self.size(sizes.0) }
    if proposals.1 == key { return Self.size(sizes.1) }
    if proposals.2 == key { return Self.size(sizes.2) }
    if proposals.3 == key { return Self.size(sizes.3) }
    if proposals.4 == key { return Self.size(sizes.4) }
    if proposals.5 == key { return Self.size(sizes.5) }
    return nil
  }

  mutating func insert(_ size: Size, for proposal: Proposal) {
    let key = Self.pack(proposal.columns, proposal.rows)
    let value = Self.pack(size.columns, size.rows)
    switch next {
    case 0: (proposals.0, sizes.0) = (key, value)
    case 1: (proposals.1, sizes.1) = (key, value)
    case 2: (proposals.2, sizes.2) = (key, value)
    case 3: (proposals.3, sizes.3) = (key, value)
    case 4: (proposals.4, sizes.4) = (key, value)
    default: (proposals.5, sizes.5) = (key, value)
    }
    next = next == 5 ? 0 : next + 1
  }

  private static func pack(_ columns: Int, _ rows: Int) -> Packed {
    Packed(UInt32(bitPattern: Int32(clamping: columns))) << 32
      | Packed(UInt32(bitPattern: Int32(clamping: rows)))
  }

  private static func size(_ packed: Packed) -> Size {
    Size(
      columns: Int(Int32(bitPattern: UInt32(packed >> 32))),
      rows: Int(Int32(bitPattern: UInt32(truncatingIfNeeded: packed))))
  }
}
