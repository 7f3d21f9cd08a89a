/// A small table of dependency values by key, read for almost every action and rarely changed.
///
/// An open-addressed hash table. `Dictionary` would do, but its hash function is made to withstand
/// attackers, who can't choose the types used as keys here, and takes longer than the rest of a
/// look-up.
struct DependencyTable: Sendable {
  /// The keys as integers, 0 for an empty slot. At least half of the slots are empty, which keeps
  /// searches short.
  private var keys: [UInt] = [0, 0]
  private var boxes: [AnyDependencyBox?] = [nil, nil]
  private var count = 0
  /// How far to shift a 64-bit product so that it becomes a slot's index.
  private var shift: UInt = 63

  /// The value of a key, or `nil` if it has none.
  subscript(id: ObjectIdentifier) -> AnyDependencyBox? { boxes[slot(of: UInt(bitPattern: id))] }

  /// All values, unordered.
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

  /// Returns the slot that holds a key, or the one where it belongs.
  private func slot(of key: UInt) -> Int {
    // Fibonacci hashing: metadata addresses are regularly spaced, and the product spreads them.
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
