import Composable
import Testing

@testable import CommandLine

/// Parsing words into options, arguments and commands.
struct ArgumentParserTests {
  /// A test command that keeps its parsed arguments.
  struct Parsed: Subcommand { var arguments: ParsedArguments }

  static let copy = CommandDeclaration("copy", "Copy") { words in
    _ = words.argument("FILE", "What")
    _ = words.option("to", "PLACE", "Where")
    _ = words.option("tag", "TAG", "Which", isRepeatable: true) { $0 }
    _ = words.flag("quiet", letter: "q", "Say nothing")
    return { Parsed(arguments: $0) }
  }
  static let move = CommandDeclaration("move", "Move") { words in
    _ = words.flag("backup", "Keep")
    _ = words.option("theme", "THEME", "Colours")
    return { Parsed(arguments: $0) }
  }
  static let app = CommandDeclaration("", "App") { words in
    _ = words.option("theme", "THEME", "Colours")
    _ = words.flag("ascii", "Plain")
    return { Parsed(arguments: $0) }
  }

  private func parse(_ words: [String]) throws -> ArgumentParser.Request {
    try ArgumentParser(app: Self.app, commands: [Self.copy, Self.move]).parse(words)
  }

  private func arguments(_ words: [String]) throws -> ParsedArguments {
    guard case .run(let command as Parsed, _, _) = try parse(words) else {
      throw UsageError(sentence: "no command", advice: "")
    }
    return command.arguments
  }

  private func error(_ words: [String]) -> String? {
    do {
      _ = try parse(words)
      return nil
    } catch {
      return (error as? UsageError).map { "\($0.sentence) \($0.advice)" } ?? "\(error)"
    }
  }

  @Test func bothFormsOfAValue_areTheSame() throws {
    let separate = try arguments(["copy", "--to", "there", "file"])
    #expect(separate == (try arguments(["copy", "file", "--to=there"])))
    #expect(separate.values == ["to": ["there"]])
    #expect(separate.arguments == ["file"])
  }

  @Test func value_mayBeEmptyOrHoldAnEqualsSignOrADash() throws {
    #expect(try arguments(["copy", "--to="]).values == ["to": [""]])
    #expect(try arguments(["copy", "--to", ""]).values == ["to": [""]])
    #expect(try arguments(["copy", "--to=a=b"]).values == ["to": ["a=b"]])
    #expect(try arguments(["copy", "--to", "-5"]).values == ["to": ["-5"]])
    #expect(try arguments(["copy", "--to=--quiet"]).values == ["to": ["--quiet"]])
  }

  @Test func repeatedOption_keepsTheOrder() throws {
    #expect(
      try arguments(["copy", "--tag", "a", "--tag=b", "--tag", "a"]).values == [
        "tag": ["a", "b", "a"]
      ])
  }

  @Test func wordsAfterTwoDashes_areArguments() throws {
    #expect(try arguments(["copy", "--", "--to"]).arguments == ["--to"])
    #expect(try arguments(["copy", "-"]).arguments == ["-"])
  }

  @Test func request_namesWhereItsCommandIsDeclared() throws {
    guard case .run(_, _, let location) = try parse(["move"]) else {
      Issue.record("no command")
      return
    }
    #expect(location.fileID == "CommandLineTests/ArgumentParserTests.swift")
    #expect(location == Self.move.location && location != Self.copy.location)
  }

  @Test func letters_areFlags() throws {
    #expect(try arguments(["copy", "-q", "--quiet"]).flags == ["quiet"])
  }

  @Test func optionsOfTheApp_mayStandBeforeTheCommandThatTakesThem() throws {
    #expect(try arguments(["--theme", "dark", "--ascii"]).values == ["theme": ["dark"]])
    #expect(
      error(["--ascii", "copy"])
        == "lifesignal copy has no option “--ascii”. Try lifesignal copy --help.")
    let moved = try arguments(["--theme", "dark", "move"])
    #expect(moved.invocation == "lifesignal move")
    #expect(moved.values == ["theme": ["dark"]])
    #expect(try arguments(["--theme", "move"]).invocation == "lifesignal")
  }

  @Test func help_winsOverEveryMistake() throws {
    for words in [
      ["copy", "--help"], ["copy", "--nonsense", "-h"], ["--help", "copy"],
      ["copy", "--to", "--help"], ["copy", "a", "b", "-h"], ["copy", "--version", "--help"],
    ] {
      guard case .help(let command) = try parse(words) else {
        Issue.record("\(words) shows no help.")
        continue
      }
      #expect(command.name == "copy")
    }
  }

  @Test func help_asAValue_isAValue() throws {
    #expect(try arguments(["copy", "--to=--help"]).values == ["to": ["--help"]])
    #expect(try arguments(["copy", "--", "--help"]).arguments == ["--help"])
  }

  @Test(
    arguments: [
      (["cpoy"], "There is no command “cpoy”. Did you mean copy?"),
      (["xyzzy"], "There is no command “xyzzy”. Try lifesignal --help."),
      (["copy", "--tto", "x"], "lifesignal copy has no option “--tto”. Did you mean --to?"),
      (
        ["copy", "--xyzzy=1"],
        "lifesignal copy has no option “--xyzzy”. Try lifesignal copy --help."
      ),
      (["copy", "-x"], "lifesignal copy has no option “-x”. Try lifesignal copy --help."),
      (
        ["--backup"],
        "lifesignal has no option “--backup”. "
          + "It belongs to lifesignal move; write it after the command."
      ),
      (
        ["copy", "--backup"],
        "lifesignal copy has no option “--backup”. Try lifesignal copy --help."
      ),
      (["copy", "--to"], "--to needs a value. Write --to PLACE."),
      (["copy", "--to", "--quiet"], "--to needs a value. Write --to PLACE."),
      (["copy", "--to", "--", "x"], "--to needs a value. Write --to PLACE."),
      (["copy", "--quiet=yes"], "--quiet takes no value. Write --quiet alone."),
      (["copy", "--to", "a", "--to", "b"], "--to was given twice. Give it once."),
      (
        ["copy", "a", "b"],
        "“b” is one word too many. Write lifesignal copy FILE [OPTION]…; "
          + "put quotation marks around a text with spaces."
      ),
    ])
  func mistake_isNamed(words: [String], message: String) {
    #expect(error(words) == message)
  }

  @Test func longWords_areCut() {
    let word = String(repeating: "x", count: 100_000)
    #expect(
      error([word])
        == "There is no command “\(String(repeating: "x", count: 40))…”. Try lifesignal --help.")
    #expect(error(["copy", "--\(word)"])?.count ?? 0 < 200)
  }
}

struct SuggestionTests {
  @Test(
    arguments: [
      ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 1),
      ("status", "statsu", 1), ("flaw", "lawn", 2),
    ])
  func distance_countsEdits(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(Array(left), Array(right)) == distance)
  }

  @Test func nearest_isNearOrNothing() {
    let names = ["init", "check-in", "status", "contacts"]
    #expect(Suggestion.nearest(to: "stats", among: names) == "status")
    #expect(Suggestion.nearest(to: "checkin", among: names) == "check-in")
    #expect(Suggestion.nearest(to: "Status", among: names) == "status")
    #expect(Suggestion.nearest(to: "con", among: names) == "contacts")
    #expect(Suggestion.nearest(to: "banana", among: names) == nil)
    #expect(Suggestion.nearest(to: "x", among: names) == nil)
    #expect(Suggestion.nearest(to: "init", among: []) == nil)
  }
}
