/// Reads a dependency: `@Dependency(\.checkInClient) var checkInClient`.
///
/// Each read gives the value that is in force where it is read: in a reducer that of the store, in
/// an effect that of the place where the effect was made.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  // A function and not a key path: a literal `\.checkInClient` makes both, and calling a getter
  // costs a third of walking a path.
  @usableFromInline let read: @Sendable (DependencyValues) -> Value

  /// Depends on a value by its key path, or by a function of all values.
  @inlinable
  public init(_ read: @escaping @Sendable (DependencyValues) -> Value) { self.read = read }

  /// Depends on a value by a key path that isn't a literal. This overload lets the compiler say
  /// of a misspelt literal that there is no such dependency, and nothing else.
  @_disfavoredOverload
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    read = { $0[keyPath: keyPath] }
  }

  /// The value in force here.
  public var wrappedValue: Value { read(.current) }
}
