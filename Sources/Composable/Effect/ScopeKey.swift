/// Identifies the child that an effect belongs to.
@usableFromInline
struct ScopeKey: Sendable {
  /// The operator that runs the child.
  let node: NodeIdentity
  /// Which of the operator's children it is.
  let child: ChildIdentity
}

/// Distinguishes a child from another that takes its place.
@usableFromInline
struct ChildIdentity: Hashable, @unchecked Sendable {
  // Sendable: reducers make it and the store reads it, both on the main actor. In between it
  // travels only inside an effect, where nothing else can reach it.
  let value: AnyHashable

  init(_ value: some Hashable) { self.value = AnyHashable(value) }

  /// The identity of an operator's only child, if the child has no identity itself.
  @usableFromInline
  static let single = ChildIdentity(0)
}
