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
  /// Trailing blanks in rows and empty rows at the end are ignored. A failure shows both frames
  /// side by side.
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

  /// Expects a view to look as recorded in the file `__Snapshots__/<name>.txt` next to the test.
  ///
  /// If `RECORD_SNAPSHOTS` is set in the environment, the file is written and the test fails, so
  /// that a recording is never mistaken for a check. A missing file also fails the test.
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
  /// the file `__Snapshots__/<name>.txt` next to the test; see `expectFrame(_:size:theme:named:)`.
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
