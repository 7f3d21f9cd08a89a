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

/// A state that names the properties which controls set, so that their changes can be recorded.
///
/// ```swift
/// struct State: RecordableBindings, Equatable, Sendable {
///   static let bindableProperties = [BindableProperty("theme", \State.theme)]
///   var theme = Theme.dark
/// }
/// enum Action: BindableAction, Codable, Equatable, Sendable {
///   case binding(BindingAction<State>)
/// ```
public protocol RecordableBindings {
  /// The properties, each with a name of its own.
  static var bindableProperties: [BindableProperty<Self>] { get }
}

/// A property that controls set, and its name in recordings.
public struct BindableProperty<Root>: Sendable {
  let name: String
  let keyPath: any PartialKeyPath<Root> & Sendable
  let encode: @Sendable (any Sendable, inout any UnkeyedEncodingContainer) throws -> Void
  let decode: @Sendable (inout any UnkeyedDecodingContainer) throws -> BindingAction<Root>

  /// Names a property.
  public init<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    encode = { value, container in
      if let value = value as? Value { try container.encode(value) }
    }
    decode = { container in .set(keyPath, try container.decode(Value.self)) }
  }
}

extension BindingAction: Codable where Root: RecordableBindings {
  /// Encodes the name of the property and its new value.
  /// - Throws: An error if the state doesn't name the property, or the encoder's.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    guard let property = Root.bindableProperties.first(where: { $0.keyPath == keyPath }) else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: container.codingPath,
          debugDescription: "\(Root.self).bindableProperties lacks \(property)."))
    }
    try container.encode(property.name)
    try property.encode(value, &container)
  }

  /// Decodes a change.
  /// - Throws: An error if the state has no property of that name, or the decoder's.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let name = try container.decode(String.self)
    guard let property = Root.bindableProperties.first(where: { $0.name == name }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(Root.self) has no bindable property \(name).")
    }
    self = try property.decode(&container)
  }
}

/// Applies the changes of binding actions to the state. Write it before the feature's own `Reduce`,
/// which then sees the new values.
public struct BindingReducer<State, Action: BindableAction>: Reducer where Action.State == State {
  /// Has no body.
  public typealias Body = Never

  /// Creates the reducer.
  public init() {}

  /// Applies the change, if the action is one.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Action.bindingCase.extract(from: action)?.apply(to: &state)
    return .none
  }
}

extension Store where Action: BindableAction, Action.State == State {
  /// Returns a binding that lets a control read and set a property.
  public func binding<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> StoreBinding<Value> {
    StoreBinding {
      self.withState { $0[keyPath: keyPath] }
    } set: {
      Action.sendChange(
        keyPath, $0, by: self.send,
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }
}

/// A binding that lets a control read a value of a store and set it by sending an action.
@MainActor
public struct StoreBinding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Creates a binding from a getter and a setter.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value.
  public var value: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}
