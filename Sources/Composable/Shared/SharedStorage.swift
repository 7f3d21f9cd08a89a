import Synchronization

/// All shared values of a program, or of a test.
package final class SharedStorage: Sendable {
  private let references = Mutex<[AnySharedKey: any AnyObject & Sendable]>([:])
  private let watches = Mutex<[any Sendable]>([])
  private let writer = SharedWriter()
  /// Notifies the stores that use these values.
  let signal = SharedSignal()

  /// The changes that a test hasn't asserted yet; `nil` outside tests.
  package let changes: SharedChanges?

  package init(changes: SharedChanges? = nil) { self.changes = changes }

  /// Returns the shared value of a key, loading it on first use.
  func reference<Key: SharedKey>(
    _ key: Key, default value: () -> Key.Value, _ location: IssueLocation
  ) -> SharedAccess<Key.Value> {
    let id = AnySharedKey(key)
    if let reference = references.withLock({ $0[id] }) {
      // Only this function adds the entry of a key, always with this type.
      return unsafeDowncast(reference, to: SharedReference<Key.Value>.self)
    }
    let new = SharedReference(
      load(key, location) ?? value(), of: self, persistence: persistence(of: key, id, location))
    let reference = references.withLock { references in
      if let first = references[id] {
        return unsafeDowncast(first, to: SharedReference<Key.Value>.self)
      }
      references[id] = new
      return new
    }
    if reference === new { observeChanges(key, id, new, location) }
    return reference
  }

  private func persistence<Key: SharedKey>(
    of key: Key, _ id: AnySharedKey, _ location: IssueLocation
  ) -> SharedReference<Key.Value>.Persistence {
    let writer = writer
    let fail = DependencyValues.current.sharedValueFailed
    return SharedReference<Key.Value>.Persistence {
      try key.load()
    } save: { value in
      writer.save(id) {
        do {
          try key.save(value)
        } catch {
          fail("A shared value could not be saved", error, location)
        }
      }
    } isSaving: {
      writer.isSaving(id)
    }
  }

  /// Takes over changes that other programs store.
  private func observeChanges<Key: SharedKey>(
    _ key: Key, _ id: AnySharedKey, _ reference: SharedReference<Key.Value>,
    _ location: IssueLocation
  ) {
    let fail = DependencyValues.current.sharedValueFailed
    let load: @Sendable () -> Void = { [weak reference, writer] in
      guard let reference else { return }
      writer.load(id) {
        do {
          try reference.load(key.loadChange)
        } catch {
          fail(
            "A shared value was changed elsewhere, and the new value could not be loaded", error,
            location)
        }
      }
    }
    guard let watch = key.watch(load) else { return }
    watches.withLock { $0.append(watch) }
    load()  // In case the value changed since the first load.
  }

  /// Waits until every change made so far is saved.
  func flush() async { await writer.flush() }

  private func load<Key: SharedKey>(_ key: Key, _ location: IssueLocation) -> Key.Value? {
    do {
      return try key.load()
    } catch {
      DependencyValues.current.sharedValueFailed(
        "A shared value could not be loaded, and its default is used", error, location)
      return nil
    }
  }
}

/// A type-erased key.
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

/// Saves and loads values off the main actor, one after the other. If several changes of one value
/// are waiting, only the last is saved.
private final class SharedWriter: Sendable {
  private struct Job {
    let id: AnySharedKey
    let isSave: Bool
    let run: @Sendable () -> Void
  }

  private struct Contents {
    var waiting: [Job] = []
    var running: Job?
    var task: Task<Void, Never>?
  }

  private let contents = Mutex(Contents())

  func save(_ id: AnySharedKey, _ save: @escaping @Sendable () -> Void) {
    enqueue(Job(id: id, isSave: true, run: save))
  }

  func load(_ id: AnySharedKey, _ load: @escaping @Sendable () -> Void) {
    enqueue(Job(id: id, isSave: false, run: load))
  }

  /// Returns whether a save of a key's value is waiting or running.
  func isSaving(_ id: AnySharedKey) -> Bool {
    contents.withLock { contents in
      (contents.waiting + [contents.running].compactMap(\.self))
        .contains { $0.id == id && $0.isSave }
    }
  }

  private func enqueue(_ job: Job) {
    contents.withLock { contents in
      // A pending save will replace what a load would read, so a load must not displace it.
      if !job.isSave, contents.waiting.contains(where: { $0.id == job.id }) { return }
      contents.waiting.removeAll { $0.id == job.id }
      contents.waiting.append(job)
      guard contents.task == nil else { return }
      // Not detached, so that an issue is attributed to the test that causes it.
      contents.task = DependencyValues.withoutOverrides { Task { self.run() } }
    }
  }

  private func run() {
    while let job = next() { job.run() }
  }

  private func next() -> Job? {
    contents.withLock { contents in
      contents.running = contents.waiting.isEmpty ? nil : contents.waiting.removeFirst()
      if contents.running == nil { contents.task = nil }
      return contents.running
    }
  }

  func flush() async {
    while let task = contents.withLock({ $0.task }) { await task.value }
  }
}

extension DependencyValues {
  /// The storage of all shared values.
  package var sharedStorage: SharedStorage {
    get { self[SharedStorageKey.self] }
    set { self[SharedStorageKey.self] = newValue }
  }

  private enum SharedStorageKey: DependencyKey {
    static let liveValue = SharedStorage()
    static var testValue: SharedStorage { SharedStorage() }
  }
}

extension DependencyValues {
  /// Called when a shared value can't be loaded or saved, for example because the disk is full. By
  /// default that is an issue; a program that people use tells them.
  public var sharedValueFailed:
    @Sendable (_ what: String, _ error: any Error, _ location: IssueLocation) -> Void
  {
    get { self[SharedFailureKey.self] }
    set { self[SharedFailureKey.self] = newValue }
  }

  private enum SharedFailureKey: DependencyKey {
    static var liveValue: @Sendable (String, any Error, IssueLocation) -> Void {
      { what, error, location in reportIssue("\(what): \(error)", at: location) }
    }
    static var testValue: @Sendable (String, any Error, IssueLocation) -> Void { liveValue }
  }
}

/// Waits until every change of a shared value made so far is saved. Call it before the program
/// ends.
public func flushSharedValues() async {
  await DependencyValues.current.sharedStorage.flush()
}
