/// Reads a dependency: `@Dependency(\.checkInClient) var checkInClient`.
///
/// Each read returns the value that is current where it happens: in a reducer the store's, in an
/// effect the one at the place where the effect was made.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  // A function instead of a key path: a literal `\.checkInClient` can be either, and calling a
  // getter takes a third of the time of reading a key path.
  @usableFromInline let read: @Sendable (DependencyValues) -> Value

  /// Creates a dependency on a value, given as a key path literal or as a function.
  @inlinable
  public init(_ read: @escaping @Sendable (DependencyValues) -> Value) { self.read = read }

  /// Creates a dependency on a value by a key path that isn't a literal. With this overload, the
  /// compiler's only message about a misspelt literal is that there is no such dependency.
  @_disfavoredOverload
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    read = { $0[keyPath: keyPath] }
  }

  /// The value that is current here.
  public var wrappedValue: Value { read(.current) }
}
