import Synchronization

/// How to read and change a shared value: the whole or a part of it.
class SharedAccess<Value: Sendable>: @unchecked Sendable {
  // Sendable: it has no state, and its subclasses are Sendable by themselves.

  func read(_ side: SharedAssertion.Side? = nil) -> Value { fatalError() }
  func write(_ change: (inout Value) -> Void) { fatalError() }
  func values() -> AsyncStream<Value> { fatalError() }
  func load() throws { fatalError() }
  /// The number of the last change.
  var stamp: UInt64 { fatalError() }
}

/// A shared value.
final class SharedReference<Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds constants, a mutex, and a weak reference that is never set again. Unchecked
  // only because its superclass is.

  private struct Contents: Sendable {
    var value: Value
    /// How often this program has changed it.
    var version: UInt = 0
    /// The number of the last change among those of all shared values.
    var stamp: UInt64 = 0
    /// Who follows it. A stream that has ended is taken out by the next change: it ends while its
    /// task is locked, and telling it needs that lock, so its end must not wait for this one.
    var continuations: [AsyncStream<Value>.Continuation] = []
  }

  /// Locked while a change is made; reading does not wait for it.
  private let changing = Mutex(())
  private let contents: Mutex<Contents>
  /// What a test has not asserted yet. Its store holds it, and it holds the values that changed.
  private weak var changes: SharedChanges?
  private let signal: SharedSignal
  private let place: Place?

  /// Where the value is kept.
  struct Place: Sendable {
    let load: @Sendable () throws -> Value?
    /// Keeps a value later. It is called while the value is changed, and may not change it.
    let save: @Sendable (Value) -> Void
    /// Whether a value is still to be kept.
    let isSaving: @Sendable () -> Bool
  }

  init(_ value: Value, of storage: SharedStorage, place: Place? = nil) {
    contents = Mutex(Contents(value: value))
    changes = storage.changes
    signal = storage.signal
    self.place = place
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
      place?.save(contents.value)
    }
  }

  override func load() throws { if let place { try load(place.load) } }

  /// Takes over what is kept. A change of this program's own that is not kept yet, or that is made
  /// in the meantime, wins: it is going to replace what is kept.
  func load(_ load: () throws -> Value?) throws {
    let version = contents.withLock { place?.isSaving() == true ? nil : $0.version }
    guard let version, let value = try load() else { return }
    replace { contents in
      if contents.version == version { contents.value = value }
    }
  }

  /// Changes the value and tells those who follow it, in one step: of two changes at once they must
  /// not hear the first one last.
  private func replace(_ change: (inout Contents) -> Void) {
    changing.withLock { _ in
      let old = contents.withLock { $0 }
      var new = old
      change(&new)
      changes?.note(self, id, from: old.value, to: new.value)
      if !areEqualIfComparable(old.value, new.value) { new.stamp = signal.nextStamp() }
      contents.withLock { contents in
        // Others may have begun to follow it in the meantime.
        new.continuations = contents.continuations
        new.continuations.removeAll { continuation in
          if case .terminated = continuation.yield(new.value) { true } else { false }
        }
        contents = new
      }
    }
    signal.tell()
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

/// The value of a shared optional; while that is `nil`, the last.
final class SharedUnwrapped<Value: Sendable>: SharedAccess<Value>, @unchecked Sendable {
  // Sendable: it holds a constant that is Sendable, and a mutex. Unchecked only because its superclass
  // is.

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
      // Nobody sees what happens to a value that is gone.
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
