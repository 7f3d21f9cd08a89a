extension Effect {
  /// This effect after a time in which no other of the same id came; an earlier one that still waits
  /// is cancelled.
  ///
  /// - Parameters:
  ///   - id: The name of the effect; see `cancellable(id:cancelInFlight:)`.
  ///   - duration: How long it waits.
  ///   - clock: Measures the time; the dependency `continuousClock` if left out.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration, clock: (any Clock<Duration>)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    guard operation != nil else { return .none }
    let clock = clock ?? DependencyValues.current.continuousClock
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return .concatenate(.sleep(for: duration, on: clock, at: location), self)
      .cancellable(id: id, cancelInFlight: true)
  }

  /// Sends nothing for a time.
  static func sleep(
    for duration: Duration, on clock: any Clock<Duration>, at location: IssueLocation
  ) -> Self {
    .run(
      operation: { _ in try await clock.sleep(for: duration) }, fileID: location.fileID,
      filePath: location.filePath, line: location.line, column: location.column)
  }
}
