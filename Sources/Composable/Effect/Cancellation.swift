extension Effect {
  /// Makes this effect cancellable by `cancel(id:)`.
  ///
  /// An id belongs to the feature that uses it: another feature, or another row of the same list,
  /// can use an equal id without being affected. A parent's `cancel(id:)` does reach its children.
  ///
  /// - Parameters:
  ///   - id: The id of the effect, usually a case of a private `CancelID` enum.
  ///   - cancelInFlight: Whether to cancel running effects with this id first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    guard operation != nil else { return cancelInFlight ? .cancel(id: id) : .none }
    return Self(.cancellable(self, id: CancelID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels all effects with an id in this feature and its children.
  public static func cancel(id: some Hashable & Sendable) -> Self { Self(.cancel(CancelID(id))) }
}

/// The id of a cancellable effect. Ids of different types are never equal.
@usableFromInline
struct CancelID: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let value: any Hashable & Sendable

  init<ID: Hashable & Sendable>(_ value: ID) {
    type = ObjectIdentifier(ID.self)
    self.value = value
  }

  /// The id as written in source code: `AppFeature.CancelID.tick`, `"search"`.
  var name: String {
    let text = describe(value)
    return text.hasPrefix(".") ? typeName(Swift.type(of: value)) + text : text
  }

  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.type == rhs.type && AnyHashable(lhs.value) == AnyHashable(rhs.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    value.hash(into: &hasher)
  }
}
