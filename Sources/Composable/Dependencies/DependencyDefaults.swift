import Synchronization

/// The keys' own values, each made once.
final class DependencyDefaults: Sendable {
  /// Those of the running program.
  static let shared = DependencyDefaults()

  /// Those of the test that runs here. Tests run in parallel, and what one puts into a default may
  /// not be seen by another.
  static var ofCurrentTest: DependencyDefaults {
    let test = installedReporter?.currentTest ?? ""
    return ofTests.withLock { defaults in
      if let known = defaults[test] { return known }
      let new = DependencyDefaults()
      defaults[test] = new
      return new
    }
  }

  private static let ofTests = Mutex<[String: DependencyDefaults]>([:])

  private let live = Mutex<[ObjectIdentifier: AnyDependencyBox]>([:])
  private let preview = Mutex<[ObjectIdentifier: AnyDependencyBox]>([:])
  private let test = Mutex<[ObjectIdentifier: AnyDependencyBox]>([:])

  func value<Key: TestDependencyKey>(of key: Key.Type, in context: DependencyContext) -> Key.Value {
    let box =
      switch context {
      case .live: Self.box(key, context, in: live)
      case .preview: Self.box(key, context, in: preview)
      case .test: Self.box(key, context, in: test)
      }
    // Only `box` makes the entry of a key, with this type.
    return unsafeDowncast(box, to: DependencyBox<Key.Value>.self).value
  }

  private static func box<Key: TestDependencyKey>(
    _ key: Key.Type, _ context: DependencyContext,
    in values: borrowing Mutex<[ObjectIdentifier: AnyDependencyBox]>
  ) -> AnyDependencyBox {
    let id = ObjectIdentifier(key)
    if let box = values.withLock({ $0[id] }) { return box }
    // Made without the lock, because a key may read others. If two threads make it, the first stays.
    let box = DependencyBox(make(key, in: context), of: key)
    return values.withLock { values in
      if let first = values[id] { return first }
      values[id] = box
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
