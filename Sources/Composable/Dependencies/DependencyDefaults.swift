import Synchronization

/// The keys' own values, each made once.
final class DependencyDefaults: Sendable {
  /// Those of the running program.
  static let shared = DependencyDefaults()

  private struct Slot: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
  }

  private let values = Mutex<[Slot: AnyDependencyBox]>([:])

  func value<Key: TestDependencyKey>(of key: Key.Type, in context: DependencyContext) -> Key.Value {
    let slot = Slot(key: ObjectIdentifier(key), context: context)
    let box =
      values.withLock { $0[slot] }
      // Made without the lock, because a key may read others.
      ?? insert(DependencyBox(Self.make(key, in: context)), slot)
    // Only this function makes the entry of a slot, with this type.
    return unsafeDowncast(box, to: DependencyBox<Key.Value>.self).value
  }

  /// If two threads have made a value, the first stays.
  private func insert(_ box: AnyDependencyBox, _ slot: Slot) -> AnyDependencyBox {
    values.withLock { values in
      if let first = values[slot] { return first }
      values[slot] = box
      return box
    }
  }

  private static func make<Key: TestDependencyKey>(
    _ key: Key.Type, in context: DependencyContext
  ) -> Key.Value {
    switch context {
    case .test: return Key.testValue
    case .preview: return Key.previewValue
    case .live:
      if let key = key as? any DependencyKey.Type { return live(key) as! Key.Value }
      reportIssue(
        """
        "\(key)" has no live value, and none was provided.

        Provide it in the program's composition root by `prepareDependencies`.
        """)
      return Key.testValue
    }
  }

  private static func live<Key: DependencyKey>(_: Key.Type) -> any Sendable { Key.liveValue }
}

/// Whether this process runs tests.
let isTesting: Bool = {
  let arguments = CommandLine.arguments
  return arguments.first?.hasSuffix(".xctest") == true
    || arguments.contains { $0 == "--testing-library" || $0.hasSuffix(".xctest") }
}()
