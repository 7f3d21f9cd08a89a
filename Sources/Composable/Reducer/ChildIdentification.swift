/// How to tell whether an optional child is still the same: by its `id`, if it has one.
@usableFromInline
struct ChildIdentification<Child> {
  private let identify: ((Child) -> ChildIdentity)?

  @usableFromInline
  init() {
    if let type = Child.self as? any Identifiable.Type {
      identify = Self.byID(type)
    } else {
      identify = nil
    }
  }

  /// The identity of a child; the same for all children without an `id`.
  @usableFromInline
  func callAsFunction(_ child: Child) -> ChildIdentity { identify?(child) ?? .single }

  private static func byID<I: Identifiable>(_: I.Type) -> (Child) -> ChildIdentity {
    // `I` is `Child`: it is the same metatype, only seen as `Identifiable`.
    { ChildIdentity(unsafeBitCast($0, to: I.self).id) }
  }
}
