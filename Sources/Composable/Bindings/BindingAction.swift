import Synchronization

/// A change of one property by a control: `.set(\.name, "Blob")`.
///
/// One case of an action holds the changes of all properties that are simply set:
///
/// ```swift
/// enum Action: BindableAction, Equatable, Sendable {
///   case binding(BindingAction<State>)
///
///   static let bindingCase = CasePath(Self.binding) {
///     if case .binding(let change) = $0 { change } else { nil }
///   }
/// }
/// var body: some ReducerOf<Self> {
///   BindingReducer()
///   Reduce { state, action in
///     switch action {
///     case .binding(let change) where change.changes(\.name): …
/// ```
public struct BindingAction<Root>: Sendable {
  /// The property.
  public let keyPath: any PartialKeyPath<Root> & Sendable
  /// The value that it gets.
  public let value: any Sendable
  private let assign: @Sendable (inout Root) -> Void
  private let isEqual: @Sendable (any Sendable) -> Bool
  /// Notes that it was applied, if a control sent it.
  var mark: AppliedMark?

  /// Sets a property to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> Self {
    Self(
      keyPath: keyPath, value: value, assign: { $0[keyPath: keyPath] = value },
      isEqual: { ($0 as? Value) == value })
  }

  /// Sets the property.
  public func apply(to root: inout Root) {
    mark?.isApplied.store(true, ordering: .relaxed)
    assign(&root)
  }

  /// Whether it sets this property.
  public func changes(_ keyPath: PartialKeyPath<Root>) -> Bool { self.keyPath == keyPath }
}

extension BindingAction: Equatable {
  /// Whether both set the same property to the same value.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.isEqual(rhs.value)
  }
}

extension BindingAction: CustomStringConvertible {
  /// As it is written: `.set(\.name, Blob)`.
  public var description: String { ".set(\(property), \(value))" }

  var property: String {
    let path = "\(keyPath)"
    let root = "\\\(Root.self)."
    return path.hasPrefix(root) ? "\\.\(path.dropFirst(root.count))" : path
  }
}

extension BindingAction: CustomReflectable {
  /// As of a case `set` with the property and the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["set": (PropertyName(text: property), value)], displayStyle: .enum)
  }
}

/// Whether a change that a control sent was applied.
final class AppliedMark: Sendable {
  let isApplied = Atomic(false)
}

/// A property, shown without quotation marks.
private struct PropertyName: CustomStringConvertible, CustomReflectable {
  let text: String
  var description: String { text }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// An action that holds changes of properties by controls.
public protocol BindableAction<State>: Sendable {
  /// The state whose properties are changed.
  associatedtype State

  /// The action of a change.
  static func binding(_ change: BindingAction<State>) -> Self

  /// The path to the change.
  static var bindingCase: CasePath<Self, BindingAction<State>> { get }
}

extension BindableAction {
  /// Sets a property to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Self {
    binding(.set(keyPath, value))
  }
}

extension BindableAction {
  /// Sends a change by a control; that nobody applies it is an issue.
  @MainActor package static func sendChange<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value,
    by send: (Self) -> StoreTask, at location: IssueLocation
  ) {
    var change = BindingAction<State>.set(keyPath, value)
    let mark = AppliedMark()
    change.mark = mark
    let task = send(.binding(change))
    // Sent while another action is reduced, it waits for its turn.
    if mark.isApplied.load(ordering: .relaxed) || !task.isFinished { return }
    reportIssue(
      """
      A control changed a property, and no reducer applied the change.

        Action: \(change)

      Write `BindingReducer()` into the `body` of the feature whose action it is.
      """,
      at: location)
  }
}
