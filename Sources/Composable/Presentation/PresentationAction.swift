/// An action of a presented child, or its dismissal.
public enum PresentationAction<Action> {
  /// An action of the child.
  case presented(Action)
  /// The dismissal of the child.
  case dismiss

  /// Returns the path to the child's action.
  @inlinable
  public static func presentedCase() -> CasePath<Self, Action> {
    CasePath(Self.presented) { if case .presented(let action) = $0 { action } else { nil } }
  }
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}
extension PresentationAction: Sendable where Action: Sendable {}
