/// What happens to a presented child: it acts, or it is dismissed.
public enum PresentationAction<Action> {
  /// The child's action.
  case presented(Action)
  /// The child goes away.
  case dismiss

  /// The path to the child's action.
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
