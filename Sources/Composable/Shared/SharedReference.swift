import Synchronization

/// Access to a shared value, or to a part of one.
class SharedAccess<Value: Sendable>: @unchecked Sendable {
  // Sendable: it has no state, and its subclasses are Sendable in their own right.

  func read(_ side: SharedAssertion.Side? = nil) -> Value { fatalError() }
  func write(_ change: (inout Value) -> Void) { fatalError() }
  func values() -> AsyncStream<Value> { fatalError() }
  func load() throws { fatalError() }
  /// The number of the last change.
  var stamp: UInt64 { fatalError() }
}

/// A whole shared value.
final class SharedReference<Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds constants, a mutex, and a weak reference that is never set again. Unchecked
  // only because its superclass is.

  private struct Contents: Sendable {
    var value: Value
    /// How many times this program has changed the value.
    var version: UInt = 0
    /// The number of the value's last change, counted over all shared values.
    var stamp: UInt64 = 0
    /// The streams of the value. An ended stream is removed by the next change, not when it ends:
    /// at that moment its task's lock is held, which yielding needs, so waiting for this mutex
    /// could deadlock.
    var continuations: [AsyncStream<Value>.Continuation] = []
  }

  /// Held while a change is made. Reading doesn't wait for it.
  private let changing = Mutex(())
  private let contents: Mutex<Contents>
  /// The test's record of changes. Weak, because it retains the values that changed; the storage
  /// retains it.
  private weak var changes: SharedChanges?
  private let signal: SharedSignal
  private let persistence: Persistence?

  /// How the value is stored.
  struct Persistence: Sendable {
    let load: @Sendable () throws -> Value?
    /// Schedules a save. Called while the value is being changed, so it must not change the value.
    let save: @Sendable (Value) -> Void
    /// Returns whether a save is still pending.
    let isSaving: @Sendable () -> Bool
  }

  init(_ value: Value, of storage: SharedStorage, persistence: Persistence? = nil) {
    contents = Mutex(Contents(value: value))
    changes = storage.changes
    signal = storage.signal
    self.persistence = persistence
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
    replace { contents in
      change(&contents.value)
      contents.version += 1
      persistence?.save(contents.value)
    }
  }

  override func load() throws { if let persistence { try load(persistence.load) } }

  /// Takes over the stored value, unless this program has a change that isn't saved yet or makes
  /// one in the meantime. That change wins, because it will replace what is stored.
  func load(_ load: () throws -> Value?) throws {
    let version = contents.withLock { persistence?.isSaving() == true ? nil : $0.version }
    guard let version, let value = try load() else { return }
    replace { contents in
      if contents.version == version { contents.value = value }
    }
  }

  /// Changes the value and notifies its streams in one step, so that two concurrent changes can't
  /// arrive in the wrong order.
  private func replace(_ change: (inout Contents) -> Void) {
    changing.withLock { _ in
      let old = contents.withLock { $0 }
      var new = old
      change(&new)
      changes?.note(self, id, from: old.value, to: new.value)
      if !areEqualIfComparable(old.value, new.value) { new.stamp = signal.nextStamp() }
      contents.withLock { contents in
        // Streams may have been added in the meantime.
        new.continuations = contents.continuations
        new.continuations.removeAll { continuation in
          if case .terminated = continuation.yield(new.value) { true } else { false }
        }
        contents = new
      }
    }
    signal.notify()
  }

  override var stamp: UInt64 { contents.withLock { $0.stamp } }

  override func values() -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      contents.withLock { contents in
        continuation.yield(contents.value)
        contents.continuations.append(continuation)
      }
    }
  }

  /// The assertion being made here by the test store that has this value, or `nil`.
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

  override var stamp: UInt64 { whole.stamp }

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

/// The wrapped value of a shared optional, or the last one while the optional is `nil`.
final class SharedUnwrapped<Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds a constant that is Sendable, and a mutex. Unchecked only because its
  // superclass is.

  private let optional: SharedAccess<Value?>
  private let last: Mutex<Value>

  init(_ optional: SharedAccess<Value?>, _ value: Value) {
    self.optional = optional
    last = Mutex(value)
  }

  override func read(_ side: SharedAssertion.Side?) -> Value {
    let value = optional.read(side)
    return last.withLock { last in
      if let value { last = value }
      return last
    }
  }

  override func write(_ change: (inout Value) -> Void) {
    optional.write { value in
      // While the optional is `nil`, the closure runs only for its result, and the change is
      // dropped.
      var new = value ?? last.withLock { $0 }
      change(&new)
      guard value != nil else { return }
      value = new
      last.withLock { $0 = new }
    }
  }

  override func load() throws { try optional.load() }

  override var stamp: UInt64 { optional.stamp }

  override func values() -> AsyncStream<Value> {
    let values = optional.values()
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        for await case let value? in values { continuation.yield(value) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
