import Composable
import Testing

@testable import CommandLine

/// Verbs of a command, each declared in one place.
struct VerbTests {
  /// A command whose verbs print what they were given.
  struct Shelf: PlainCommand, VerbCommand {
    let verb: Verb<Self>
    init(verb: Verb<Self>) { self.verb = verb }

    static let declaration = CommandDeclaration("shelf", "Keep books") { words in
      let book = words.argument("BOOK", "A title", isRequired: false)
      let copies = words.option("copies", "N", "How many (default: 1; with add)")
      let quiet = words.flag("quiet", "Say nothing")
      words.verb("list", "List the books", isDefault: true, book.optional, run: Self.list)
      words.verb(
        "add", "Add a book", book, copies, Flag("gift", "Wrap it"),
        Option("place", "PLACE", "Where (default: here)"), run: Self.add)
      words.verb(
        "burn", "Burn a book", refusing: [quiet], Reading { try $0.required(book).count },
        run: Self.burn)
      return words.chosenVerb
    }

    private func list(_ beginning: String?) async throws -> Report {
      Report(["list \(beginning ?? "all")"])
    }

    private func add(
      _ invocation: Invocation, _ book: String, copies: String?, isGift: Bool, place: String?
    ) async throws -> Report {
      Report(["add \(book) \(copies ?? "1") \(isGift) \(place ?? "-") \(invocation.arguments)"])
    }

    private func burn(_ length: Int) async throws -> Report { Report(["burn \(length)"]) }
  }

  /// A command that needs a verb.
  struct Door: PlainCommand, VerbCommand {
    let verb: Verb<Self>
    init(verb: Verb<Self>) { self.verb = verb }

    static let declaration = CommandDeclaration("door", "Open and close") { words in
      words.verb("open", "Open it", run: Self.open)
      words.verb("close", "Close it", run: Self.open)
      return words.chosenVerb
    }

    private func open() async throws -> Report { Report(["open"]) }
  }

  private let parser = ArgumentParser(
    app: ArgumentParserTests.app, commands: [Shelf.declaration, Door.declaration])

  private func run(_ words: String...) async throws -> [String] {
    guard case .run(let command as any PlainCommand, _, _) = try parser.parse(words) else {
      return []
    }
    return try await command.run(World().invocation(["given"])).lines
  }

  @Test("A verb runs its method with the values that follow it")
  func values() async throws {
    #expect(try await run("shelf", "list", "A") == ["list A"])
    #expect(try await run("shelf", "add", "Emma") == [#"add Emma 1 false - ["given"]"#])
    #expect(
      try await run("shelf", "--gift", "add", "--place=hall", "Emma", "--copies", "3")
        == [#"add Emma 3 true hall ["given"]"#])
    #expect(try await run("shelf", "burn", "Emma") == ["burn 4"])
    #expect(try await run("door", "close") == ["open"])
  }

  @Test("Without a verb, a command does what its default does")
  func withoutVerb() async throws {
    #expect(try await run("shelf") == ["list all"])
  }

  @Test(
    "What isn't a verb, or doesn't go with it, is refused",
    arguments: [
      (
        ["shelf", "bur", "x"],
        "“bur” isn't possible here. Did you mean “burn”? Write list, add or burn."
      ),
      (["door"], "open|close is missing. Write lifesignal door open|close."),
      (["shelf", ""], "“” isn't possible here. Write list, add or burn."),
      (
        ["shelf", "add"],
        "BOOK is missing. Write lifesignal shelf [list|add|burn] [BOOK] [OPTION]…"
      ),
      (["shelf", "burn", "x", "--quiet"], "--quiet does not go with burn. Leave it out."),
      (
        ["shelf", "list", "x", "y"],
        "“y” is one word too many. Write lifesignal shelf [list|add|burn] [BOOK] [OPTION]…; put"
          + " quotation marks around a text with spaces."
      ),
    ])
  func refusals(words: [String], sentences: String) {
    let error = #expect(throws: UsageError.self) { try parser.parse(words) }
    #expect(error.map { "\($0.sentence) \($0.advice)" } == sentences)
  }

  @Test("The help text has each verb, and says which verb an option goes with")
  func help() {
    #expect(
      HelpText(Shelf.declaration).text == """
        Keep books.

        Usage: lifesignal shelf [list|add|burn] [BOOK] [OPTION]…

        Arguments:
          list    List the books (default)
          add     Add a book
          burn    Burn a book
          [BOOK]  A title

        Options:
          --copies N     How many (default: 1; with add)
          --quiet        Say nothing
          --gift         Wrap it (with add)
          --place PLACE  Where (default: here; with add)
          --as EMAIL     Use the account with this address (default: the last one that
                         signed in)
          -h, --help     Show this help
          --version      Show the version
        """)
    for shell in Shell.allCases {
      let script = shell.script(app: ArgumentParserTests.app, commands: [Shelf.declaration])
      for word in ["burn", "gift", "place"] { #expect(script.contains(word), "\(shell) \(word)") }
    }
  }
}
