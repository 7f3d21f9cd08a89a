import Synchronization

/// How to read and change a shared value: the whole or a part of it.
class SharedAccess<Value: Sendable>: @unchecked Sendable {
  // Sendable: it has no state, and its subclasses are Sendable by themselves.

  func read(_ side: SharedAssertion.Side? = nil) -> Value { fatalError() }
  func write(_ change: (inout Value) -> Void) { fatalError() }
  func values() -> AsyncStream<Value> { fatalError() }
  func load() throws { fatalError() }
}

/// A shared value.
final class SharedReference<Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds constants, a mutex, and a weak reference that is never set again. Unchecked
  // only because its superclass is.

  private struct Contents: Sendable {
    var value: Value
    var lastID = 0
    var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let contents: Mutex<Contents>
  /// What a test has not asserted yet. Its store holds it, and it holds the values that changed.
  private weak var changes: SharedChanges?
  private let reload: (@Sendable () throws -> Value?)?
  private let save: (@Sendable (Value) -> Void)?

  init(
    _ value: Value, changes: SharedChanges?, load: (@Sendable () throws -> Value?)? = nil,
    save: (@Sendable (Value) -> Void)? = nil
  ) {
    contents = Mutex(Contents(value: value))
    self.changes = changes
    reload = load
    self.save = save
  }

  private var id: ObjectIdentifier { ObjectIdentifier(self) }

  override func read(_ side: SharedAssertion.Side? = nil) -> Value {
    if let assertion = assertion, let value = assertion.value(of: id, side) as? Value {
      return value
    }
    return contents.withLock { $0.value }
  }

  override func write(_ change: (inout Value) -> Void) {
    if let assertion {
      var value = read(.expected)
      change(&value)
      assertion.expect(id, value)
      return
    }
    let value = replace(change)
    save?(value)
  }

  override func load() throws {
    guard let value = try reload?() else { return }
    _ = replace { $0 = value }
  }

  /// Changes the value and tells those who follow it.
  private func replace(_ change: (inout Value) -> Void) -> Value {
    let (value, continuations) = contents.withLock { contents in
      let old = contents.value
      change(&contents.value)
      changes?.note(self, id, from: old, to: contents.value)
      return (contents.value, contents.continuations.values)
    }
    for continuation in continuations { continuation.yield(value) }
    return value
  }

  override func values() -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = contents.withLock { contents in
        continuation.yield(contents.value)
        contents.lastID += 1
        contents.continuations[contents.lastID] = continuation
        return contents.lastID
      }
      continuation.onTermination = { [weak self] _ in
        self?.contents.withLock { $0.continuations[id] = nil }
      }
    }
  }

  /// The assertion that a test store of these values makes here.
  private var assertion: SharedAssertion? {
    guard let assertion = SharedAssertion.current, assertion.changes === changes else { return nil }
    return assertion
  }
}

/// A part of a shared value.
final class SharedPart<Whole: Sendable, Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds two constants that are Sendable. Unchecked only because its superclass is.

  private let whole: SharedAccess<Whole>
  private let keyPath: any WritableKeyPath<Whole, Value> & Sendable

  init(_ whole: SharedAccess<Whole>, _ keyPath: any WritableKeyPath<Whole, Value> & Sendable) {
    self.whole = whole
    self.keyPath = keyPath
  }

  override func read(_ side: SharedAssertion.Side?) -> Value { whole.read(side)[keyPath: keyPath] }

  override func write(_ change: (inout Value) -> Void) {
    whole.write { change(&$0[keyPath: keyPath]) }
  }

  override func load() throws { try whole.load() }

  override func values() -> AsyncStream<Value> {
    let values = whole.values()
    let keyPath = keyPath
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        for await value in values { continuation.yield(value[keyPath: keyPath]) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
