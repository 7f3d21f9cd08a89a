public import Composable

extension TestStore {
  /// Asserts that an effect sent an action and how the action changed the state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - timeout: How long to wait for work outside the store's executor; by default the store's
  ///     `timeout`.
  ///   - assert: Turns the state before the action into the state expected after it.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line of the assertion.
  ///   - column: The column of the assertion.
  public func receive(
    _ action: Action, timeout: Duration? = nil, assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async where Action: Equatable {
    await receive(
      Expectation(
        matches: { $0 == action }, description: describe(action),
        difference: { difference(action, $0) }),
      timeout: timeout, assert: assert,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that an effect sent an action of a case and how the action changed the state.
  public func receive<Value>(
    _ action: CasePath<Action, Value>, timeout: Duration? = nil,
    assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    await receive(
      Expectation(
        matches: { action.extract(from: $0) != nil },
        description: "an action of the case that holds a \(typeName(Value.self))"),
      timeout: timeout, assert: assert,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that an effect sent an action of a case with a value and how the action changed the
  /// state.
  public func receive<Value: Equatable>(
    _ action: CasePath<Action, Value>, _ value: Value, timeout: Duration? = nil,
    assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let expected = action.embed(value)
    await receive(
      Expectation(
        matches: { action.extract(from: $0) == value }, description: describe(expected),
        difference: { difference(expected, $0) }),
      timeout: timeout, assert: assert,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that an effect sent an action that satisfies a condition and how the action changed
  /// the state.
  public func receive(
    where matches: @escaping (Action) -> Bool, timeout: Duration? = nil,
    assert: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    await receive(
      Expectation(matches: matches, description: "an action that fulfils the condition"),
      timeout: timeout, assert: assert,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The action that a test expects to receive.
  struct Expectation {
    let matches: (Action) -> Bool
    let description: String
    var difference: ((Action) -> String)?
  }

  private func receive(
    _ expectation: Expectation, timeout: Duration?, assert: ((inout State) throws -> Void)?,
    at location: IssueLocation
  ) async {
    let isExhaustive = exhaustivity == .on
    await wait(atMost: timeout ?? self.timeout) { [unowned self] in
      isExhaustive ? !received.isEmpty : received.contains { expectation.matches($0.action) }
    }
    defer { updateLedger() }
    if !isExhaustive { skip(to: expectation, at: location) }
    guard let next = received.first, isExhaustive || expectation.matches(next.action) else {
      reportNothingReceived(expectation, at: location)
      return
    }
    received.removeFirst()
    if !expectation.matches(next.action) {
      reportIssue(
        """
        A different action was received than expected.

        \(expectation.difference?(next.action) ?? """
            Expected: \(expectation.description)
            Received: \(describe(next.action))
          """)

        Assert the actions in the order in which the effects send them.
        """,
        at: location)
      state = next.state
      sharedChanges.assert(next.shared)
    } else {
      expect(next, assert, at: location)
    }
  }

  /// Skips the actions received before the expected one, if that has been received.
  private func skip(to expectation: Expectation, at location: IssueLocation) {
    guard let index = received.firstIndex(where: { expectation.matches($0.action) }) else { return }
    let skipped = received[..<index]
    guard !skipped.isEmpty else { return }
    skipReceived(index)
    report(
      """
      \(skipped.count) received action(s) were skipped.

      \(list(skipped.map(\.action)))
      """,
      at: location)
  }

  private func reportNothingReceived(_ expectation: Expectation, at location: IssueLocation) {
    let running = core.runningEffects
    let reason =
      running.isEmpty
      ? """
      No effect runs that could send it. Either the action before did not return the effect, or \
      the effect ended, or was cancelled, without sending.
      """
      : """
      These effects run and have not sent it:
      \(running.map { "  • \($0)" }.sorted().joined(separator: "\n"))

      If one sleeps on a `TestClock`, advance the clock first. If one waits for a stream, let the \
      stream yield. If one works outside the store's executor, give `receive` a longer timeout.
      """
    let others =
      received.isEmpty
      ? "" : "\n\nReceived, and left for other assertions:\n\(list(received.map { $0.action }))"
    reportIssue(
      """
      An action was expected, but none was received.

        Expected: \(expectation.description)\(others)

      \(reason)
      """,
      at: location)
  }
}
