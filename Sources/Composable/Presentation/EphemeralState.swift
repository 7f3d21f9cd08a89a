/// State of a child that goes with its first action, as a dialog does: `ifLet` takes it away after the
/// parent has seen the action.
///
/// An enum of destinations says which of its cases are of that kind:
///
/// ```swift
/// extension Destination.State: EphemeralState {
///   var endsWithFirstAction: Bool { if case .alert = self { true } else { false } }
/// }
/// ```
public protocol EphemeralState {
  /// Whether it goes with its first action.
  var endsWithFirstAction: Bool { get }
}

extension EphemeralState {
  /// It does.
  public var endsWithFirstAction: Bool { true }
}

extension AlertState: EphemeralState {}
extension ConfirmationDialogState: EphemeralState {}

/// Whether a presented child goes with its first action; found without a cast per action, when the
/// first child is there.
@usableFromInline
struct Ephemerality<Child> {
  private let lookup = Lookup()
  /// Says at once, for a type that never is.
  @usableFromInline let never = NeverEphemeral()

  @usableFromInline
  init() {}

  @inlinable
  func callAsFunction(_ presentation: PresentationState<Child>) -> Bool {
    never.isKnown ? false : ask(presentation)
  }

  @usableFromInline
  func ask(_ presentation: PresentationState<Child>) -> Bool {
    guard let isEphemeral = lookup.isEphemeral else {
      never.isKnown = true
      return false
    }
    return presentation.value.map(isEphemeral) ?? false
  }

  private final class Lookup {
    lazy var isEphemeral: ((Child) -> Bool)? = {
      guard let type = Child.self as? any EphemeralState.Type else { return nil }
      return Self.asking(type)
    }()

    private static func asking<E: EphemeralState>(_: E.Type) -> (Child) -> Bool {
      // `E` is `Child`: it is the same type, only seen as `EphemeralState`.
      { unsafeBitCast($0, to: E.self).endsWithFirstAction }
    }
  }
}

/// Whether it is known that no child of an operator goes with its first action.
@usableFromInline
final class NeverEphemeral {
  @exclusivity(unchecked) @usableFromInline var isKnown = false
}
