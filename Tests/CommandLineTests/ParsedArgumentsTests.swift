import Testing

@testable import CommandLine

@Suite struct ParsedArgumentsTests {
  @Test func noWordsMeanTheApp() throws {
    #expect(try ParsedArguments([]) == ParsedArguments(command: ""))
  }

  @Test func optionsAreWrittenInTwoWays() throws {
    let spaced = try ParsedArguments(["init", "--name", "Ada", "--interval", "36h"])
    let joined = try ParsedArguments(["init", "--name=Ada", "--interval=36h"])
    #expect(spaced == joined)
    #expect(spaced.value("interval") == "36h")
  }

  @Test func aValueMayBeEmptyOrHoldAnEqualsSign() throws {
    let arguments = try ParsedArguments(["init", "--name=", "--note=a=b"])
    #expect(arguments.value("name") == "")
    #expect(arguments.value("note") == "a=b")
  }

  @Test func aValueMayBeginWithADash() throws {
    #expect(try ParsedArguments(["init", "--name", "-x"]).value("name") == "-x")
  }

  @Test func repeatableOptionsKeepTheirOrder() throws {
    let arguments = try ParsedArguments(
      ["init", "--name", "Ada", "--responder", "B <b@b>", "--responder", "A <a@a>"])
    #expect(arguments.values("responder") == ["B <b@b>", "A <a@a>"])
  }

  @Test func helpNeedsNothingElseToBeRight() throws {
    #expect(try ParsedArguments(["init", "--help"]).has("help"))
    #expect(try ParsedArguments(["alert", "-h"]).has("help"))
  }

  @Test(
    "What cannot be understood is said, with the nearest word where there is one",
    arguments: [
      (["chek-in"], "There is no command “chek-in”. Do you mean “check-in”?", ""),
      (["dance"], "There is no command “dance”.", ""),
      (["status", "--jsno"], "There is no option “--jsno”. Do you mean “--json”?", "status"),
      (["status", "-j"], "There is no option “-j”.", "status"),
      (["status", "--json=1"], "--json takes no value.", "status"),
      (["status", "extra"], "“extra” does not belong here.", "status"),
      (["init"], "--name is missing: your name, 2 to 50 characters.", "init"),
      (["init", "--name"], "--name needs a value: --name NAME.", "init"),
      (["init", "--name", "A", "--name", "B"], "--name is given twice.", "init"),
      (["alert"], "on|off is missing: raise it, or cancel it.", "alert"),
      (["alert", "maybe"], "“maybe” must be on or off.", "alert"),
      (
        ["--theme", "pink"],
        "--theme cannot be “pink”: choose auto, dark, light, high-contrast, mono.", ""
      ),
      (["--", "--name"], "“--name” does not belong here.", ""),
    ])
  func refused(words: [String], message: String, command: String) {
    #expect(throws: UsageError(message: message, command: command)) {
      try ParsedArguments(words)
    }
  }

  @Test func whatIsQuotedBackIsShort() {
    let long = String(repeating: "x", count: 10_000)
    #expect(
      throws: UsageError(message: "There is no command “\(String(repeating: "x", count: 40))…”.")
    ) {
      try ParsedArguments([long])
    }
  }

  @Test("Every declared option can be read back", arguments: Specifications.commands.map(\.name))
  func everyOption(name: String) throws {
    let specification = try #require(Specifications.command(named: name))
    var words = [name]
    for argument in specification.arguments where !argument.isOptional {
      words.append(argument.choices?.first ?? "smtp-password")
    }
    for option in specification.options {
      words.append("--\(option.name)")
      if option.value != nil { words.append(option.choices?.first ?? "x") }
    }
    let arguments = try ParsedArguments(words)
    #expect(specification.options.allSatisfy { arguments.has($0.name) })
  }
}
