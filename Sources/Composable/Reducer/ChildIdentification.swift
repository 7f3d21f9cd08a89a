/// Decides whether an optional child is still the same one: by its `id`, if it is `Identifiable`.
///
/// The conformance is looked up when the first child exists. The runtime searches every conformance
/// in the process, which would delay the start of a program if it happened at launch.
@usableFromInline
struct ChildIdentification<Child> {
  private let lookup = Lookup()

  @usableFromInline
  init() {}

  /// Returns the identity of a child; the same for all children without an `id`.
  @usableFromInline
  func callAsFunction(_ child: Child) -> ChildIdentity { lookup.identify?(child) ?? .single }

  private final class Lookup {
    lazy var identify: ((Child) -> ChildIdentity)? = {
      guard let type = Child.self as? any Identifiable.Type else { return nil }
      return Self.byID(type)
    }()

    private static func byID<I: Identifiable>(_: I.Type) -> (Child) -> ChildIdentity {
      // `I` is the same type as `Child`, seen as `Identifiable`.
      { ChildIdentity(unsafeBitCast($0, to: I.self).id) }
    }
  }
}
