extension Effect {
  /// Delays this effect until no effect with the same id has arrived for a while. A waiting effect
  /// is cancelled by the next one.
  ///
  /// - Parameters:
  ///   - id: The id of the effect; see `cancellable(id:cancelInFlight:)`.
  ///   - duration: How long to wait.
  ///   - clock: The clock that measures the duration; the dependency `continuousClock` if omitted.
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

  /// Waits for a duration and sends nothing.
  static func sleep(
    for duration: Duration, on clock: any Clock<Duration>, at location: IssueLocation
  ) -> Self {
    .run(
      operation: { _ in try await clock.sleep(for: duration) }, fileID: location.fileID,
      filePath: location.filePath, line: location.line, column: location.column)
  }
}
