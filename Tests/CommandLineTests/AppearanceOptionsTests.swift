import Features
import Testing

@testable import CommandLine
@testable import Terminal

/// How command-line options, the choice in the app and the terminal determine the look.
struct AppearanceOptionsTests {
  private func options(_ words: String...) throws -> AppearanceOptions {
    let request = try ArgumentParser(app: AppCommand.declaration, commands: []).parse(words)
    guard case .run(let command as AppCommand, _, _) = request else {
      throw UsageError(sentence: "no app", advice: "")
    }
    return command.appearance
  }

  private func terminal(ground: UInt8?, isComplete: Bool = true) -> Capabilities {
    var terminal = Capabilities()
    if let ground { terminal.update(with: .background(red: ground, green: ground, blue: ground)) }
    if isComplete { terminal.update(with: .deviceAttributes([62])) }
    return terminal
  }

  @Test func theThemeThatFollowsTheTerminal_leavesItsGround() throws {
    for ground in [0, 255, nil] as [UInt8?] {
      let theme = try options().theme(chosen: .auto, on: terminal(ground: ground))
      #expect(theme.paintsCanvas == (ground == nil), "What is not known is painted.")
      #expect(theme.canvas.background == (ground == 255 ? Theme.light : .dark).canvas.background)
    }
  }

  @Test func aChosenThemeOnTheOtherGround_paintsItsOwn() throws {
    for (name, ground, paints) in [
      ("dark", 255, true), ("dark", 0, false), ("light", 0, true), ("light", 255, false),
      ("high-contrast", 255, true), ("high-contrast", nil, true), ("mono", 255, false),
    ] as [(String, UInt8?, Bool)] {
      let terminal = terminal(ground: ground)
      let asked = try options("--theme", name)
      #expect(
        asked.theme(chosen: .auto, on: terminal).paintsCanvas == paints)
      let chosen = try #require(ThemeName(rawValue: name))
      #expect(
        try options().theme(chosen: chosen, on: terminal).paintsCanvas == paints)
    }
  }

  @Test func beforeTheTerminalHasAnswered_nothingIsPainted() throws {
    let theme = try options("--theme", "dark").theme(
      chosen: .auto, on: terminal(ground: nil, isComplete: false))
    #expect(!theme.paintsCanvas)
  }

  @Test func motionIsReducedWhenAsked() throws {
    #expect(try options("--reduced-motion").reducesMotion)
    #expect(try !options().reducesMotion)
  }
}
