/// The value of a dependency, with its type erased.
@usableFromInline
class AnyDependencyBox: @unchecked Sendable {
  // Sendable: it holds a constant type, and its only subclass is Sendable in its own right.

  /// The key of the value.
  let key: any TestDependencyKey.Type

  init(key: any TestDependencyKey.Type) { self.key = key }
}

/// The value of a dependency.
@usableFromInline
final class DependencyBox<Value: Sendable>: AnyDependencyBox, @unchecked Sendable {
  // Sendable: it holds one constant that is Sendable. Unchecked only because its superclass is.
  @usableFromInline let value: Value

  init(_ value: Value, of key: any TestDependencyKey.Type) {
    self.value = value
    super.init(key: key)
  }
}
