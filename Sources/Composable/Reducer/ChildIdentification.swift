/// How to tell whether an optional child is still the same: by its `id`, if it has one.
///
/// Whether it has is found when the first child is there: the runtime looks for it among all that any
/// type conforms to, which no program has to wait for at its start.
@usableFromInline
struct ChildIdentification<Child> {
  private let lookup = Lookup()

  @usableFromInline
  init() {}

  /// The identity of a child; the same for all children without an `id`.
  @usableFromInline
  func callAsFunction(_ child: Child) -> ChildIdentity { lookup.identify?(child) ?? .single }

  private final class Lookup {
    lazy var identify: ((Child) -> ChildIdentity)? = {
      guard let type = Child.self as? any Identifiable.Type else { return nil }
      return Self.byID(type)
    }()

    private static func byID<I: Identifiable>(_: I.Type) -> (Child) -> ChildIdentity {
      // `I` is `Child`: it is the same metatype, only seen as `Identifiable`.
      { ChildIdentity(unsafeBitCast($0, to: I.self).id) }
    }
  }
}
