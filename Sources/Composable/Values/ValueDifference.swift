/// Returns how two values differ, line by line. Lines with − are only in the first value and lines
/// with + only in the second; unchanged parts are folded.
///
/// The text is indented by two spaces. If both values look the same, the text says so.
public func difference(_ first: Any, _ second: Any) -> String {
  guard let lines = differenceLines(first, second) else {
    return """
        (Both look the same, but they are not equal: something that is not shown differs.)

          \(describe(first))
      """
  }
  return lines.map { "  \($0)" }.joined(separator: "\n")
}

/// Returns the lines of a difference, each beginning with −, + or a space, followed by the indented
/// text; `nil` if both values look the same.
package func differenceLines(_ first: Any, _ second: Any) -> [String]? {
  var writer = DifferenceWriter()
  writer.compare(first, second, label: nil)
  return writer.hasChange ? writer.lines : nil
}

/// Writes the lines of a difference.
struct DifferenceWriter {
  private(set) var lines: [String] = []
  private(set) var hasChange = false
  private var depth = 0
  /// The objects being compared, so that an object found within itself isn't compared again.
  private var objects: Set<ObjectIdentifier> = []

  // MARK: Lines

  mutating func write(_ sign: Character, _ lines: [String]) {
    hasChange = hasChange || sign != " "
    let indent = String(repeating: "  ", count: depth)
    for line in lines { self.lines.append("\(sign) \(indent)\(line)") }
  }

  private mutating func fold(_ count: Int) {
    if count > 0 { write(" ", ["… (\(count) unchanged)"]) }
  }

  private mutating func nest(_ open: String, _ close: String, _ content: (inout Self) -> Void) {
    write(" ", [open])
    depth += 1
    content(&self)
    depth -= 1
    write(" ", [close])
  }

  private mutating func replace(
    _ first: ReflectedValue, _ second: ReflectedValue, label: String?
  ) {
    write(
      "−", labelled(label, SharedAssertion.readLeft { Composable.lines(reflected: first) }))
    write(
      "+", labelled(label, SharedAssertion.readRight { Composable.lines(reflected: second) })
    )
  }

  // MARK: Values

  /// Writes how two unequal values differ.
  mutating func compare(_ first: Any, _ second: Any, label: String?) {
    let prefix = label.map { "\($0): " } ?? ""
    // A shared value that is in both can differ between the two sides.
    let old = SharedAssertion.readLeft { ReflectedValue(first) }
    let new = SharedAssertion.readRight { ReflectedValue(second) }
    switch (old, new) {
    case (
      .composite(let name, let parts, let object), .composite(let otherName, let otherParts, _)
    )
    where name == otherName && parts.map(\.label) == otherParts.map(\.label) && !parts.isEmpty:
      if let object, !objects.insert(object).inserted {
        write(" ", ["\(prefix)\(name)(…)"])
        return
      }
      defer { if let object { objects.remove(object) } }
      nest("\(prefix)\(name)(", ")") { writer in
        var unchanged = 0
        for (part, other) in zip(parts, otherParts) {
          if areEqual(part.value, other.value) {
            unchanged += 1
          } else {
            writer.compare(part.value, other.value, label: part.label)
          }
        }
        writer.fold(unchanged)
      }
    case (.array(let elements), .array(let others)) where elements.count > 0 && others.count > 0:
      nest("\(prefix)[", "]") { $0.compareElements(elements, others) }
    case (.set(let elements), .set(let others)):
      nest("\(prefix)Set([", "])") { $0.compareSets(elements, others) }
    case (.dictionary(let pairs), .dictionary(let others)):
      nest("\(prefix)[", "]") { $0.compareDictionaries(pairs, others) }
    case (.string(let string), .string(let other))
    where string.contains("\n") && other.contains("\n"):
      nest("\(prefix)\"\"\"", "\"\"\"") { $0.compareText(string, other) }
    default: replace(old, new, label: label)
    }
  }

  private mutating func compareText(_ first: String, _ second: String) {
    let old = first.split(separator: "\n", omittingEmptySubsequences: false)
    let new = second.split(separator: "\n", omittingEmptySubsequences: false)
    let steps = alignment(
      of: old.count, and: new.count, new.difference(from: old), pairing: false)
    writeSteps(steps) { writer, step in
      switch step {
      case .removed(let index): writer.write("−", [String(old[index])])
      case .inserted(let index): writer.write("+", [String(new[index])])
      case .both: break
      }
    } isUnchanged: { _, _ in
      true
    }
  }

  private mutating func compareSets(_ first: [Any], _ second: [Any]) {
    let old = first.map { (text: describe($0), value: $0) }.sorted { $0.text < $1.text }
    let new = second.map { (text: describe($0), value: $0) }.sorted { $0.text < $1.text }
    let oldTexts = Set(old.map(\.text))
    let newTexts = Set(new.map(\.text))
    for element in old where !newTexts.contains(element.text) {
      write("−", Composable.lines(of: element.value))
    }
    for element in new where !oldTexts.contains(element.text) {
      write("+", Composable.lines(of: element.value))
    }
    fold(oldTexts.intersection(newTexts).count)
  }

  private mutating func compareDictionaries(
    _ first: [(key: Any, value: Any)], _ second: [(key: Any, value: Any)]
  ) {
    let old = Dictionary(first.map { (describe($0.key), $0.value) }) { first, _ in first }
    let new = Dictionary(second.map { (describe($0.key), $0.value) }) { first, _ in first }
    var unchanged = 0
    for key in Set(old.keys).union(new.keys).sorted() {
      switch (old[key], new[key]) {
      case (let value?, let other?):
        if areEqual(value, other) {
          unchanged += 1
        } else {
          compare(value, other, label: key)
        }
      case (let value?, nil): write("−", labelled(key, Composable.lines(of: value)))
      case (nil, let other?): write("+", labelled(key, Composable.lines(of: other)))
      case (nil, nil): break
      }
    }
    fold(unchanged)
  }

  // MARK: Elements in order

  private mutating func compareElements(_ first: any ElementList, _ second: any ElementList) {
    let isEqual = first.equality(with: second)
    if first.hasIdentities(of: second) {
      compareIdentified(first, second, isEqual, Moves())
      return
    }
    if let oldIDs = first.identities(), let newIDs = second.identities(),
      Set(oldIDs).count == oldIDs.count, Set(newIDs).count == newIDs.count
    {
      compareIdentified(first, second, isEqual, Moves(from: oldIDs, to: newIDs))
      return
    }
    // Compare indices that stand for elements: those of the second list continue after the first's.
    let count = first.count
    let old = Array(0..<count)
    let new = Array(count..<count + second.count)
    let changes = new.difference(from: old) { isEqual(min($0, $1), max($0, $1) - count) }
    writeSteps(alignment(of: first.count, and: second.count, changes)) { writer, step in
      switch step {
      case .removed(let index): writer.writeElement("−", first, index)
      case .inserted(let index): writer.writeElement("+", second, index)
      case .both(let old, let new):
        writer.compare(first.value(at: old), second.value(at: new), label: "[\(new)]")
      }
    } isUnchanged: {
      isEqual($0, $1)
    }
  }

  /// The old and new positions of the elements of a list with ids.
  private struct Moves {
    var oldPositions: [AnyHashable: Int] = [:]
    var newPositions: [AnyHashable: Int] = [:]
    var oldIDs: [AnyHashable] = []
    var newIDs: [AnyHashable] = []
    var changes: CollectionDifference<AnyHashable>?

    /// Creates the moves of a list whose ids are unchanged.
    init() {}

    init(from oldIDs: [AnyHashable], to newIDs: [AnyHashable]) {
      self.oldIDs = oldIDs
      self.newIDs = newIDs
      oldPositions = Dictionary(uniqueKeysWithValues: zip(oldIDs, oldIDs.indices))
      newPositions = Dictionary(uniqueKeysWithValues: zip(newIDs, newIDs.indices))
      changes = newIDs.difference(from: oldIDs)
    }
  }

  private mutating func compareIdentified(
    _ first: any ElementList, _ second: any ElementList, _ isEqual: (Int, Int) -> Bool,
    _ moves: Moves
  ) {
    let steps = alignment(of: first.count, and: second.count, moves.changes, pairing: false)
    writeSteps(steps) { writer, step in
      switch step {
      case .removed(let index):
        // A moved element is written at its new position.
        guard moves.newPositions[moves.oldIDs[index]] == nil else { return }
        writer.writeElement("−", first, index)
      case .inserted(let index):
        let id = moves.newIDs[index]
        guard let old = moves.oldPositions[id] else {
          writer.writeElement("+", second, index)
          return
        }
        writer.write("+", ["[\(index)]: id \(describe(id.base)) (moved from [\(old)])"])
        if !isEqual(old, index) {
          writer.compare(first.value(at: old), second.value(at: index), label: "[\(index)]")
        }
      case .both(let old, let new):
        writer.compare(first.value(at: old), second.value(at: new), label: "[\(new)]")
      }
    } isUnchanged: {
      isEqual($0, $1)
    }
  }

  private mutating func writeElement(_ sign: Character, _ list: any ElementList, _ index: Int) {
    write(sign, labelled("[\(index)]", Composable.lines(of: list.value(at: index))))
  }

  /// Writes the steps of an alignment, with runs of equal elements folded.
  private mutating func writeSteps(
    _ steps: [AlignmentStep], _ write: (inout Self, AlignmentStep) -> Void,
    isUnchanged: (Int, Int) -> Bool
  ) {
    var unchanged = 0
    for step in steps {
      if case .both(let old, let new) = step, isUnchanged(old, new) {
        unchanged += 1
        continue
      }
      fold(unchanged)
      unchanged = 0
      write(&self, step)
    }
    fold(unchanged)
  }
}

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

/// Returns whether two values are equal: by `==` if the first is `Equatable`, otherwise by their
/// descriptions.
package func areEqual(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable { return isEqual(first, second) }
  return describe(first) == describe(second)
}

/// Returns whether two values are equal by `==`; `false` if they aren't `Equatable`.
func areEqualIfComparable<Value>(_ first: Value, _ second: Value) -> Bool {
  (first as? any Equatable).map { isEqual($0, second) } ?? false
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}
