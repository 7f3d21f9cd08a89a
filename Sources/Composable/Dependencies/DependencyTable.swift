/// The values of dependencies by key: few, read for nearly every action, and changed hardly ever.
///
/// An open-addressed table. `Dictionary` would do, but its hash function withstands attackers, who
/// have no say in which types are keys, and takes longer than all the rest of a look-up.
struct DependencyTable: Sendable {
  /// The keys as numbers, 0 where there is none; at least half of them are, so that a search is short.
  private var keys: [UInt] = [0, 0]
  private var boxes: [AnyDependencyBox?] = [nil, nil]
  private var count = 0
  /// What is left of a 64-bit product when only as many bits remain as number the slots.
  private var shift: UInt = 63

  /// The value of a key.
  subscript(id: ObjectIdentifier) -> AnyDependencyBox? { boxes[slot(of: UInt(bitPattern: id))] }

  /// All values, in no order.
  var values: [AnyDependencyBox] { boxes.compactMap(\.self) }

  /// Sets the value of a key.
  mutating func set(_ box: AnyDependencyBox, for id: ObjectIdentifier) {
    let key = UInt(bitPattern: id)
    if keys[slot(of: key)] == 0 {
      if 2 * (count + 1) > keys.count { grow() }
      count += 1
    }
    let slot = slot(of: key)
    keys[slot] = key
    boxes[slot] = box
  }

  /// Where a key is, or would be.
  private func slot(of key: UInt) -> Int {
    // Fibonacci hashing: types lie in memory at regular distances, which a product spreads.
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldBoxes) = (keys, boxes)
    keys = Array(repeating: 0, count: 2 * oldKeys.count)
    boxes = Array(repeating: nil, count: keys.count)
    shift -= 1
    for (key, box) in zip(oldKeys, oldBoxes) where key != 0 {
      let slot = slot(of: key)
      keys[slot] = key
      boxes[slot] = box
    }
  }
}
