/// One step of walking through two lists side by side.
enum AlignmentStep {
  /// An element of the first list that isn't in the second.
  case removed(Int)
  /// An element of the second list that isn't in the first.
  case inserted(Int)
  /// An element of both lists: the same one, or one replaced by the other.
  case both(Int, Int)
}

/// Aligns two lists.
///
/// - Parameters:
///   - first: The count of the first list.
///   - second: The count of the second list.
///   - changes: The difference from the first list to the second; `nil` if there is none.
///   - pairing: Whether a removal and an insertion at the same place become one step.
func alignment<Element>(
  of first: Int, and second: Int, _ changes: CollectionDifference<Element>?, pairing: Bool = true
) -> [AlignmentStep] {
  guard let changes, !changes.isEmpty else { return (0..<first).map { .both($0, $0) } }
  var removed: Set<Int> = []
  var inserted: Set<Int> = []
  for change in changes {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }
  var steps: [AlignmentStep] = []
  var old = 0
  var new = 0
  while old < first || new < second {
    switch (removed.contains(old), inserted.contains(new)) {
    case (true, true) where pairing:
      steps.append(.both(old, new))
      old += 1
      new += 1
    case (true, _):
      steps.append(.removed(old))
      old += 1
    case (false, true):
      steps.append(.inserted(new))
      new += 1
    case (false, false):
      steps.append(.both(old, new))
      old += 1
      new += 1
    }
  }
  return steps
}
