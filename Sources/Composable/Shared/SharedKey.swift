/// The name of a shared value, and how it is stored. Two `@Shared` properties with equal keys share
/// one value.
public protocol SharedKey<Value>: Hashable, Sendable {
  /// The type of the shared value.
  associatedtype Value: Sendable

  /// Returns the stored value, or `nil` if there is none.
  ///
  /// - Throws: An error if there is a value that can't be read. It is reported, and the default is
  ///   used instead.
  func load() throws -> Value?

  /// Stores a value. Called off the main actor, one call at a time.
  func save(_ value: Value) throws

  /// Returns the value that another program has stored since the last `load` or `save`, or `nil` if
  /// none has. The default calls `load`, for keys that can't tell.
  ///
  /// - Throws: An error if there is a value that can't be read. It is reported.
  func loadChange() throws -> Value?

  /// Calls a closure when another program may have changed the stored value.
  ///
  /// - Parameter onChange: Called on any thread, any number of times, and possibly after a `save`
  ///   too.
  /// - Returns: A token that keeps the watch alive; `nil` if no other program can change the value.
  func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)?
}

extension SharedKey {
  /// Returns the stored value, changed or not.
  public func loadChange() throws -> Value? { try load() }

  /// Returns `nil`, because no other program can change the value.
  public func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
}

/// The key of a shared value that is kept in memory and gone when the program ends.
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let name: String

  /// Creates a key with a name. The value's type is a part of the key: the same name with another
  /// type is another value.
  public init(_ name: String) { self.name = name }

  /// Returns `nil`, because nothing is stored.
  public func load() -> Value? { nil }

  /// Does nothing, because nothing is stored.
  public func save(_ value: Value) {}
}

extension SharedKey {
  /// Returns the key of a shared value that is kept in memory and gone when the program ends.
  public static func inMemory<Value: Sendable>(_ name: String) -> Self
  where Self == InMemoryKey<Value> { InMemoryKey(name) }
}
