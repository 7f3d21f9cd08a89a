import Synchronization

/// The change of one property by a control: `.set(\.name, "Blob")`.
///
/// One case of a feature's action covers all properties that controls set directly:
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
  /// The new value of the property.
  public let value: any Sendable
  private let assign: @Sendable (inout Root) -> Void
  private let isEqual: @Sendable (any Sendable) -> Bool
  /// Records that the change was applied, if a control sent it.
  var mark: AppliedMark?

  /// Returns a change that sets a property to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> Self {
    Self(
      keyPath: keyPath, value: value, assign: { $0[keyPath: keyPath] = value },
      isEqual: { ($0 as? Value) == value })
  }

  /// Applies the change to a state.
  public func apply(to root: inout Root) {
    mark?.isApplied.store(true, ordering: .relaxed)
    assign(&root)
  }

  /// Returns whether this change sets a property.
  public func changes(_ keyPath: PartialKeyPath<Root>) -> Bool { self.keyPath == keyPath }
}

extension BindingAction: Equatable {
  /// Returns whether both set the same property to equal values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.isEqual(rhs.value)
  }
}

extension BindingAction: CustomStringConvertible {
  /// The change as written in source code: `.set(\.name, Blob)`.
  public var description: String { ".set(\(property), \(value))" }

  var property: String {
    let path = "\(keyPath)"
    let root = "\\\(Root.self)."
    return path.hasPrefix(root) ? "\\.\(path.dropFirst(root.count))" : path
  }
}

extension BindingAction: CustomReflectable {
  /// A mirror like that of an enum case `set` with the property and the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["set": (PropertyName(text: property), value)], displayStyle: .enum)
  }
}

/// Records whether a change sent by a control was applied.
final class AppliedMark: Sendable {
  let isApplied = Atomic(false)
}

/// The name of a property, displayed without quotation marks.
private struct PropertyName: CustomStringConvertible, CustomReflectable {
  let text: String
  var description: String { text }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// An action with a case for changes made by controls.
public protocol BindableAction<State>: Sendable {
  /// The state whose properties change.
  associatedtype State

  /// Makes the action for a change.
  static func binding(_ change: BindingAction<State>) -> Self

  /// The path to the case that holds the change.
  static var bindingCase: CasePath<Self, BindingAction<State>> { get }
}

extension BindableAction {
  /// Returns an action that sets a property to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Self {
    binding(.set(keyPath, value))
  }
}

extension BindableAction {
  /// Sends a change made by a control. Reports an issue if no reducer applies it.
  @MainActor package static func sendChange<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value,
    by send: (Self) -> StoreTask, at location: IssueLocation
  ) {
    var change = BindingAction<State>.set(keyPath, value)
    let mark = AppliedMark()
    change.mark = mark
    let task = send(.binding(change))
    // A change sent while another action is being reduced is still queued.
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
