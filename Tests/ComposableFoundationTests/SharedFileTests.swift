import Composable
import ComposableFoundation
import ComposableTesting
import Foundation
import Synchronization
import Testing

/// Shared values that are stored in files.
@MainActor @Suite struct SharedFileTests {
  private struct Settings: Codable, Equatable, Sendable {
    var theme = "dark"
    var isMuted = false
  }

  private let url = URL(filePath: "/settings.json")

  private func withFiles(
    _ files: SharedFiles, _ operation: @MainActor () async throws -> Void
  ) async rethrows {
    try await withDependencies {
      $0.isolateDefaults()
      $0.sharedFiles = files
    } operation: {
      try await operation()
    }
  }

  @Test func aFileKeepsTheValue() async throws {
    let files = SharedFiles.inMemory()
    await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      $settings.theme.withLock { $0 = "light" }
      await flushSharedValues()
    }
    await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      #expect(settings == Settings(theme: "light"))
    }
  }

  @Test func withoutAWatchAChangeByAnotherProgramIsLoadedWhenAskedFor() async throws {
    var files = SharedFiles.inMemory()
    files.watch = { _, _ in nil }
    try await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      var themes = $settings.theme.values.makeAsyncIterator()
      #expect(await themes.next() == "dark")
      try files.replace("/settings.json", Array(#"{"theme":"light","isMuted":true}"#.utf8))
      try $settings.load()
      #expect(settings == Settings(theme: "light", isMuted: true))
      #expect(await themes.next() == "light")
      try files.replace("/settings.json", Array("{".utf8))
      #expect(throws: SharedFileError.self) { try $settings.isMuted.load() }
      #expect(settings.isMuted)
    }
  }

  @Test func anUnreadableFileIsKeptAsideReportedAndReplacedByTheDefault() async throws {
    let files = SharedFiles.inMemory(["/settings.json": Array("{ broken".utf8)])
    await withFiles(files) {
      withKnownIssue {
        @Shared(.fileStorage(url)) var settings = Settings()
        #expect(settings == Settings())
      } matching: {
        $0.comments.first?.rawValue.contains("/settings.json.unreadable") == true
      }
    }
    #expect(try files.read("/settings.json") == nil)
    #expect(try files.read("/settings.json.unreadable") == Array("{ broken".utf8))
  }

  // MARK: Changes by other programs

  @Test func aChangeByAnotherProgramIsFollowed() async throws {
    let files = SharedFiles.inMemory()
    try await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      try files.replace("/settings.json", Array(#"{"theme":"light","isMuted":true}"#.utf8))
      await flushSharedValues()
      #expect(settings == Settings(theme: "light", isMuted: true))
      // It isn't mistaken for a change by this program, which would write the file again.
      #expect(try files.read("/settings.json") == Array(#"{"theme":"light","isMuted":true}"#.utf8))
    }
  }

  @Test func aChangeOfOnesOwnIsNotTakenForOneOfAnotherProgram() async throws {
    let memory = SharedFiles.inMemory()
    let reads = Mutex(0)
    var files = memory
    files.read = { path in
      reads.withLock { $0 += 1 }
      return try memory.read(path)
    }
    await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      var themes = $settings.theme.values.makeAsyncIterator()
      #expect(await themes.next() == "dark")
      await flushSharedValues()
      $settings.theme.withLock { $0 = "light" }
      #expect(await themes.next() == "light")
      await flushSharedValues()
      // The file was read again and nothing was yielded, so the next value is the next change.
      #expect(reads.withLock { $0 } == 3)
      $settings.theme.withLock { $0 = "mono" }
      #expect(await themes.next() == "mono")
    }
  }

  @Test func aChangeThatIsNotKeptYetWinsOverThatOfAnotherProgram() async throws {
    let memory = SharedFiles.inMemory()
    let isHeld = Mutex(false)
    let isRead = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    var files = memory
    files.read = { path in
      if isHeld.withLock({ $0 }) {
        isRead.signal()
        mayGoOn.wait()
      }
      return try memory.read(path)
    }
    try await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      await flushSharedValues()
      // While the other program's change is being read, this program changes the value, too.
      isHeld.withLock { $0 = true }
      try memory.replace("/settings.json", Array(#"{"theme":"theirs","isMuted":true}"#.utf8))
      isRead.wait()
      isHeld.withLock { $0 = false }
      $settings.theme.withLock { $0 = "ours" }
      mayGoOn.signal()
      await flushSharedValues()
      #expect(settings == Settings(theme: "ours"))
      let kept = try #require(try memory.read("/settings.json"))
      #expect(try JSONDecoder().decode(Settings.self, from: Data(kept)) == settings)
    }
  }

  @Test func ofSeveralChangesThatWaitTheLastIsWritten() async throws {
    let memory = SharedFiles.inMemory(["/settings.json": Array(#""a""#.utf8)])
    let written = Mutex<[String]>([])
    let isWriting = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    var files = memory
    files.replace = { path, bytes in
      let count = written.withLock {
        $0.append(String(decoding: bytes, as: UTF8.self))
        return $0.count
      }
      if count == 1 {
        isWriting.signal()
        mayGoOn.wait()
      }
      try memory.replace(path, bytes)
    }
    try await withFiles(files) {
      @Shared(.fileStorage(url)) var theme = ""
      await flushSharedValues()
      $theme.withLock { $0 = "b" }
      isWriting.wait()
      // The file still has the old contents, which aren't a change by another program.
      try $theme.load()
      #expect(theme == "b")
      $theme.withLock { $0 = "c" }
      $theme.withLock { $0 = "d" }
      // A change by another program in the meantime doesn't prevent the save.
      try memory.replace("/settings.json", Array(#""theirs""#.utf8))
      mayGoOn.signal()
      await flushSharedValues()
      #expect(written.withLock { $0 } == [#""b""#, #""d""#])
      #expect(theme == "d")
      #expect(try memory.read("/settings.json") == Array(#""d""#.utf8))
    }
  }

  @Test func whatAnotherProgramBreaksIsKeptAsideAndReported() async throws {
    let files = SharedFiles.inMemory()
    try await withFiles(files) {
      let line = #line + 1
      @Shared(.fileStorage(url)) var settings = Settings(theme: "ours")
      await flushSharedValues()
      try await withKnownIssue {
        try files.replace("/settings.json", Array("{".utf8))
        await flushSharedValues()
      } matching: { issue in
        issue.comments.first?.rawValue.hasPrefix(
          """
          A shared value was changed elsewhere, and the new value could not be loaded: \
          /settings.json.unreadable: DecodingError
          """) == true && issue.sourceLocation?.line == line
      }
      #expect(settings == Settings(theme: "ours"))
      #expect(try files.read("/settings.json.unreadable") == Array("{".utf8))
    }
  }

  @Test func aValueThatCannotBeKeptIsReported() async {
    var files = SharedFiles.inMemory()
    files.replace = { path, _ in throw SharedFileError(path: path, reason: "No space left") }
    await withFiles(files) {
      let line = #line + 1
      @Shared(.fileStorage(url)) var settings = Settings()
      await flushSharedValues()
      await withKnownIssue {
        $settings.theme.withLock { $0 = "light" }
        await flushSharedValues()
      } matching: { issue in
        issue.comments.first?.rawValue
          == "A shared value could not be saved: /settings.json: No space left"
          && issue.sourceLocation?.line == line
      }
      #expect(settings.theme == "light")
    }
  }
}
