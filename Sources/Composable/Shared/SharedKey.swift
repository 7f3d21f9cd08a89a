/// Where a shared value lives, and what it is called. Two `@Shared` of one key are one value.
public protocol SharedKey<Value>: Hashable, Sendable {
  /// What is shared.
  associatedtype Value: Sendable

  /// The value that is kept, or `nil` if there is none.
  ///
  /// - Throws: An error if there is one, but it cannot be read. It is reported, and the default is
  ///   used instead.
  func load() throws -> Value?

  /// Keeps a value. Called off the main actor, one call after the other.
  func save(_ value: Value) throws

  /// The value that something else than this program has put there since the last `load` or `save`,
  /// or `nil` if nothing has. The same as `load` unless the key can tell.
  ///
  /// - Throws: An error if there is one, but it cannot be read; it is reported.
  func loadChange() throws -> Value?

  /// Tells when something else than this program may have changed what is kept.
  ///
  /// - Parameter onChange: Told on any thread, any number of times; also for a `save`.
  /// - Returns: What has to be held as long as it observes; `nil` if nothing else can change it.
  func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)?
}

extension SharedKey {
  /// The value that is kept.
  public func loadChange() throws -> Value? { try load() }

  /// Nothing else can change it.
  public func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
}

/// A value that is shared within the program and gone when it ends.
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let name: String

  /// A key of a name. The type of the value belongs to the key: the same name with another type is
  /// another value.
  public init(_ name: String) { self.name = name }

  /// There is nothing to load.
  public func load() -> Value? { nil }

  /// There is nothing to keep.
  public func save(_ value: Value) {}
}

extension SharedKey {
  /// A value that is shared within the program and gone when it ends.
  public static func inMemory<Value: Sendable>(_ name: String) -> Self
  where Self == InMemoryKey<Value> { InMemoryKey(name) }
}
