import Synchronization

/// All shared values of a program, or of a test.
package final class SharedStorage: Sendable {
  private let references = Mutex<[AnySharedKey: any AnyObject & Sendable]>([:])
  private let watches = Mutex<[any Sendable]>([])
  private let writer = SharedWriter()
  /// Tells the stores of these values.
  let signal = SharedSignal()

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
    let new = SharedReference(
      load(key, location) ?? value(), of: self, place: place(of: key, id, location))
    let reference = references.withLock { references in
      if let first = references[id] {
        return unsafeDowncast(first, to: SharedReference<Key.Value>.self)
      }
      references[id] = new
      return new
    }
    if reference === new { follow(key, id, new, location) }
    return reference
  }

  private func place<Key: SharedKey>(
    of key: Key, _ id: AnySharedKey, _ location: IssueLocation
  ) -> SharedReference<Key.Value>.Place {
    let writer = writer
    return SharedReference<Key.Value>.Place {
      try key.load()
    } save: { value in
      writer.save(id) {
        do {
          try key.save(value)
        } catch {
          reportIssue("A shared value could not be saved: \(error)", at: location)
        }
      }
    } isSaving: {
      writer.isSaving(id)
    }
  }

  /// Takes over what others put in the place of a value.
  private func follow<Key: SharedKey>(
    _ key: Key, _ id: AnySharedKey, _ reference: SharedReference<Key.Value>,
    _ location: IssueLocation
  ) {
    let load: @Sendable () -> Void = { [weak reference, writer] in
      guard let reference else { return }
      writer.load(id) {
        do {
          try reference.load(key.loadChange)
        } catch {
          reportIssue(
            "A shared value was changed by others and could not be loaded: \(error)", at: location)
        }
      }
    }
    guard let watch = key.watch(load) else { return }
    watches.withLock { $0.append(watch) }
    load()  // What was changed between the first load and now.
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

/// Keeps and loads values off the main actor, one after the other. Of several changes of one value
/// that wait, only the last is kept.
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

  /// Whether a value of a key is still to be kept.
  func isSaving(_ id: AnySharedKey) -> Bool {
    contents.withLock { contents in
      (contents.waiting + [contents.running].compactMap(\.self))
        .contains { $0.id == id && $0.isSave }
    }
  }

  private func enqueue(_ job: Job) {
    contents.withLock { contents in
      // What is going to be kept replaces what could be loaded, and not the other way round.
      if !job.isSave, contents.waiting.contains(where: { $0.id == job.id }) { return }
      contents.waiting.removeAll { $0.id == job.id }
      contents.waiting.append(job)
      guard contents.task == nil else { return }
      // Not detached: an issue belongs to the test in which it comes up.
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
