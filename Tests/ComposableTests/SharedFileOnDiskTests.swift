import Composable
import ComposableFoundation
import ComposableTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The files on disk that store shared values, and how they survive crashes, faults and changes by
/// other programs.
@MainActor @Suite final class SharedFileOnDiskTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/settings.json" }

  init() throws { folder = try TemporaryFolder() }

  private static let old = [UInt8](repeating: 1, count: 100_000)
  private static let new = [UInt8](repeating: 2, count: 150_000)

  /// Every step of replacing a file with the new bytes, which are written in three pieces.
  private static let steps: [SharedFiles.Step] = [
    .opened, .wrote(65_536), .wrote(131_072), .wrote(150_000), .synced, .renamed,
  ]

  @Test func filesAreReplacedAsAWhole() throws {
    let files = SharedFiles.live
    #expect(try files.read(path) == nil)
    try files.replace(path, Self.old)
    #expect(try files.read(path) == Self.old)
    // Replace with fewer bytes, over a temporary file that a crash left readable by others.
    try Data(Self.new).write(to: URL(filePath: path + ".new"))
    try files.replace(path, [7])
    #expect(try files.read(path) == [7])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try files.rename(path, path + ".old")
    #expect(try files.read(path) == nil)
    #expect(throws: SharedFileError.self) { try files.replace("/nowhere/at/all", []) }
  }

  @Test func everyPointOfReplacingAFileIsKnown() throws {
    let reached = LockedLog<SharedFiles.Step>()
    try SharedFiles.live { reached.append($0) }.replace(path, Self.new)
    #expect(reached.values == Self.steps)
  }

  /// Kills a separate process, so that it can't clean up anything.
  @Test(arguments: 0..<6) func fileStorageSurvivesACrashInMidWrite(step: Int) async throws {
    try SharedFiles.live.replace(path, Self.old)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, step] in
      let step = await SharedFileOnDiskTests.steps[step]
      try await SharedFiles.live { if $0 == step { raise(SIGKILL) } }
        .replace(path, SharedFileOnDiskTests.new)
    }
    let isNew = Self.steps[step] == .renamed
    #expect(try SharedFiles.live.read(path) == (isNew ? Self.new : Self.old))
    // The next replacement works as usual.
    try SharedFiles.live.replace(path, [3])
    #expect(try SharedFiles.live.read(path) == [3])
  }

  @Test(arguments: 0..<6) func aFaultAtAnyPointLeavesTheOldOrTheNewFile(step: Int) throws {
    struct Fault: Error {}
    let fault = Self.steps[step]
    try SharedFiles.live.replace(path, Self.old)
    let files = SharedFiles.live { if $0 == fault { throw Fault() } }
    #expect(throws: Fault.self) { try files.replace(path, Self.new) }
    #expect(try files.read(path) == (fault == .renamed ? Self.new : Self.old))
    try SharedFiles.live.replace(path, [3])
    #expect(try SharedFiles.live.read(path) == [3])
  }

  @Test func programsThatWriteAtTheSameTimeDoSoOneAfterTheOther() async throws {
    let path = path
    try SharedFiles.live.replace(path, Self.old)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in UInt8(1)...4 {
        group.addTask {
          for _ in 0..<10 {
            try SharedFiles.live.replace(path, Array(repeating: writer, count: 70_000))
          }
        }
      }
      group.addTask {
        for _ in 0..<100 {
          let bytes = try #require(try SharedFiles.live.read(path))
          #expect(Set(bytes).count == 1)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(.timeLimit(.minutes(1))) func aChangeByAnotherProcessIsFollowed() async throws {
    try await withDependencies {
      $0.sharedFiles = .live
    } operation: {
      @Shared(.fileStorage(URL(filePath: path))) var theme = "dark"
      var themes = $theme.values.makeAsyncIterator()
      #expect(await themes.next() == "dark")
      await flushSharedValues()
      try shell("printf '\"light\"' > \(path)")
      #expect(await themes.next() == "light")
      try shell("printf '\"mono\"' > \(path).other && mv \(path).other \(path)")
      #expect(await themes.next() == "mono")
      #expect(theme == "mono")
    }
  }

  @Test(.timeLimit(.minutes(1))) func changesThatComeTogetherAreAllTold() async throws {
    let (told, continuation) = AsyncStream.makeStream(of: String.self)
    let isTold = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let first = SharedFiles.live.watch(folder.path + "/first") {
      isTold.signal()
      mayGoOn.wait()
    }
    let others = ["a", "b", "c"].map { name in
      SharedFiles.live.watch(folder.path + "/" + name) { continuation.yield(name) }
    }
    try folder.write("", to: "first")
    isTold.wait()
    for name in ["a", "b", "c"] { try folder.write("", to: name) }
    mayGoOn.signal()
    var names = told.makeAsyncIterator()
    for name in ["a", "b", "c"] { #expect(await names.next() == name) }
    withExtendedLifetime((first, others)) {}
  }

  @Test func aWatchEndsWhenItIsLetGo() throws {
    let files = SharedFiles.inMemory()
    let told = LockedLog<Int>()
    do {
      let watch = files.watch("/a") { told.append(1) }
      try files.replace("/a", [1])
      withExtendedLifetime(watch) {}
    }
    try files.replace("/a", [2])
    #expect(told.values == [1])
    // The other watchers of the file are still notified.
    let other = files.watch("/a") { told.append(3) }
    do { withExtendedLifetime(files.watch("/a") {}) {} }
    try files.replace("/a", [3])
    #expect(told.values == [1, 3])
    withExtendedLifetime(other) {}
    // A folder that doesn't exist can't be watched.
    #expect(SharedFiles.live.watch("/nowhere/at/all") {} == nil)
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
