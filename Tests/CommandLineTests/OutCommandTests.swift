import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// `lifesignal out` and `back`: OUT-1 … OUT-3.
struct OutCommandTests {
  let world = World()

  @Test("OUT-1: out starts an outing, shows it and has it end later; back ends it")
  func life() async {
    await world.openAccount()
    await world.expect(
      "out", .init(0, "You aren't out. lifesignal out 18:00 starts an outing.\n"))
    let out = await world.run("out 18:00 Ben Nevis, red tent")
    #expect(
      out.output.hasPrefix(
        """
        Out until today 18:00, in 10h 8m – Ben Nevis, red tent
        Your responders are notified today 18:15, unless you say lifesignal back before.

        """), "\(out)")
    let status = await world.run("status --json").output
    #expect(
      status.contains(
        #""outing":{"until":"2026-11-21T18:00:00Z","text":"Ben Nevis, red tent"}"#), "\(status)")
    #expect(
      await world.run("status").output.contains(
        "Out until:      today 18:00, 10h 8m left – Ben Nevis, red tent\n"))
    let later = await world.run("out +30m")
    #expect(later.output == "Out until today 18:30, in 10h 38m – Ben Nevis, red tent\n")
    let twice = await world.run("out 20:00")
    #expect(twice.exitCode == 45 && twice.errorOutput.contains("lifesignal out +30m"), "\(twice)")
    // A check-in doesn't end it.
    world.advance(by: .minutes(2))
    #expect(
      await world.run("check-in").output.contains("You are still out until today 18:30."))
    world.advance(by: .minutes(2))
    let back = await world.run("back")
    #expect(back.exitCode == 0 && back.output.hasPrefix("Welcome back."), "\(back)")
    #expect(await world.run("status --json").output.contains(#""outing":null"#))
    // Said twice, or on another device, it is a check-in.
    #expect(await world.run("back").output.hasPrefix("You weren't out.\nChecked in."))
    #expect(await world.run("out +30m").exitCode == 45)
    #expect(await world.run("history").output.contains("back from an outing"))
  }

  @Test("OUT-1: the end can be two words; what follows is the text")
  func ends() {
    for (words, end, text) in [
      (["18:00", "Ben"], "18:00", "Ben"), (["tomorrow", "9:00", "Ben"], "tomorrow 9:00", "Ben"),
      (["tomorrow", "Ben"], "tomorrow", "Ben"), (["until", "18:00"], "until 18:00", ""),
      (["2026-11-25", "18:00", "x"], "2026-11-25 18:00", "x"), (["4h", "9:00"], "4h", "9:00"),
      (["2d", "12h", "hut"], "2d 12h", "hut"), (["2", "days", "hut"], "2 days", "hut"),
      (["2h", "5", "people"], "2h", "5 people"), (["until", "4h"], "until 4h", ""),
    ] {
      var rest = words
      #expect(OutingDraft.takeEnd(from: &rest) == end)
      #expect(rest.joined(separator: " ") == text)
    }
  }

  @Test(
    "OUT-1: a mistyped end is a usage error and starts nothing",
    arguments: ["soon", "3m", "+x", "15d", "tomorrow", "2026-11-25 hut"])
  func mistyped(_ end: String) async {
    await world.openAccount()
    let outcome = await world.run("out \(end)")
    #expect(outcome.exitCode == 2, "\(outcome)")
    #expect(await world.run("status --json").output.contains(#""outing":null"#))
  }

  @Test("OUT-3: an outing leaves the deadline as it is, unless it is started with --wait")
  func waits() async {
    await world.openAccount()
    let goesOn = await world.run("out 2d")
    #expect(
      goesOn.output.contains("Your deadline goes on: check in by tomorrow 07:52."), "\(goesOn)")
    _ = await world.run("back")
    world.advance(by: .minutes(2))
    let waits = await world.run("out 2d --wait")
    #expect(waits.output.contains("waits until then."), "\(waits)")
    #expect(
      await world.run("status").output.contains("Deadline:       Mon 07:5"))
  }

  @Test("OUT-4: once the end has passed, status says so and has the exit code of overdue")
  func late() async {
    await world.openAccount()
    _ = await world.run("out 1h")
    world.advance(by: .minutes(65))
    let status = await world.run("status")
    #expect(status.exitCode == 20, "\(status)")
    #expect(status.output.contains("not back for 5m"), "\(status)")
    #expect(status.output.contains("Not back:       since today 08:52"), "\(status)")
    let off = await world.run("alert off")
    #expect(off.exitCode == 1 && off.errorOutput.contains("Say lifesignal back"), "\(off)")
  }

  @Test("OUT-4, CHK-7: in a pause, status says when the person is due back")
  func paused() async {
    await world.openAccount()
    _ = await world.run("out 1h")
    _ = await world.run("pause 2d")
    #expect(await world.run("status").output.hasPrefix("Ada Lovelace: paused until"))
    world.advance(by: .minutes(40))
    let soon = await world.run("status")
    #expect(soon.output.hasPrefix("Ada Lovelace: due back in 20m"), "\(soon)")
    world.advance(by: .minutes(30))
    let late = await world.run("status")
    #expect(late.output.hasPrefix("Ada Lovelace: not back for 10m"), "\(late)")
  }

  @Test("OUT-1: only chosen responders, by name; nobody's name is refused")
  func chosen() async {
    await world.openAccount()
    let nobody = await world.run("out 4h --for Zoe")
    #expect(nobody.exitCode != 0 && nobody.errorOutput.contains("isn't one of your responders"))
    #expect(await world.run("status --json").output.contains(#""outing":null"#))
  }
}
