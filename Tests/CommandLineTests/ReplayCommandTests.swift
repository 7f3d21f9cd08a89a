import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials
import Terminal
import Testing

@testable import CommandLine
@testable import Features

/// `--record` and `lifesignal replay`.
@MainActor @Suite struct ReplayCommandTests {
  let world = World()

  /// Records a session with the demo's account and returns its final state.
  private func record(_ actions: [AppFeature.Action] = session) async throws -> AppFeature.State {
    let world = world
    let platform = await EmbeddedPlatform.demo(now: { world[\.now] })
    let file = try RecordingFile("r.jsonl", world.recordingAccess)
    let store = AppSession(recording: file.target) {
      platform.install(in: &$0)
      $0.dateClient.calendar = .local
      $0.continuousClock = NeverClock()
    }.store
    store.send(.started)
    for await main in store.values(of: \.main) where main?.snapshot.watch != nil { break }
    for action in actions {
      world.advance(by: .seconds(1))
      store.send(action)
    }
    for await main in store.values(of: \.main) where main?.checkIn.request.isRunning == false {
      break
    }
    world[\.files]["r.jsonl"] = .success(Array((world[\.recordings]["r.jsonl"] ?? "").utf8))
    #expect(file.warning == nil)
    return store.state
  }

  private static let session: [AppFeature.Action] = [
    .main(.checkIn(.checkInButtonTapped)), .main(.tabSelected(.responders)),
    .main(.responders(.addButtonTapped)),
    .main(
      .path(
        .element(
          id: 0,
          action: SheetAction(ContactFormFeature.self, .form(.edited(.name, .insert("Mary"))))))),
  ]

  private func replace(_ change: (inout [Substring]) -> Void) {
    var lines = (world[\.recordings]["r.jsonl"] ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    change(&lines)
    world[\.files]["r.jsonl"] = .success(Array(lines.joined(separator: "\n").utf8))
  }

  @Test func aRecordedSession_leadsToTheSameState() async throws {
    let state = try await record()
    let outcome = await world.run("replay r.jsonl")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorOutput.isEmpty)
    let printed = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    let shown: [String] = printed.dropFirst(2).dropLast().map(String.init)
    #expect(shown == lines(of: state))
    #expect(outcome.output.contains("text: \"Mary\""))
    #expect(outcome.output.contains("Checked in. Next deadline"))
    #expect(world[\.storesOpened] == 0)
    #expect(world[\.timeZones] == ["Europe/London"])
  }

  @Test func theSummary_countsActions() async throws {
    _ = try await record()
    replace { $0 = Array($0.prefix(3)) + [""] }
    #expect(
      await world.run("replay r.jsonl").output.hasPrefix(
        "2 actions from 2026-11-21T07:52:00Z to 2026-11-21T07:52:00Z\n\nAppFeature.State(\n"))
    replace { $0 = Array($0.prefix(1)) + [""] }
    #expect(await world.run("replay r.jsonl").output.hasPrefix("0 actions from "))
  }

  @Test func aCutLastLine_isLeftOutWithAWord() async throws {
    _ = try await record()
    replace { lines in
      lines.removeLast()
      lines[lines.count - 1] = lines[lines.count - 1].dropLast(5)
    }
    let outcome = await world.run("replay r.jsonl")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: The last line of r.jsonl is cut off and was left out.\n")
  }

  @Test func aLineThatIsNoAction_isNamed() async throws {
    _ = try await record()
    replace { $0[2] = #"{"action":{"vanished":{}},"date":1}"# }
    let outcome = await world.run("replay r.jsonl")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errorOutput.hasPrefix(
        "lifesignal: r.jsonl, line 3: unknown action (action: "))
  }

  @Test func anotherProgramsRecording_isReplayedWithAWord() async throws {
    _ = try await record()
    replace { $0[0] = Substring($0[0].replacing(Version.program, with: "lifesignal 9.9.9")) }
    let outcome = await world.run("replay r.jsonl")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: It was recorded by lifesignal 9.9.9; \(Version.program) may come to another"
        + " state.\n")
  }

  @Test(arguments: [
    ("", "r.jsonl isn't a recording of the app. Make one with lifesignal --record FILE."),
    (
      "{\"recording\":1}\n",
      "r.jsonl is a recording of format 1; this program reads 5. Replay it with the program that"
        + " recorded it."
    ),
    (
      "{\"recording\":7}\n",
      "r.jsonl is a recording of format 7; this program reads 5. Replay it with the program that"
        + " recorded it."
    ),
  ])
  func somethingElse_isRefused(text: String, message: String) async {
    world[\.files]["r.jsonl"] = .success(Array(text.utf8))
    await world.expect("replay r.jsonl", .init(1, error: "lifesignal: \(message)\n"))
  }

  @Test func aFileThatCannotBeRead_isAFailure() async {
    await world.expect(
      "replay r.jsonl", .init(1, error: "lifesignal: There is no file r.jsonl.\n"))
    world[\.files]["r.jsonl"] = .failure(FileError(reason: "Permission denied"))
    await world.expect(
      "replay r.jsonl", .init(1, error: "lifesignal: r.jsonl can't be read: Permission denied.\n"))
    world[\.files]["r.jsonl"] = .success(
      [UInt8](repeating: 0, count: ReplayCommand.sizeLimit + 1))
    await world.expect(
      "replay r.jsonl", .init(1, error: "lifesignal: r.jsonl is larger than 64 MiB.\n"))
    await world.expect(
      "replay",
      .init(2, error: "lifesignal: FILE is missing. Write lifesignal replay FILE.\n"))
  }

  @Test func aFileThatIsThere_isNotRecordedOver() {
    world[\.recordings]["r.jsonl"] = "mine"
    let failure = #expect(throws: CommandFailure.self) {
      try RecordingFile("r.jsonl", world.recordingAccess)
    }
    #expect(failure?.sentence == "r.jsonl can't be created: File exists.")
    #expect(world[\.recordings]["r.jsonl"] == "mine")
  }

  @Test func aFullDisk_endsTheRecordingAndNotTheApp() async throws {
    let world = world
    let platform = await EmbeddedPlatform.demo(now: { world[\.now] })
    let file = try RecordingFile("r.jsonl", world.recordingAccess)
    let store = AppSession(recording: file.target) {
      platform.install(in: &$0)
    }.store
    store.send(.keysButtonTapped)
    let whole = world[\.recordings]["r.jsonl"]
    world[\.recordingFailure] = "No space left on device"
    store.send(.keysClosed)
    world[\.recordingFailure] = nil
    store.send(.keysButtonTapped)
    #expect(store.isShowingKeys)
    #expect(world[\.recordings]["r.jsonl"] == whole)
    #expect(file.warning == "r.jsonl is not complete: No space left on device.")
  }

  @Test(arguments: ["--debug", "--record r.jsonl"])
  func theConversation_hasNoScreenToLookBehind(option: String) async {
    let spelling = option.split(separator: " ")[0]
    await world.expect(
      "--plain \(option)",
      .init(
        2, error: "lifesignal: \(spelling) does not go with --plain. Leave one of them out.\n"))
    #expect(world[\.recordings].isEmpty)
  }

  @Test func debugOptions_areReadForTheAppAndTheDemo() throws {
    let parser = ArgumentParser(app: .app, commands: CommandDeclaration.all)
    for words in [["--debug", "--record", "r.jsonl"], ["demo", "--record=r.jsonl", "--debug"]] {
      guard case .run(let command, _, _) = try parser.parse(words) else {
        Issue.record("\(words)")
        continue
      }
      let debugging = (command as? AppCommand)?.debugging ?? (command as? DemoCommand)?.debugging
      #expect(debugging?.showsOverlay == true)
      #expect(debugging?.recording == "r.jsonl")
    }
    #expect(throws: UsageError.self) { try parser.parse(["--record", ""]) }
  }
}

/// A clock on which every sleep lasts until it is cancelled.
struct NeverClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
    throw CancellationError()
  }
}
