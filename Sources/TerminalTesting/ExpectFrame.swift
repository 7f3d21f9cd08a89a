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
    let frame = FrameSnapshot.frame(of: view, size: size, theme: theme)
    if let problem = FrameSnapshot.problem(of: frame, matching: expected) {
      Issue.record("The frame differs.\n\(problem)", sourceLocation: sourceLocation)
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
    if let problem = FrameSnapshot.problem(
      of: frame, recordedIn: file, isRecording: SnapshotFile.isRecording)
    {
      Issue.record("\(problem)", sourceLocation: sourceLocation)
    }
  }

  /// Expects lines, such as those of several frames and their ``StyleMap``s, to be as recorded in
  /// the file `__Snapshots__/<name>.txt` beside the test; see `expectFrame(_:size:theme:named:)`.
  public func expectLines(
    _ lines: [String], named name: String, sourceLocation: SourceLocation = #_sourceLocation,
    filePath: String = #filePath
  ) {
    let file = SnapshotFile(name: name, besideTest: filePath)
    if let problem = FrameSnapshot.problem(
      of: lines, recordedIn: file, isRecording: SnapshotFile.isRecording)
    {
      Issue.record("\(problem)", sourceLocation: sourceLocation)
    }
  }
#endif
