import Synchronization

/// The default values of dependencies, each made once.
final class DependencyDefaults: Sendable {
  /// The defaults of the running program.
  static let shared = DependencyDefaults()

  /// The defaults of the current test. Tests run in parallel, and changes that one makes to a
  /// default must not be visible to another.
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

  private let live = DependencyBoxes()
  private let preview = DependencyBoxes()
  private let test = DependencyBoxes()

  /// Returns the value of a key, in a `DependencyBox<Key.Value>`.
  func box<Key: TestDependencyKey>(
    of key: Key.Type, in context: DependencyContext
  ) -> AnyDependencyBox {
    let id = ObjectIdentifier(key)
    // Written out, because a variable for the selected table would cost every read a retain.
    let known =
      switch context {
      case .live: live[id]
      case .preview: preview[id]
      case .test: test[id]
      }
    return known
      ?? insert(DependencyBox(Self.make(key, in: context), of: key), for: id, in: context)
  }

  /// Adds a value. It was made without a lock, because a key can read other keys. If two threads
  /// have made one, the first is kept.
  private func insert(
    _ box: AnyDependencyBox, for id: ObjectIdentifier, in context: DependencyContext
  ) -> AnyDependencyBox {
    // Don't keep a value made while issues are ignored: its first real use must still report one.
    if IgnoredIssues.areIgnored { return box }
    return switch context {
    case .live: live.insert(box, for: id)
    case .preview: preview.insert(box, for: id)
    case .test: test.insert(box, for: id)
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

        Provide it in the program's composition root with `prepareDependencies`.
        """)
      return Key.testValue
    }
  }

  private static func live<Key: DependencyKey>(_: Key.Type) -> any Sendable { Key.liveValue }
}

/// Values by key, added rarely and read without a lock.
private final class DependencyBoxes: Sendable {
  private final class Snapshot: Sendable {
    let boxes: DependencyTable

    init(_ boxes: DependencyTable) { self.boxes = boxes }
  }

  private let latest: Atomic<Unmanaged<Snapshot>>
  /// Every snapshot ever published, so that a reader can't lose one. There are as many as keys.
  private let snapshots: Mutex<[Snapshot]>

  init() {
    let empty = Snapshot(DependencyTable())
    latest = Atomic(Unmanaged.passUnretained(empty))
    snapshots = Mutex([empty])
  }

  subscript(id: ObjectIdentifier) -> AnyDependencyBox? {
    latest.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.boxes[id] }
  }

  /// Adds a value, unless the key has one.
  ///
  /// - Returns: The value that the key has now.
  func insert(_ box: AnyDependencyBox, for id: ObjectIdentifier) -> AnyDependencyBox {
    snapshots.withLock { snapshots in
      var boxes = snapshots[snapshots.count - 1].boxes
      if let first = boxes[id] { return first }
      boxes.set(box, for: id)
      let snapshot = Snapshot(boxes)
      snapshots.append(snapshot)
      latest.store(Unmanaged.passUnretained(snapshot), ordering: .releasing)
      return box
    }
  }
}

/// Whether this process is running tests.
let isTesting = CommandLine.arguments.contains {
  $0 == "--testing-library" || $0.hasSuffix(".xctest")
}
