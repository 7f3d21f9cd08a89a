/// Reads a dependency: `@Dependency(\.checkInClient) var checkInClient`.
///
/// Each read gives the value that is in force where it is read: in a reducer that of the store, in
/// an effect that of the place where the effect was made.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  /// Depends on a value by its key path.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The value in force here.
  public var wrappedValue: Value { DependencyValues.current[keyPath: keyPath] }
}
