#if canImport(Testing)
  public import Terminal
  public import Testing

  /// Expects a view to look as written in the test.
  ///
  ///     expectFrame(Text("Hi").border(), size: Size(columns: 6, rows: 3), matches: """
  ///       ╭──╮
  ///       │Hi│
  ///       ╰──╯
  ///       """)
  ///
  /// Blanks at the ends of rows do not count, nor do empty rows at the end. A failure shows both
  /// pictures side by side.
  @MainActor
  public func expectFrame(
    _ view: some View, size: Size, theme: Theme = .dark, matches expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let actual = FrameSnapshot.lines(of: view, size: size, theme: theme)
    let rows = FrameSnapshot.rows(of: expected, count: size.rows)
    if let difference = FrameSnapshot.difference(actual: actual, expected: rows) {
      Issue.record("The frame differs.\n\(difference)", sourceLocation: sourceLocation)
    }
  }

  /// Expects a view to look as recorded in the file `__Snapshots__/<name>.txt` beside the test.
  ///
  /// With `RECORD_SNAPSHOTS` in the environment the file is written instead, and the test fails, so
  /// that a recording is never taken for a check. A file that does not exist fails as well.
  @MainActor
  public func expectFrame(
    _ view: some View, size: Size, theme: Theme = .dark, named name: String,
    sourceLocation: SourceLocation = #_sourceLocation, filePath: String = #filePath
  ) {
    let frame = FrameSnapshot.frame(of: view, size: size, theme: theme)
    let file = SnapshotFile(name: name, besideTest: filePath)
    guard !SnapshotFile.isRecording else {
      file.write(frame.text + "\n")
      Issue.record("Recorded \(file.path).", sourceLocation: sourceLocation)
      return
    }
    guard let expected = file.read() else {
      Issue.record(
        "There is no \(file.path). Run with RECORD_SNAPSHOTS=1 to write it.\n\(frame.text)",
        sourceLocation: sourceLocation)
      return
    }
    let rows = FrameSnapshot.rows(of: String(expected.dropLast()), count: size.rows)
    if let difference = FrameSnapshot.difference(actual: frame.lines, expected: rows) {
      Issue.record(
        "The frame differs from \(file.path).\n\(difference)", sourceLocation: sourceLocation)
    }
  }
#endif
