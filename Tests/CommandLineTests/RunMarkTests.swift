import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import CommandLine

@Suite("A run that was killed or crashed is noticed")
struct RunMarkTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws { temporary = try TemporaryFolder() }

  @Test("One that goes on, or ended in good order, is none")
  func cleanEnds() throws {
    let mark = try #require(RunMark(in: folder, process: 1))
    #expect(RunMark.takeAbandoned(in: folder) == [])
    mark.end()
    #expect(RunMark.takeAbandoned(in: folder) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test("One that left its mark behind is noticed once, beside others that go on")
  func uncleanEnds() throws {
    let running = try #require(RunMark(in: folder, process: 1))
    do { _ = try #require(RunMark(in: folder, process: 2)) }
    #expect(RunMark.takeAbandoned(in: folder).count == 1)
    #expect(RunMark.takeAbandoned(in: folder) == [])
    running.end()
  }

  @Test("What is no mark is left alone")
  func others() throws {
    #expect(symlink("/etc/passwd", folder + "/running-3") == 0)
    #expect(mkfifo(folder + "/running-4", 0o600) == 0)
    #expect(RunMark.takeAbandoned(in: folder) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test("A folder that is not there has none, and takes none")
  func noFolder() {
    #expect(RunMark.takeAbandoned(in: folder + "/none") == [])
    #expect(RunMark(in: folder + "/none") == nil)
  }
}
