import Composable
import ComposableTesting
import Testing

@Suite struct ReporterTests {
  @Test func reportedIssuesFailTheTest() {
    withKnownIssue { reportIssue("Broken.") }
  }
}
