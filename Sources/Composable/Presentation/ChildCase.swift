/// One child of a destination: its case among the states, its case among the actions, and its reducer.
///
/// A feature that presents one of several sheets has one optional of a destination. The destination lists
/// its children; reducer, view and tests find each by its name:
///
/// ```swift
/// struct Destination: Reducer {
///   enum State: Equatable, Sendable { case form(FormFeature.State), log(LogFeature.State) }
///   enum Action: Equatable, Sendable { case form(FormFeature.Action), log(LogFeature.Action) }
///
///   static let form = ChildCase(
///     State.form, { if case .form(let it) = $0 { it } else { nil } },
///     Action.form, { if case .form(let it) = $0 { it } else { nil } }) { FormFeature() }
///   static let log = ChildCase(…
///
///   var body: some ReducerOf<Self> {
///     Self.form
///     Self.log
///   }
/// }
/// ```
///
/// As a reducer it runs the child while the state is its case.
public struct ChildCase<State, Action: Sendable, Child: Reducer>: Reducer, Sendable {
  /// It has no body.
  public typealias Body = Never

  /// The way to the child's state.
  public let state: CasePath<State, Child.State>
  /// The way to the child's actions.
  public let action: CasePath<Action, Child.Action>

  @usableFromInline let child: @Sendable () -> Child
  @usableFromInline let location: IssueLocation

  /// Makes a child of a destination.
  ///
  /// - Parameters:
  ///   - state: Puts a child's state into its case; usually the case's own constructor.
  ///   - extractState: The child's state, or `nil` if the destination is another case.
  ///   - action: Puts a child's action into its case.
  ///   - extractAction: The child's action, or `nil` if the action is another case.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of the child.
  ///   - filePath: The path of the file.
  ///   - line: The line of the child.
  ///   - column: The column of the child.
  @inlinable
  public init(
    _ state: @escaping @Sendable (Child.State) -> State,
    _ extractState: @escaping @Sendable (State) -> Child.State?,
    _ action: @escaping @Sendable (Child.Action) -> Action,
    _ extractAction: @escaping @Sendable (Action) -> Child.Action?,
    child: @escaping @Sendable () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.state = CasePath(state, extractState)
    self.action = CasePath(action, extractAction)
    self.child = child
    location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Runs the child while the state is its case.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    makeNode().reduceByHand(&state, action)
  }

  /// The node that runs the child.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> {
    caseNode(state, action, ChildNode(child), name: "ChildCase", at: location)
  }
}

extension Store {
  /// The store of a destination's child, or `nil` while the destination is another one.
  public func scope<Child: Reducer>(
    _ child: ChildCase<State, Action, Child>
  ) -> StoreOf<Child>? {
    scope(state: child.state, action: child.action)
  }
}

extension Optional {
  /// The state of a destination's child; `nil` while nothing or another child is presented. Setting it
  /// presents the child, `nil` takes it away.
  public subscript<Action, Child: Reducer>(
    child: ChildCase<Wrapped, Action, Child>
  ) -> Child.State? {
    get { flatMap(child.state.extract(from:)) }
    set {
      guard newValue != nil || self[child] != nil else { return }
      self = newValue.map(child.state.embed)
    }
  }
}
