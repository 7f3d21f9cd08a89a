import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal signs`: CHK-10.
struct SignsCommandTests {
  let world = World()

  private func openAccount(_ span: TimeSpan = .hours(1)) async {
    await world.openAccount()
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    world[\.now] = world[\.now] + span
  }

  /// Sends a sign, with a store that answers before its time is over, however busy the machine is.
  private func send() async {
    world[\.overrides] = { $0.continuousClock = NeverClock() }
    await world.expect("signs send", .init(0))
    world[\.overrides] = { _ in }
  }

  private func sources() async -> String {
    await world.run("history").output.split(separator: "\n").map { line in
      CheckIn.Source.allCases.first { line.contains("  \($0.displayText)") }?.rawValue ?? "?"
    }.joined(separator: " ")
  }

  @Test("CHK-10: signs on explains itself and prints the line for the shell's start-up file")
  func turnsOn() async {
    await openAccount()
    await world.expect("signs", .init(0, "Signs of life: off\n"))
    world[\.variables]["SHELL"] = "/usr/bin/zsh"
    let explanation = SignOfLife.explanation.map { $0 + "\n" }.joined()
    let on =
      explanation + "\nSigns of life: on\n"
      + "Add this line at the end of the start-up file, then open a new shell:\n"
    await world.expect(
      "signs on", .init(0, on + "  ~/.zshrc:  eval \"$(lifesignal signs hook zsh)\"\n"))
    await world.expect(
      "signs on --shell bash",
      .init(0, on + "  ~/.bashrc:  eval \"$(lifesignal signs hook bash)\"\n"))
    // A login shell without a hook.
    world[\.variables]["SHELL"] = "/bin/dash"
    let lines = await world.run("signs on").output
    for shell in Shell.allCases { #expect(lines.contains(shell.signLine)) }
    await world.expect(
      "signs off",
      .init(0, "Signs of life: off\nThe line in your shell's start-up file has no effect now.\n"))
    await world.expect("signs status", .init(0, "Signs of life: off\n"))
    for wrong in ["signs on --shell dash", "signs hook dash", "signs hook", "signs perhaps"] {
      #expect(await world.run(wrong).exitCode == 2, "\(wrong)")
    }
  }

  @Test("CHK-10: the explanation says that whatever types counts, and what holds it")
  func explains() {
    let text = SignOfLife.explanation.joined(separator: " ")
    for word in [
      "Whatever types", "a program", "tmux", "someone else", "forces you", "3 intervals", "7 days",
      "30 minutes", "pause", "alert", "gate", "empty line",
    ] { #expect(text.contains(word), "\(word)") }
  }

  @Test("CHK-10, CHK-3: with a gate signs on is refused without asking for anything")
  func gate() async throws {
    await openAccount()
    try await world.platform.clients().authClient.updateGate(
      Gate(passphrase: Secret("blue kettle")))
    let refused = await world.run("signs on")
    #expect(refused.exitCode == 45 && refused.output == "")
    #expect(
      refused.errorOutput.contains("Signs of life don't count while a passphrase gate is set."))
    #expect(world[\.prompts] == [])
  }

  @Test("CHK-10: signs status says what counted, how far signs reach, and why none counts now")
  func status() async throws {
    await openAccount()
    world[\.hasControllingTerminal] = true
    _ = await world.run("signs on")
    func status() async -> [String] {
      await world.run("signs").output.split(separator: "\n").map(String.init)
    }
    var lines = await status()
    #expect(lines[0] == "Signs of life: on")
    #expect(lines[1] == "None has counted in the last 7 days.")
    #expect(
      lines[2]
        == "They carry your deadline to Tue 07:52 at most, unless you check in yourself.")
    #expect(lines[3] == "One would count now.")
    await send()
    lines = await status()
    #expect(lines[1] == "The last one counted today 08:52.")
    #expect(
      lines[3] == "One would not count now: the last check-in is less than 30 minutes ago.")
    world[\.now] = world[\.now] + .hours(1)
    _ = await world.run("pause 2h")
    #expect(await status().last == "One would not count now: you are paused.")
    _ = await world.run("resume")
    _ = await world.run("alert on help")
    #expect(await status().last == "One would not count now: an alert is on.")
    _ = await world.run("alert off")
    world[\.now] = world[\.now] + .days(2)
    #expect(
      await status().last == "One would not count now: your deadline has passed, so check in.")
  }

  @Test("CHK-10: signs send prints nothing and checks in at most once in half an hour")
  func sends() async {
    await openAccount()
    world[\.hasControllingTerminal] = true
    await send()
    #expect(await sources() == "manual", "they are off")
    _ = await world.run("signs on")
    // Another shell has just sent one.
    await send()
    #expect(await sources() == "manual")
    world[\.now] = world[\.now] + .minutes(31)
    await send()
    #expect(await sources() == "automatic manual")
    #expect(world[\.monitorsStarted] == 0)
  }

  @Test("CHK-10: without a terminal, or where there is no account, nothing is sent or made")
  func withoutTerminal() async {
    world[\.hasControllingTerminal] = true
    await send()
    #expect(world[\.storesOpened] == 0)
    await openAccount()
    _ = await world.run("signs on")
    world[\.hasControllingTerminal] = false
    await send()
    #expect(await sources() == "manual")
    // What is wrong with the store is no matter of a sign.
    world[\.hasControllingTerminal] = true
    world[\.storeFailure] = .corrupt(detail: "page 3")
    await send()
    world[\.variables] = [:]
    await send()
  }

  @Test("CHK-10: if the server doesn't answer, signs send ends after 5 seconds and prints nothing")
  func unanswered() async {
    let wasAsked = Mutex(false)
    await openAccount()
    world[\.hasControllingTerminal] = true
    world[\.overrides] = {
      $0.checkInClient.sign = { () async throws(ClientError) in
        // A stream without elements is an answer that never comes.
        let (answers, continuation) = AsyncStream<Never>.makeStream()
        wasAsked.withLock { $0 = true }
        for await _ in answers {}
        continuation.finish()
      }
    }
    await world.expect("signs send", .init(0))
    #expect(wasAsked.withLock { $0 })
  }

  @Test("CHK-10: the hooks are a few lines for the shell that was named", arguments: Shell.allCases)
  func hook(_ shell: Shell) async {
    let hook = await world.run("signs hook \(shell.rawValue)")
    #expect(hook.exitCode == 0 && hook.errorOutput == "")
    #expect(hook.output.hasPrefix("# Signs of life for \(shell.rawValue), made by"))
    #expect(hook.output.contains("command lifesignal signs send"))
    #expect(hook.output.split(separator: "\n").count < 30)
    #expect(world[\.storesOpened] == 0)
  }
}
