/// A value that several features hold together.
///
/// ```swift
/// struct State: Equatable, Sendable {
///   @Shared(.inMemory("isMuted")) var isMuted = false
/// }
/// …
/// state.$isMuted.withLock { $0.toggle() }
/// ```
///
/// It is read like a property and changed by `withLock`, from any task. `$settings.theme` shares a
/// part. In a test store a change is asserted like one of the state, by `$0.$isMuted.withLock`; in a
/// test each test store has shared values of its own.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  let access: SharedAccess<Value>

  init(access: SharedAccess<Value>) { self.access = access }

  /// Shares the value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value if nothing is kept under the key.
  ///   - key: The key.
  ///   - fileID: The module and file to which issues point.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    access = DependencyValues.current.sharedStorage.reference(
      key, default: wrappedValue,
      IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Shares a value with those that get this, under no key.
  public init(value: Value) {
    access = SharedReference(value, of: DependencyValues.current.sharedStorage)
  }

  /// Shares the value of a shared optional, or is `nil` while that is.
  ///
  /// If the optional becomes `nil` later, this is read as it was last, and its changes are dropped.
  public init?(_ optional: Shared<Value?>) {
    guard let value = optional.wrappedValue else { return nil }
    access = SharedUnwrapped(optional.access, value)
  }

  /// The value.
  public var wrappedValue: Value { access.read() }

  /// The shared value itself, to change it, to derive from it, and to give it to others.
  public var projectedValue: Self { self }

  /// Changes the value. Nobody else changes it until the closure ends; a reader until then, in
  /// the closure too, gets the value before the change.
  @discardableResult
  public func withLock<Result: Sendable>(
    _ change: @Sendable (inout Value) -> Result
  ) -> Result {
    var result: Result?
    access.write { result = change(&$0) }
    return result!
  }

  /// A part, shared.
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(access: SharedPart(access, keyPath))
  }

  /// The value, and each that it becomes. A slow reader gets the newest.
  public var values: AsyncStream<Value> { access.values() }

  /// Loads the value again, because something else than this program may have changed it. A part
  /// loads the whole; a value without a key has nothing to load.
  ///
  /// - Throws: The error of the key; the value stays as it is then.
  public func load() throws { try access.load() }
}

extension Shared: Equatable where Value: Equatable {
  /// Whether the values are equal.
  ///
  /// While a test store compares the state that the test expects with the one that the reducer made,
  /// the left is read as it is expected and the right as it is.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    if let comparison = SharedComparison.current {
      comparison.note(lhs.access.stamp)
      comparison.note(rhs.access.stamp)
    }
    return lhs.access.read(SharedAssertion.left) == rhs.access.read(SharedAssertion.right)
  }
}

extension Shared: CustomReflectable {
  /// That of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: CustomStringConvertible {
  /// That of the value.
  public var description: String { "\(wrappedValue)" }
}

/// A value that others share, to be read only.
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  private let shared: Shared<Value>

  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value if nothing is kept under the key.
  ///   - key: The key.
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>) {
    shared = Shared(wrappedValue: wrappedValue(), key)
  }

  /// Reads a shared value.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// The value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// The reader itself, to give it to others.
  public var projectedValue: Self { self }

  /// The value, and each that it becomes. A slow reader gets the newest.
  public var values: AsyncStream<Value> { shared.values }
}

extension SharedReader: Equatable where Value: Equatable {}

extension SharedReader: CustomReflectable {
  /// That of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: CustomStringConvertible {
  /// That of the value.
  public var description: String { "\(wrappedValue)" }
}
