import FoundationEssentials
import Testing

@testable import CommandLine

/// The manual page, which is in the repository so that it can be installed and read.
struct ManualPageTests {
  private static let path = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/lifesignal.1")

  @Test func checkedInPage_isUpToDate() async throws {
    let page = try String(contentsOf: Self.path, encoding: .utf8)
    let outcome = await World().run("help --man")
    #expect(
      page == outcome.output, "Run: .build/debug/lifesignal help --man > docs/lifesignal.1")
  }

  @Test func page_namesEveryCommandAndOption() {
    let page = ManualPage.text
    for command in CommandDeclaration.all + [.app] {
      #expect(
        page.contains("\n.SS \(command.name.replacing("-", with: "\\-"))") || command.name.isEmpty)
      for option in command.options {
        #expect(page.contains(option.spelling.replacing("-", with: "\\-")))
      }
    }
    #expect(!page.contains("\\-\\-man"))
  }
}

/// Rules for all help texts.
struct HelpTextTests {
  @Test(arguments: CommandDeclaration.all + [.app])
  func text_fitsEightyColumnsAndEndsPlain(command: CommandDeclaration) {
    let text = HelpText(command).text
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ")
    }
    #expect(!text.contains("--man"))
  }

  @Test(arguments: CommandDeclaration.all + [.app])
  func declaration_hasUniqueOptionsAndPlainSentences(command: CommandDeclaration) {
    let names = command.allOptions.map(\.name)
    #expect(Set(names).count == names.count)
    for option in command.allOptions { #expect(option.help.last != ".") }
    #expect(command.summary.last != ".")
  }
}
