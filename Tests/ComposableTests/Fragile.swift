/// An element that detects when a change has to copy it.
struct Fragile: Identifiable, Equatable, Sendable, Codable {
  final class Witness: Sendable {}

  let id: Int
  var count = 0
  var copies = 0
  private var witness: Witness? = Witness()

  enum CodingKeys: CodingKey { case id, count, copies }

  init(id: Int) { self.id = id }

  /// Counts a change, and whether the value was shared at that moment.
  mutating func touch() {
    count += 1
    if !isKnownUniquelyReferenced(&witness) { copies += 1 }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { (lhs.id, lhs.count) == (rhs.id, rhs.count) }
}
