import Synchronization

/// All shared values of a program, or of a test.
package final class SharedStorage: Sendable {
  private let references = Mutex<[AnySharedKey: any AnyObject & Sendable]>([:])
  private let writer = SharedWriter()

  /// What a test has not asserted yet; `nil` outside of tests.
  package let changes: SharedChanges?

  package init(changes: SharedChanges? = nil) { self.changes = changes }

  /// The value of a key, loaded if nobody holds it yet.
  func reference<Key: SharedKey>(
    _ key: Key, default value: () -> Key.Value, _ location: IssueLocation
  ) -> SharedAccess<Key.Value> {
    let id = AnySharedKey(key)
    if let reference = references.withLock({ $0[id] }) {
      // Only this function makes the entry of a key, with this type.
      return unsafeDowncast(reference, to: SharedReference<Key.Value>.self)
    }
    let writer = writer
    let new = SharedReference(
      load(key, location) ?? value(), changes: changes, load: { try key.load() }
    ) { value in
      writer.save(id) {
        do {
          try key.save(value)
        } catch {
          reportIssue("A shared value could not be saved: \(error)", at: location)
        }
      }
    }
    return references.withLock { references in
      if let first = references[id] {
        return unsafeDowncast(first, to: SharedReference<Key.Value>.self)
      }
      references[id] = new
      return new
    }
  }

  /// Waits until all that was changed so far is kept.
  func flush() async { await writer.flush() }

  private func load<Key: SharedKey>(_ key: Key, _ location: IssueLocation) -> Key.Value? {
    do {
      return try key.load()
    } catch {
      reportIssue(
        "A shared value could not be loaded, and its default is used: \(error)", at: location)
      return nil
    }
  }
}

/// A key of any type.
private struct AnySharedKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let key: any Hashable & Sendable

  init<Key: SharedKey>(_ key: Key) {
    type = ObjectIdentifier(Key.self)
    self.key = key
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.type == rhs.type && AnyHashable(lhs.key) == AnyHashable(rhs.key)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    key.hash(into: &hasher)
  }
}

/// Keeps values off the main actor, one after the other. Of several changes of one value that wait,
/// only the last is kept.
private final class SharedWriter: Sendable {
  private struct Contents {
    var waiting: [(id: AnySharedKey, save: @Sendable () -> Void)] = []
    var task: Task<Void, Never>?
  }

  private let contents = Mutex(Contents())

  func save(_ id: AnySharedKey, _ save: @escaping @Sendable () -> Void) {
    contents.withLock { contents in
      contents.waiting.removeAll { $0.id == id }
      contents.waiting.append((id, save))
      guard contents.task == nil else { return }
      contents.task = Task.detached { self.run() }
    }
  }

  private func run() {
    while let save = next() { save() }
  }

  private func next() -> (@Sendable () -> Void)? {
    contents.withLock { contents in
      guard !contents.waiting.isEmpty else {
        contents.task = nil
        return nil
      }
      return contents.waiting.removeFirst().save
    }
  }

  func flush() async {
    while let task = contents.withLock({ $0.task }) { await task.value }
  }
}

extension DependencyValues {
  /// All shared values here.
  package var sharedStorage: SharedStorage {
    get { self[SharedStorageKey.self] }
    set { self[SharedStorageKey.self] = newValue }
  }

  private enum SharedStorageKey: DependencyKey {
    static let liveValue = SharedStorage()
    static var testValue: SharedStorage { SharedStorage() }
  }
}

/// Waits until all shared values that were changed so far are kept: before a program ends.
public func flushSharedValues() async {
  await DependencyValues.current.sharedStorage.flush()
}
