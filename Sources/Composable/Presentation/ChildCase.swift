/// One child of a destination: a case of its state, a case of its action, and the child's reducer.
///
/// A feature that presents one of several sheets has one optional destination. The destination
/// lists its children, and the reducer, the view and the tests refer to each child by name:
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
/// Used as a reducer, it runs the child while the state is the child's case.
public struct ChildCase<State, Action: Sendable, Child: Reducer>: Reducer, Sendable {
  /// The path to the child's state.
  public let state: CasePath<State, Child.State>
  /// The path to the child's actions.
  public let action: CasePath<Action, Child.Action>

  @usableFromInline let child: @Sendable () -> Child
  @usableFromInline let location: IssueLocation

  /// Creates a child of a destination. Its case paths extract values by reflection; see
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

  /// Creates a child from the paths to its state and its actions.
  ///
  /// - Parameters:
  ///   - state: The path to the child's state.
  ///   - action: The path to the child's actions.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of the child.
  ///   - filePath: The path of the file.
  ///   - line: The line of the child.
  ///   - column: The column of the child.
  public init(
    state: CasePath<State, Child.State>, action: CasePath<Action, Child.Action>,
    child: @escaping @Sendable () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.state = state
    self.action = action
    self.child = child
    location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Runs the child while the state is the child's case.
  @inlinable
  public var body: Reduce<State, Action> {
    caseChild(state, action, ChildReducer(child), name: "ChildCase", at: location)
  }
}

/// The reducer of a destination: runs the child whose case the state is.
public struct OneOf<State, Action: Sendable>: Reducer {
  /// Runs the child whose case the state is.
  public let body: Reduce<State, Action>

  /// Creates a reducer that runs one of several children.
  public init<each Child: Reducer>(_ children: repeat ChildCase<State, Action, each Child>) {
    var body = EmptyReducer<State, Action>().erased()
    for child in repeat each children { body = body.then(child.body) }
    self.body = body
  }
}

extension Store {
  /// Returns the store of a destination's child, or `nil` while another one is presented.
  public func scope<Child: Reducer>(
    _ child: ChildCase<State, Action, Child>
  ) -> StoreOf<Child>? {
    scope(state: child.state, action: child.action)
  }
}

extension Optional {
  /// The state of a destination's child; `nil` while nothing or another child is presented. Setting
  /// a state presents the child, and setting `nil` dismisses it.
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
