import FoundationEssentials
import Testing

@testable import CommandLine

@Suite struct HelpTests {
  @Test func program() {
    #expect(
      HelpText.program == """
        A personal-safety check-in system in the terminal.

        Usage: lifesignal [OPTION]…
               lifesignal COMMAND [OPTION]…

        Without a command the app opens. You promise to check in once per interval; when
        a deadline passes, or when you raise an alert, the people you named are told by
        e-mail.

        LifeSignal is no substitute for emergency services.

        Commands:
          init      Open an account without the app
          check-in  Check in now
          status    Say how much time is left
          alert     Raise an alert, or cancel it
          contacts  List your contacts
          monitor   Watch deadlines and send messages
          keychain  Keep or delete a secret
          demo      Try the app with sample people; nothing is stored
          help      Show help for a command

        Options:
          --theme THEME    the colours; by default those that suit the terminal (auto,
                           dark, light, high-contrast, mono)
          --color DEPTH    how many colours; auto unless given (auto, never, 16, 256,
                           true)
          --ascii          draw with ASCII characters only
          --no-mouse       leave the mouse to the terminal
          --no-alt-screen  draw on the normal screen
          --set-aside      keep a damaged store under another name and begin anew
          --help           show this help
          --version        show the version

        “lifesignal help COMMAND” says more about a command.

        """)
  }

  @Test func alert() throws {
    #expect(
      HelpText.command(try #require(Specifications.command(named: "alert"))) == """
        Raise an alert, or cancel it.

        Usage: lifesignal alert on|off [--message TEXT]

        Arguments:
          on|off  raise it, or cancel it

        Options:
          --message TEXT  with “on”: what has happened, where you are
          --help          show this help
          --version       show the version

        """)
  }

  @Test("Every help text keeps to 80 columns", arguments: Specifications.commands.map(\.name))
  func width(name: String) throws {
    let text = HelpText.command(try #require(Specifications.command(named: name)))
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(text.contains("Usage: lifesignal \(name)"))
  }

  @Test("The manual page in docs is made from the declarations of today")
  func manualPage() throws {
    let path = #filePath.replacing(
      "Tests/CommandLineTests/HelpTests.swift", with: "docs/lifesignal.1")
    let kept = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(kept == ManualPage.text, "Run “make man”.")
  }
}
