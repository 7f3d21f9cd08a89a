/// Which child of which operator an effect belongs to.
@usableFromInline
struct ScopeKey: Sendable {
  /// The operator.
  let node: NodeIdentity
  /// Which of the operator's children.
  let child: ChildIdentity
}

/// Tells one child from the next that takes its place.
@usableFromInline
struct ChildIdentity: Hashable, @unchecked Sendable {
  // Sendable: reducers make it and the store reads it, both on the main actor; in between it only
  // travels inside an effect's value, and nothing else can reach it.
  let value: AnyHashable

  init(_ value: some Hashable) { self.value = AnyHashable(value) }

  /// The only child of an operator that has no identity to tell.
  @usableFromInline
  static let single = ChildIdentity(0)
}
