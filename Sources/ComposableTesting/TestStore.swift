public import Composable

/// Runs a feature in a test and wants everything that happens to be asserted: how each action
/// changes the state, which actions the effects send back, and that all effects end.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.incrementButtonTapped) { $0.count = 1 }
/// await store.receive(.saved)
/// ```
///
/// Effects run on an executor of the store's own, which is drained before `send`, `receive` and
/// `finish` return: what an effect does is over, without yielding or sleeping. Only what happens
/// outside of it (an actor with its own executor, a detached task) is waited for, up to `timeout`.
///
/// A store that is let go with received actions that nobody asserted, or with running effects,
/// fails the test.
@MainActor
public final class TestStore<State: Equatable, Action: Sendable> {
  /// The state after the last assertion.
  public internal(set) var state: State

  /// How much has to be asserted.
  public var exhaustivity: Exhaustivity = .on {
    didSet { updateLedger() }
  }

  /// How long `receive` and `finish` wait for what runs outside the store's own executor.
  public var timeout: Duration = .seconds(3)

  /// What the feature and its effects read by `@Dependency`.
  public var dependencies: DependencyValues {
    get { core.dependencies }
    set { core.dependencies = newValue }
  }

  let core: RootCore<State, Action>
  let executor: TestExecutor
  /// Actions of effects that were reduced but not asserted yet, with the state after each.
  var received: [ReceivedAction<State, Action>] = []
  /// The state after the action that the test sends.
  private var sentState: State?
  private let ledger: TestLedger<Action>
  /// The next id of a stack's element, as it was after the last action.
  private var lastStackID: UInt64 = 0

  /// Makes a store of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The state at the start; made with the dependencies in force.
  ///   - reducer: The feature's reducer.
  ///   - prepareDependencies: Sets the dependencies of the test.
  ///   - fileID: The module and file to which the end's failures point.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public init<R: Reducer>(
    initialState: @autoclosure () -> State, reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) where R.State == State, R.Action == Action {
    let executor = TestExecutor()
    var dependencies = DependencyValues.current
    dependencies.context = .test
    dependencies.isolateDefaults()
    dependencies.testExecutor = executor
    prepareDependencies(&dependencies)
    let (state, node) = DependencyValues.with(dependencies) {
      (initialState(), reducer().makeNode())
    }
    self.state = state
    self.executor = executor
    core = RootCore(
      initialState: state, node: node, dependencies: dependencies, scheduler: executor)
    ledger = TestLedger(
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    core.onReduced = { [weak self] action, origin, state in
      self?.reduced(action, origin, state)
    }
  }

  deinit {
    ledger.close()
    executor.close()
  }

  private func reduced(_ action: Action, _ origin: ActionOrigin, _ state: State) {
    switch origin {
    case .send: sentState = state
    case .effect:
      received.append(ReceivedAction(action: action, state: state, stackIDs: lastStackID))
    }
    lastStackID = nextStackID
  }

  /// Runs all that is ready, and notes what the test would leave behind if it ended now.
  func settle() {
    executor.drain()
    updateLedger()
  }

  func updateLedger() {
    ledger.update(
      unasserted: received.map(\.action), effects: core.runningEffects, exhaustivity: exhaustivity)
  }

  // MARK: Sending

  /// Sends an action, as a user would, and asserts how it changes the state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - assert: Changes the state before the action into the state expected after it. Leave it
  ///     out if the state is not expected to change.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  /// - Returns: The effects that the action has started.
  @discardableResult
  public func send(
    _ action: Action, assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> TestStoreTask {
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    settle()
    if !received.isEmpty { skipBeforeSending(action, at: location) }
    let stackIDs = nextStackID
    let task = core.send(action)
    if let after = sentState {
      sentState = nil
      expect(after, after: state, assert, stackIDs, of: action, at: location)
      state = after
    }
    settle()
    return TestStoreTask(task: task, store: self)
  }

  private func skipBeforeSending(_ action: Action, at location: IssueLocation) {
    let skipped = received
    received = []
    state = skipped.last!.state
    report(
      """
      \(skipped.count) received action(s) must be asserted before the next is sent.

        Sent: \(describe(action))

        Received, not asserted:
      \(list(skipped.map(\.action)))

      Assert them by `receive`, or skip them by `skipReceivedActions`.
      """,
      at: location)
  }

  // MARK: Asserting

  /// Asserts the state in the middle of a test, or changes what is expected.
  public func assert(
    _ assert: @escaping (inout State) throws -> Void,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    var expected = state
    run(assert, &expected, nextStackID, at: location)
    guard expected != state else { return }
    reportIssue(
      """
      The state is not as asserted.

      \(difference(expected, state))
      """,
      at: location)
  }

  /// Compares the state after an action with what the test expects.
  func expect(
    _ actual: State, after before: State, _ assert: ((inout State) throws -> Void)?,
    _ stackIDs: UInt64, of action: Action, at location: IssueLocation
  ) {
    guard exhaustivity == .on else {
      expectPartially(actual, after: before, assert, stackIDs, of: action, at: location)
      return
    }
    var expected = before
    if let assert {
      run(assert, &expected, stackIDs, at: location)
    }
    let failure: TestFailure? =
      if expected == actual {
        assert != nil && expected == before ? .assertedNothing : nil
      } else if assert == nil {
        .unexpectedChange(difference(expected, actual))
      } else if actual == before {
        .missingChange(difference(expected, actual))
      } else {
        .otherChange(difference(expected, actual))
      }
    if let failure { reportIssue(failure.text(describe(action)), at: location) }
  }

  /// Compares only what the test asserts: its closure is applied to the actual state and may not
  /// change it.
  private func expectPartially(
    _ actual: State, after before: State, _ assert: ((inout State) throws -> Void)?,
    _ stackIDs: UInt64, of action: Action, at location: IssueLocation
  ) {
    var expected = actual
    if let assert {
      run(assert, &expected, stackIDs, at: location)
    }
    if expected != actual {
      reportIssue(
        TestFailure.otherChange(difference(expected, actual)).text(describe(action)), at: location)
    } else if exhaustivity == .off(showSkippedAssertions: true), actual != before {
      var asserted = before
      if let assert { run(assert, &asserted, stackIDs, at: location) }
      guard asserted != actual else { return }
      note(
        """
        A state change was not asserted.

        \(difference(asserted, actual))
        """, at: location)
    }
  }

  /// A failure if the store is exhaustive, else a note, if notes are wanted.
  func report(_ message: @autoclosure () -> String, at location: IssueLocation) {
    switch exhaustivity {
    case .on: reportIssue(message(), at: location)
    case .off(showSkippedAssertions: true): note(message(), at: location)
    case .off: break
    }
  }

  /// Runs a test's closure with the dependencies of the store. The elements that it puts on stacks
  /// get the ids that they got in the reducer.
  private func run(
    _ assert: (inout State) throws -> Void, _ state: inout State, _ stackIDs: UInt64,
    at location: IssueLocation
  ) {
    var dependencies = dependencies
    dependencies.stackElementID = StackElementIDGenerator(from: stackIDs)
    do {
      try DependencyValues.with(dependencies) { try assert(&state) }
    } catch {
      reportIssue("The assertion threw an error: \(error)", at: location)
    }
  }

  private var nextStackID: UInt64 { dependencies.stackElementID.next }
}

/// An action that an effect sent, and the state after it.
struct ReceivedAction<State, Action> {
  let action: Action
  let state: State
  /// The next id of a stack's element before the action.
  let stackIDs: UInt64
}

/// The test store of a reducer's state and actions.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable
