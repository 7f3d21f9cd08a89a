extension Effect {
  /// This effect, which `cancel(id:)` can end.
  ///
  /// Ids belong to the feature that uses them: another row of a list, or another feature that uses
  /// the same id, is not touched; a parent's `cancel(id:)` reaches its children.
  ///
  /// - Parameters:
  ///   - id: The name of the effect, usually a case of a private `CancelID` enum.
  ///   - cancelInFlight: Whether effects of this id that still run are ended first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    guard operation != nil else { return cancelInFlight ? .cancel(id: id) : .none }
    return Self(.cancellable(self, id: CancelID(id), cancelInFlight: cancelInFlight))
  }

  /// Ends all effects of an id in this feature and in its children.
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

  /// The id as it would be written: `AppFeature.CancelID.tick`, `"search"`.
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
