import Synchronization
import Testing

/// Expects exactly one issue, with this text, at a line of the body.
@MainActor
func expectIssue(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @MainActor () async -> Void
) async {
  let issues = Mutex<[(text: String, location: SourceLocation?)]>([])
  await withKnownIssue(sourceLocation: sourceLocation) {
    await body()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined()
    issues.withLock { $0.append((text, issue.sourceLocation)) }
    return true
  }
  let found = issues.withLock { $0 }
  #expect(found.map(\.text) == [text], sourceLocation: sourceLocation)
  for location in found.map(\.location) {
    #expect(location?.fileID == sourceLocation.fileID, sourceLocation: sourceLocation)
    // The body follows the text, so it is within the next lines.
    let lines = sourceLocation.line...(sourceLocation.line + 30)
    #expect(location.map { lines.contains($0.line) } == true, sourceLocation: sourceLocation)
  }
}

/// Expects exactly these warnings, which don't fail the test, and no failure.
@MainActor
func expectNotes(
  _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @MainActor () async -> Void
) async {
  let notes = Mutex<[(text: String, severity: Issue.Severity)]>([])
  await withKnownIssue(sourceLocation: sourceLocation) {
    await body()
  } matching: { issue in
    notes.withLock { $0.append((issue.comments.map(\.rawValue).joined(), issue.severity)) }
    return true
  }
  let found = notes.withLock { $0 }
  #expect(found.map(\.text) == texts, sourceLocation: sourceLocation)
  #expect(found.allSatisfy { $0.severity == .warning }, sourceLocation: sourceLocation)
}
