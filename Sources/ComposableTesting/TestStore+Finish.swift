import Composable

extension TestStore {
  /// Waits until all effects have ended, and asserts that nothing is left to assert.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for work outside the store's executor; by default the store's
  ///     `timeout`.
  ///   - fileID: The module and file of the assertion.
  ///   - filePath: The path of the file.
  ///   - line: The line of the assertion.
  ///   - column: The column of the assertion.
  public func finish(
    timeout: Duration? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    await wait(atMost: timeout ?? self.timeout) { [core] in core.isIdle }
    let unasserted = received.map(\.action)
    let running = core.runningEffects
    if !unasserted.isEmpty {
      report(unassertedText(unasserted), at: location)
      skipReceived(received.count)
    }
    if !running.isEmpty {
      report(runningText(running), at: location)
      core.cancelEffects()
    }
    if let shared = sharedText(sharedChanges) {
      report(shared, at: location)
      sharedChanges.assertAll()
    }
    settle()
  }

  /// Skips the received actions that the test hasn't asserted.
  ///
  /// - Parameters:
  ///   - strict: Whether to fail if there are none.
  ///   - fileID: The module and file of the call.
  ///   - filePath: The path of the file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    settle()
    defer { updateLedger() }
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    guard !received.isEmpty else {
      if strict {
        reportIssue("There are no received actions to skip. Remove this line.", at: location)
      }
      return
    }
    let skipped = received.map(\.action)
    skipReceived(received.count)
    if exhaustivity == .off(showSkippedAssertions: true) {
      note("\(skipped.count) received action(s) were skipped.\n\n\(list(skipped))", at: location)
    }
  }

  /// Cancels the running effects, so that the test can end.
  ///
  /// - Parameters:
  ///   - strict: Whether to fail if there are none.
  ///   - fileID: The module and file of the call.
  ///   - filePath: The path of the file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    settle()
    let location = IssueLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    if core.isIdle, strict {
      reportIssue("There are no running effects to skip. Remove this line.", at: location)
    }
    core.cancelEffects()
    await wait(atMost: timeout) { [core] in core.isIdle }
    settle()
  }

  /// Runs what is ready, and waits for work elsewhere until a condition holds, no effect is left,
  /// or the timeout is over.
  func wait(atMost timeout: Duration, until isDone: () -> Bool) async {
    settle()
    let end = ContinuousClock.now + timeout
    while !isDone(), !core.isIdle {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, await executor.waitForWork(atMost: left) else { break }
      settle()
    }
  }
}
