/// A value of some dependency.
@usableFromInline
class AnyDependencyBox: @unchecked Sendable {
  // Sendable: it has no state, and its only subclass is Sendable by itself.
}

/// The value of a dependency.
@usableFromInline
final class DependencyBox<Value: Sendable>: AnyDependencyBox, @unchecked Sendable {
  // Sendable: it holds one constant that is Sendable. Unchecked only because its superclass is.
  @usableFromInline let value: Value

  init(_ value: Value) { self.value = value }
}
