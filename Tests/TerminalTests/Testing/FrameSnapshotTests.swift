import Glibc
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

  private let frame = FrameSnapshot.frame(of: Text("is"), size: Size(columns: 4, rows: 1))

  @Test func wrongPicture_isAProblem() {
    #expect(FrameSnapshot.problem(of: frame, matching: "is") == nil)
    #expect(FrameSnapshot.problem(of: frame, matching: "was")?.contains("✗ was      │ is") == true)
  }

  @Test func snapshot_isRecordedOnDemandAndThenChecked() {
    let folder = "/tmp/frame-snapshot-tests-\(getpid())"
    mkdir(folder, 0o700)
    let file = SnapshotFile(name: "is", besideTest: folder + "/Tests.swift")
    defer {
      unlink(file.path)
      rmdir(folder + "/__Snapshots__")
      rmdir(folder)
    }
    let missing = FrameSnapshot.problem(of: frame, recordedIn: file, isRecording: false)
    #expect(missing?.contains("RECORD_SNAPSHOTS=1") == true)
    let recorded = FrameSnapshot.problem(of: frame, recordedIn: file, isRecording: true)
    #expect(recorded == "Recorded \(file.path).")
    #expect(FrameSnapshot.problem(of: frame, recordedIn: file, isRecording: false) == nil)
    let other = FrameSnapshot.frame(of: Text("was"), size: Size(columns: 4, rows: 1))
    #expect(FrameSnapshot.problem(of: other, recordedIn: file, isRecording: false) != nil)
  }
}
