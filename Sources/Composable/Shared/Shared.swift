/// A value shared by several features.
///
/// ```swift
/// struct State: Equatable, Sendable {
///   @Shared(.inMemory("isMuted")) var isMuted = false
/// }
/// …
/// state.$isMuted.withLock { $0.toggle() }
/// ```
///
/// Read it like a property, and change it with `withLock`, from any task. `$settings.theme` shares
/// a part of it. In a test store, assert a change like one of the state, with
/// `$0.$isMuted.withLock`. Each test store in a test has separate shared values.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  let access: SharedAccess<Value>

  init(access: SharedAccess<Value>) { self.access = access }

  /// Shares the value stored under a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value to use if nothing is stored under the key.
  ///   - key: The key.
  ///   - fileID: The module and file that issues point to.
  ///   - filePath: The path of the file.
  ///   - line: The line that issues point to.
  ///   - column: The column that issues point to.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    access = DependencyValues.current.sharedStorage.reference(
      key, default: wrappedValue,
      IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Shares a value without a key, with the features that this instance is passed to.
  public init(value: Value) {
    access = SharedReference(value, of: DependencyValues.current.sharedStorage)
  }

  /// Shares the wrapped value of a shared optional, or returns `nil` if it is `nil`.
  ///
  /// If the optional becomes `nil` later, reads return the last value and changes are dropped.
  public init?(_ optional: Shared<Value?>) {
    guard let value = optional.wrappedValue else { return nil }
    access = SharedUnwrapped(optional.access, value)
  }

  /// The current value.
  public var wrappedValue: Value { access.read() }

  /// The shared value itself, for changing it, deriving a part, or passing it on.
  public var projectedValue: Self { self }

  /// Changes the value. No other change is made until the closure returns. Reads in the meantime,
  /// even in the closure, return the value before the change.
  @discardableResult
  public func withLock<Result: Sendable>(
    _ change: @Sendable (inout Value) -> Result
  ) -> Result {
    var result: Result?
    access.write { result = change(&$0) }
    return result!
  }

  /// Returns a part, shared.
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(access: SharedPart(access, keyPath))
  }

  /// The current value, then each new one. A slow reader gets the newest.
  public var values: AsyncStream<Value> { access.values() }

  /// Loads the value again, in case another program has changed it. A part loads the whole value; a
  /// value without a key loads nothing.
  ///
  /// - Throws: The key's error. The value stays unchanged.
  public func load() throws { try access.load() }
}

extension Shared: Equatable where Value: Equatable {
  /// Returns whether the values are equal.
  ///
  /// While a test store compares the expected state with the actual one, the left side is read as
  /// the expected value and the right side as the actual value.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    if let comparison = SharedComparison.current {
      comparison.note(lhs.access.stamp)
      comparison.note(rhs.access.stamp)
    }
    return lhs.access.read(SharedAssertion.left) == rhs.access.read(SharedAssertion.right)
  }
}

extension Shared: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: CustomStringConvertible {
  /// The description of the value.
  public var description: String { "\(wrappedValue)" }
}

/// A read-only view of a shared value.
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  private let shared: Shared<Value>

  /// Reads the value stored under a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value to use if nothing is stored under the key.
  ///   - key: The key.
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>) {
    shared = Shared(wrappedValue: wrappedValue(), key)
  }

  /// Creates a reader of a shared value.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// The current value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// The reader itself, for passing it on.
  public var projectedValue: Self { self }

  /// The current value, then each new one. A slow reader gets the newest.
  public var values: AsyncStream<Value> { shared.values }
}

extension SharedReader: Equatable where Value: Equatable {}

extension SharedReader: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: CustomStringConvertible {
  /// The description of the value.
  public var description: String { "\(wrappedValue)" }
}
