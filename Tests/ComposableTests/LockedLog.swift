import Synchronization

/// A log that can be appended to from any thread.
final class LockedLog<Value: Sendable>: Sendable {
  private let contents = Mutex<[Value]>([])

  var values: [Value] { contents.withLock { $0 } }

  func append(_ value: Value) { contents.withLock { $0.append(value) } }
}
