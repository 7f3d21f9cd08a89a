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
///   static let form = ChildCase(State.form, Action.form) { FormFeature() }
///   static let log = ChildCase(State.log, Action.log) { LogFeature() }
///
///   var body: some ReducerOf<Self> { OneOf(Self.form, Self.log) }
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

  /// Makes a child of a destination, whose cases are found by reflection: see
  /// `CasePath.init(reflecting:)`.
  ///
  /// - Parameters:
  ///   - state: The constructor of the case that holds the child's state.
  ///   - action: The constructor of the case that holds the child's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of the child.
  ///   - filePath: The path of the file.
  ///   - line: The line of the child.
  ///   - column: The column of the child.
  public init(
    _ state: @escaping @Sendable (Child.State) -> State,
    _ action: @escaping @Sendable (Child.Action) -> Action,
    child: @escaping @Sendable () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.state = CasePath(reflecting: state)
    self.action = CasePath(reflecting: action)
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

/// The reducer of a destination: that of its child whose case it is.
public struct OneOf<State, Action: Sendable>: Reducer {
  /// It has no body.
  public typealias Body = Never

  private let node: ReducerNode<State, Action>

  /// Runs one of several children.
  public init<each Child: Reducer>(_ children: repeat ChildCase<State, Action, each Child>) {
    var node = EmptyReducer<State, Action>().makeNode()
    for child in repeat each children { node = node.then(child.makeNode()) }
    self.node = node
  }

  /// Runs the child whose case it is.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceByHand(&state, action)
  }

  /// The node that runs the child.
  public func makeNode() -> ReducerNode<State, Action> { node }
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
