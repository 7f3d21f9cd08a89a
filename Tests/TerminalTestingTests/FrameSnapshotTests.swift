import Terminal
import Testing

@testable import TerminalTesting

@MainActor
struct FrameSnapshotTests {
  @Test func equalPictures_haveNoDifference() {
    #expect(FrameSnapshot.difference(actual: ["a", ""], expected: ["a", ""]) == nil)
  }

  @Test func difference_showsBothSideBySideAndMarksTheRows() {
    #expect(
      FrameSnapshot.difference(actual: ["same", "new", "more"], expected: ["same", "日本"]) == """
          expected │ actual
          same     │ same
        ✗ 日本     │ new
        ✗          │ more

        """)
  }

  @Test func rowsInSource_needNoBlanksAtTheirEnds() {
    #expect(FrameSnapshot.rows(of: "a  \n b", count: 4) == ["a", " b", "", ""])
  }

  @Test func wrongPicture_isReported() {
    withKnownIssue {
      expectFrame(Text("is"), size: Size(columns: 4, rows: 1), matches: "was")
    } matching: { issue in
      issue.description.contains("✗ was      │ is")
    }
  }

  @Test(.enabled(if: !SnapshotFile.isRecording)) func missingSnapshot_isReportedWithThePicture() {
    withKnownIssue {
      expectFrame(Text("is"), size: Size(columns: 4, rows: 1), named: "never-recorded")
    } matching: { issue in
      issue.description.contains("RECORD_SNAPSHOTS=1")
    }
  }
}
