import Synchronization
import Testing

/// Expects exactly one issue with this text.
@MainActor
func expectIssue(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @MainActor () async -> Void
) async {
  let issues = Mutex<[String]>([])
  await withKnownIssue(sourceLocation: sourceLocation) {
    await body()
  } matching: { issue in
    issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
    return true
  }
  #expect(issues.withLock { $0 } == [text], sourceLocation: sourceLocation)
}
