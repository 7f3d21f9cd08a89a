public import Composable

/// Runs a feature in a test, and requires the test to assert everything that happens: how each
/// action changes the state, which actions the effects send, and that all effects end.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.incrementButtonTapped) { $0.count = 1 }
/// await store.receive(.saved)
/// ```
///
/// Effects run on the store's own executor, which is drained before `send`, `receive` and `finish`
/// return. Everything an effect does has then happened, without yielding or sleeping. The store
/// waits, up to `timeout`, only for work outside that executor (an actor with its own executor, a
/// detached task).
///
/// A store that is deallocated while it has unasserted actions or running effects fails the test.
@MainActor
public final class TestStore<State: Equatable, Action: Sendable> {
  /// The state after the last assertion.
  public internal(set) var state: State

  /// How much the test must assert.
  public var exhaustivity: Exhaustivity = .on {
    didSet { updateLedger() }
  }

  /// How long `receive` and `finish` wait for work outside the store's executor.
  public var timeout: Duration = .seconds(3)

  /// The dependencies that the feature and its effects read with `@Dependency`.
  public var dependencies: DependencyValues {
    get { core.dependencies }
    set { core.dependencies = newValue }
  }

  let core: RootCore<State, Action>
  let executor: TestExecutor
  let sharedChanges: SharedChanges
  /// The actions of effects that were reduced but not asserted yet, with the state after each.
  var received: [ReceivedAction<State, Action>] = []
  /// The action that the test has just sent, with the state after it.
  private var sent: ReceivedAction<State, Action>?
  private let ledger: TestLedger<Action>
  /// Where the store was made.
  let location: IssueLocation
  private let dismissal: RootDismissal
  /// The next id of a stack's element after the last action.
  private var lastStackID: UInt64 = 0

  /// Creates a store of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the test's dependencies.
  ///   - reducer: The feature's reducer.
  ///   - prepareDependencies: Sets the dependencies of the test.
  ///   - fileID: The module and file that failures at the end of the test point to.
  ///   - filePath: The path of the file.
  ///   - line: The line that failures at the end of the test point to.
  ///   - column: The column that failures at the end of the test point to.
  public convenience init<R: Reducer>(
    initialState: @autoclosure () -> State, reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) where R.State == State, R.Action == Action {
    self.init(
      initialState, reducer, prepareDependencies,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a store of several reducers, which run in the order written, as in a `body`.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the test's dependencies.
  ///   - reducer: The reducers.
  ///   - prepareDependencies: Sets the dependencies of the test.
  ///   - fileID: The module and file that failures at the end of the test point to.
  ///   - filePath: The path of the file.
  ///   - line: The line that failures at the end of the test point to.
  ///   - column: The column that failures at the end of the test point to.
  @_disfavoredOverload
  public convenience init(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> Reduce<State, Action>,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      initialState, reducer, prepareDependencies,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private init<R: Reducer>(
    _ initialState: () -> State, _ reducer: () -> R,
    _ prepareDependencies: (inout DependencyValues) -> Void, at location: IssueLocation
  ) where R.State == State, R.Action == Action {
    let executor = TestExecutor()
    var dependencies = DependencyValues.current
    dependencies.context = .test
    dependencies.isolateDefaults()
    dependencies.testExecutor = executor
    let sharedChanges = SharedChanges()
    dependencies.sharedStorage = SharedStorage(changes: sharedChanges)
    let dismissal = RootDismissal()
    dependencies.dismiss = .byPresenter(orRoot: {
      await executor.perform { dismissal.dismiss() }
    })
    prepareDependencies(&dependencies)
    let (state, reducer) = DependencyValues.with(dependencies) {
      (initialState(), reducer().erased())
    }
    self.state = state
    self.executor = executor
    self.sharedChanges = sharedChanges
    self.dismissal = dismissal
    core = RootCore(
      initialState: state, reducer: reducer, dependencies: dependencies, scheduler: executor)
    self.location = location
    ledger = TestLedger(location: location)
    executor.onDrained = { [weak self] in self?.updateLedger() }
    dismissal.onDismissal = { [weak core] in core?.cancelEffects() }
    core.onReduced = { [weak self] action, origin, state in
      self?.reduced(action, origin, state)
    }
    lastStackID = nextStackID
  }

  deinit { ledger.reportUnfinished() }

  private func reduced(_ action: Action, _ origin: ActionOrigin, _ state: State) {
    let reduced = ReceivedAction(
      action: action, state: state, shared: sharedChanges.commit(), stackIDs: lastStackID)
    lastStackID = nextStackID
    switch origin {
    case .send: sent = reduced
    case .effect: received.append(reduced)
    }
  }

  /// Runs everything that is ready.
  func settle() { executor.drain() }

  /// Records what the test would leave unfinished if it ended now.
  func updateLedger() {
    // Not `map(\.action)`, which creates a new key path each time in a generic type.
    ledger.update(
      unasserted: received.map { $0.action }, effects: core.runningEffects, shared: sharedChanges,
      exhaustivity: exhaustivity)
  }

  // MARK: Sending

  /// Sends an action, as a user would, and asserts how it changes the state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - assert: Turns the state before the action into the state expected after it. Omit it if the
  ///     state isn't expected to change.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line of the assertion.
  ///   - column: The column of the assertion.
  /// - Returns: A handle to the effects that the action started.
  @discardableResult
  public func send(
    _ action: Action, assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> TestStoreTask {
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    settle()
    if !received.isEmpty { skipBeforeSending(action, at: location) }
    if isDismissed {
      reportDismissed(action, at: location)
      return TestStoreTask(task: .nothing, store: self)
    }
    let task = executor.performBeforeDrain { core.send(action) }
    if let sent {
      self.sent = nil
      expect(sent, assert, at: location)
    }
    settle()
    return TestStoreTask(task: task, store: self)
  }

  private func skipBeforeSending(_ action: Action, at location: IssueLocation) {
    let skipped = received
    skipReceived(received.count)
    report(
      """
      \(skipped.count) received action(s) must be asserted before the next is sent.

        Sent: \(describe(action))

        Received, not asserted:
      \(list(skipped.map(\.action)))

      Assert them with `receive`, or skip them with `skipReceivedActions`.
      """,
      at: location)
  }

  /// Whether the feature has dismissed itself with the dependency `dismiss`. Its effects are then
  /// cancelled, as they would be by its parent.
  public var isDismissed: Bool { dismissal.isDismissed }

  private func reportDismissed(_ action: Action, at location: IssueLocation) {
    reportIssue(
      """
      An action was sent to a feature that has dismissed itself.

        Action: \(describe(action))

      Its parent has removed its state by then, so the action was ignored. Send it before the \
      dismissal, or find out why the feature dismisses itself.
      """,
      at: location)
  }

  /// Sends an action as a control does. A control can't wait for an assertion, so the test asserts
  /// the action with `receive`.
  func sendUnasserted(_ action: Action) -> StoreTask {
    settle()
    let position = received.count
    let task = executor.performBeforeDrain { core.send(action) }
    if let sent {
      self.sent = nil
      // Actions that it sent synchronously were received first, but come after it.
      received.insert(sent, at: position)
    }
    settle()
    return task
  }

  // MARK: Asserting

  /// Asserts the state in the middle of a test, including changes of shared values made by effects.
  public func assert(
    _ assert: @escaping (inout State) throws -> Void,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    let shared = SharedAssertion(sharedChanges, sharedChanges.commit())
    defer { sharedChanges.assert(shared.commit) }
    var expected = state
    guard run(assert, &expected, shared, nextStackID, at: location) else { return }
    let text = shared.compare(.expected, .actual) {
      expected == state ? nil : difference(expected, state)
    }
    guard let text else { return }
    reportIssue(
      """
      The state is not as asserted.

      \(text)
      """,
      at: location)
  }

  /// Compares the state after an action with the expected one, and then makes it the current state.
  func expect(
    _ action: ReceivedAction<State, Action>, _ assert: ((inout State) throws -> Void)?,
    at location: IssueLocation
  ) {
    let shared = SharedAssertion(sharedChanges, action.shared)
    defer {
      state = action.state
      sharedChanges.assert(action.shared)
    }
    let failure =
      exhaustivity == .on
      ? failure(of: action, shared, assert, at: location)
      : partialFailure(of: action, shared, assert, at: location)
    if let failure { reportIssue(failure.text(describe(action.action)), at: location) }
  }

  private func failure(
    of action: ReceivedAction<State, Action>, _ shared: SharedAssertion,
    _ assert: ((inout State) throws -> Void)?, at location: IssueLocation
  ) -> TestFailure? {
    let before = state
    let actual = action.state
    var expected = before
    if let assert, !run(assert, &expected, shared, action.stackIDs, at: location) { return nil }
    if shared.compare(.expected, .actual, { expected == actual }) {
      let isUnchanged = shared.compare(.expected, .before) { expected == before }
      return assert != nil && isUnchanged ? .assertedNothing : nil
    }
    let text = shared.compare(.expected, .actual) { difference(expected, actual) }
    if assert == nil { return .unexpectedChange(text) }
    let isUnchanged = shared.compare(.actual, .before) { actual == before }
    return isUnchanged ? .missingChange(text) : .wrongChange(text)
  }

  /// Checks only what the test asserts: its closure is applied to the actual state and must not
  /// change it.
  private func partialFailure(
    of action: ReceivedAction<State, Action>, _ shared: SharedAssertion,
    _ assert: ((inout State) throws -> Void)?, at location: IssueLocation
  ) -> TestFailure? {
    let actual = action.state
    shared.expectActual()
    var expected = actual
    if let assert, !run(assert, &expected, shared, action.stackIDs, at: location) { return nil }
    if !shared.compare(.expected, .actual, { expected == actual }) {
      return .wrongChange(shared.compare(.expected, .actual) { difference(expected, actual) })
    }
    if exhaustivity == .off(showSkippedAssertions: true) {
      noteSkippedChange(of: action, assert, at: location)
    }
    return nil
  }

  private func noteSkippedChange(
    of action: ReceivedAction<State, Action>, _ assert: ((inout State) throws -> Void)?,
    at location: IssueLocation
  ) {
    let shared = SharedAssertion(sharedChanges, action.shared)
    var asserted = state
    if let assert, !run(assert, &asserted, shared, action.stackIDs, at: location) { return }
    let text = shared.compare(.expected, .actual) {
      asserted == action.state ? nil : difference(asserted, action.state)
    }
    guard let text else { return }
    note(
      """
      A state change was not asserted.

      \(text)
      """, at: location)
  }

  /// Skips received actions, taking over the state after each.
  func skipReceived(_ count: Int) {
    for action in received.prefix(count) {
      state = action.state
      sharedChanges.assert(action.shared)
    }
    received.removeFirst(count)
  }

  /// Reports a failure if the store is exhaustive, otherwise a warning if warnings are enabled.
  func report(_ message: @autoclosure () -> String, at location: IssueLocation) {
    switch exhaustivity {
    case .on: reportIssue(message(), at: location)
    case .off(showSkippedAssertions: true): note(message(), at: location)
    case .off: break
    }
  }

  /// Runs a test's closure with the dependencies of the store. Elements that it puts on a stack get
  /// the same ids as in the reducer.
  ///
  /// - Returns: Whether the closure returned. If it threw an error, that is reported as the only
  ///   failure.
  private func run(
    _ assert: (inout State) throws -> Void, _ state: inout State, _ shared: SharedAssertion,
    _ stackIDs: UInt64, at location: IssueLocation
  ) -> Bool {
    var dependencies = dependencies
    dependencies.stackElementID = StackElementIDGenerator(from: stackIDs)
    do {
      try DependencyValues.with(dependencies) { try shared.expect { try assert(&state) } }
      return true
    } catch {
      reportIssue("The assertion threw an error: \(error)", at: location)
      return false
    }
  }

  private var nextStackID: UInt64 { dependencies.stackElementID.next }
}

/// A reduced action, and the state after it.
struct ReceivedAction<State, Action> {
  let action: Action
  let state: State
  /// The changes of shared values that belong to the action.
  let shared: SharedCommit
  /// The next id of a stack's element before the action.
  let stackIDs: UInt64
}

/// The test store for a reducer's state and actions.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable
