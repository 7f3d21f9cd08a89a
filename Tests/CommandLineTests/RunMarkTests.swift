import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import CommandLine

@Suite("Detection of killed and crashed runs")
struct RunMarkTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws { temporary = try TemporaryFolder() }

  @Test("A run that is still going or ended normally isn't reported as a crash")
  func cleanEnds() throws {
    let mark = try #require(RunMark(in: folder, process: 1))
    #expect(RunMark.takeAbandoned(in: folder) == [])
    mark.end()
    #expect(RunMark.takeAbandoned(in: folder) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test("A run that left its mark behind is reported once; a run that is still going isn't")
  func uncleanEnds() throws {
    let running = try #require(RunMark(in: folder, process: 1))
    do { _ = try #require(RunMark(in: folder, process: 2)) }
    #expect(RunMark.takeAbandoned(in: folder).count == 1)
    #expect(RunMark.takeAbandoned(in: folder) == [])
    running.end()
  }

  @Test("A symbolic link or a pipe named like a run's mark is left alone")
  func others() throws {
    #expect(symlink("/etc/passwd", folder + "/running-3") == 0)
    #expect(mkfifo(folder + "/running-4", 0o600) == 0)
    #expect(RunMark.takeAbandoned(in: folder) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test("In a folder that doesn't exist, no crash is reported and no mark is made")
  func noFolder() {
    #expect(RunMark.takeAbandoned(in: folder + "/none") == [])
    #expect(RunMark(in: folder + "/none") == nil)
  }
}
