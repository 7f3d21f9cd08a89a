/// The state of a presented child that is dismissed by its first action, as a dialog is. `ifLet`
/// sets it to `nil` after the parent has handled the action.
///
/// An enum of destinations says which of its cases behave this way:
///
/// ```swift
/// extension Destination.State: EphemeralState {
///   var isDismissedByFirstAction: Bool { if case .alert = self { true } else { false } }
/// }
/// ```
public protocol EphemeralState {
  /// Whether the child's first action dismisses it.
  var isDismissedByFirstAction: Bool { get }
}

extension EphemeralState {
  /// `true`, unless the type says otherwise.
  public var isDismissedByFirstAction: Bool { true }
}

extension AlertState: EphemeralState {}
extension ConfirmationDialogState: EphemeralState {}

/// Answers whether a presented child is dismissed by its first action. The conformance is looked up
/// once, when the first child exists, and not per action.
@usableFromInline
struct Ephemerality<Child> {
  private let lookup = Lookup()
  /// The shortcut for a type that doesn't conform.
  @usableFromInline let never = NeverEphemeral()

  @usableFromInline
  init() {}

  @inlinable
  func callAsFunction(_ presentation: PresentationState<Child>) -> Bool {
    never.isKnown ? false : resolve(presentation)
  }

  @usableFromInline
  func resolve(_ presentation: PresentationState<Child>) -> Bool {
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
      // `E` is the same type as `Child`, seen as `EphemeralState`.
      { unsafeBitCast($0, to: E.self).isDismissedByFirstAction }
    }
  }
}

/// Remembers that the children of an operator are never dismissed by their first action.
@usableFromInline
final class NeverEphemeral {
  @exclusivity(unchecked) @usableFromInline var isKnown = false
}
