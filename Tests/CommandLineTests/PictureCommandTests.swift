import Domain
import Features
import Foundation
import Terminal
import Testing

@testable import CommandLine

/// `lifesignal demo --frame`.
struct PictureCommandTests {
  let world = World()

  @Test(arguments: DemoScreen.allCases)
  func everyScreen_hasAPictureOfTheSizeAskedFor(screen: DemoScreen) async {
    let outcome = await world.run("demo --frame \(screen.rawValue) --size 100x30")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorOutput.isEmpty)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == 30)
    #expect(lines.allSatisfy { String($0).columns <= 100 })
    #expect(world[\.storesOpened] == 0)
  }

  @Test func pictures_areTheSameEachTime() async {
    let first = await world.run("demo --frame check-in --format svg --theme light")
    world.advance(by: .days(3))
    #expect(await world.run("demo --frame check-in --format svg --theme light") == first)
    #expect(first.output.hasPrefix("<svg "))
  }

  /// Those of the examples have tests of their own.
  @Test("Every picture in docs/pictures equals what the program draws now")
  func documented() async throws {
    let folder = SystemsTests.root + "docs/pictures/"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".svg") }
    #expect(names.count == 7)
    for name in names {
      let parts = name.replacing(".svg", with: "").split(separator: "-")
      let screen = parts.dropLast().joined(separator: "-")
      let drawn = await world.run("demo --frame \(screen) --size \(parts.last!) --format svg")
      let isCurrent = try String(contentsOfFile: folder + name, encoding: .utf8) == drawn.output
      #expect(isCurrent, "\(name)")
    }
  }

  @Test func svg_hasTheScreenInWords() async throws {
    let svg = await world.run("demo --frame responders --format svg").output
    let start = try #require(svg.firstRange(of: "<desc>"))
    let end = try #require(svg.firstRange(of: "</desc>"))
    let words = svg[start.upperBound..<end.lowerBound]
    #expect(words.contains("Responders · by name") && words.contains("Bo Nyström ✉ bo@example.org"))
    #expect(!words.unicodeScalars.contains { (0x2500..<0x2580).contains($0.value) })
  }

  @Test func ansi_hasColoursUnlessTheyAreOff() async {
    let colored = await world.run("demo --frame check-in --format ansi")
    #expect(colored.output.contains("\u{1B}[38;"))
    let plain = await world.run("demo --frame check-in --format ansi --color never --theme dark")
    #expect(!plain.output.contains("38;"))
  }

  @Test func ascii_isASCII() async {
    let outcome = await world.run("demo --frame check-in --ascii")
    #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    arguments: [
      (
        "demo --frame chek-in",
        "--frame: “chek-in” isn't possible here. "
          + "Did you mean “check-in”? Write check-in, responders, dependents, alerts, profile, "
          + "onboarding or emergency."
      ),
      (
        "demo --frame alerts --size 0x24",
        "--size: “0x24” isn't a size. Write it like 120x40, at most 500x200."
      ),
      (
        "demo --frame alerts --size 99999999999999999999x1",
        "--size: “99999999999999999999x1” isn't a size. Write it like 120x40, at most 500x200."
      ),
      ("demo --size 80x24", "--frame is missing. Write lifesignal demo --frame SCREEN."),
      (
        "demo --frame alerts --theme drak",
        "--theme: “drak” isn't possible here. "
          + "Did you mean “dark”? Write auto, dark, light, high-contrast, mono or ascii."
      ),
    ])
  func wrongValues_areRefused(words: String, message: String) async {
    await world.expect(words, .init(2, error: "lifesignal: \(message)\n"))
  }
}
