import Testing

@testable import CommandLine

/// Hostile values from scripts, the shell history or pasting, in every place where a command takes
/// one.
struct HostileArgumentTests {
  struct Value: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
  }

  static let values = [
    Value(testDescription: "nothing", text: ""),
    Value(testDescription: "spaces", text: " \u{A0}\t "),
    Value(testDescription: "10,000 characters", text: String(repeating: "x", count: 10_000)),
    Value(
      testDescription: "a mountain of marks",
      text: "e" + String(repeating: "\u{301}", count: 2_000)),
    Value(testDescription: "escape sequences", text: HostileInputTests.attack),
    Value(testDescription: "bidi controls", text: "\u{202E}evil\u{202C}\u{2066}x\u{200F}\u{61C}"),
    Value(testDescription: "unseen", text: "\u{200B}\u{FEFF}\u{2060}\u{E0041}"),
    Value(testDescription: "emoji", text: "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇸🇪"),
    Value(testDescription: "lines", text: "a\r\nb\u{2028}c"),
    Value(testDescription: "numbers beyond all bounds", text: "999999999999999999999999d -1h 0x10"),
    Value(testDescription: "another option", text: "--"),
  ]

  /// A command line with a placeholder for the value.
  struct Place: Sendable, CustomTestStringConvertible {
    var words: [String]
    var testDescription: String { words.joined(separator: " ") }
  }

  /// Every argument and every option with a value, of every command. `--record` is left out because
  /// any name is valid and it opens the screen.
  static let places: [Place] = (CommandDeclaration.all + [.app]).flatMap { command in
    let name = command.name.isEmpty ? [] : [command.name]
    let options = command.allOptions.filter {
      $0.takesValue && $0.spelling != "--record"
    }.flatMap { option in
      [Place(words: name + [option.spelling, "…"]), Place(words: name + ["\(option.spelling)=…"])]
    }
    let arguments = command.arguments.indices.map { index in
      Place(
        words: name
          + command.arguments[..<index].map { $0.choices.first?.name ?? "Grace" } + ["…"])
    }
    return options + arguments
  }

  /// Whether a terminal shows the text without interpreting any of it.
  static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .lineSeparator, .paragraphSeparator: false
      // Emoji may contain joiners.
      case .format: scalar == "\u{200D}"
      default: true
      }
    }
  }

  @Test(
    "Every argument takes hostile text or refuses it with a short error, and never echoes it raw",
    arguments: values)
  func everyPlace(_ value: Value) async {
    for place in Self.places {
      let world = World()
      await world.openAccount()
      let outcome = await world.run(
        place.words.map { $0.replacing("…", with: value.text) })
      let all = outcome.output + outcome.errorOutput
      #expect(Self.isHarmless(all), "\(place.testDescription): \(all.debugDescription)")
      #expect(
        outcome.exitCode == 0 || outcome.errorOutput.count > 10, "\(place.testDescription)")
      // The error stays readable, not buried under the typed value.
      #expect(
        outcome.errorOutput.utf8.count < 3_000,
        "\(place.testDescription): \(outcome.errorOutput.utf8.count) bytes")
    }
  }

  @Test("The tested arguments number more than 60, such as init --name and status --as")
  func table() {
    let names = Set(Self.places.map(\.testDescription))
    #expect(
      names.isSuperset(of: [
        "init --name …", "init --interval=…", "ack …", "alert …", "alert --message …", "ping …",
        "pause …", "--theme …", "status --as …", "keychain set …",
      ]), "\(names.sorted())")
    #expect(names.count > 60)
  }
}

/// Hostile values in `config.json5`.
struct HostileConfigurationTests {
  /// Files with a placeholder for the value of each setting, for a key, and for the whole file.
  static let files = [
    #"{smtp: {host: …, from: "ada@example.org"}}"#,
    #"{smtp: {host: "localhost", from: …}}"#,
    #"{smtp: {host: "localhost", from: "ada@example.org", username: …}}"#,
    #"{smtp: {host: "localhost", from: "ada@example.org", security: …}}"#,
    #"{smtp: {host: "localhost", from: "ada@example.org", port: …}}"#,
    "{sendmail: …}", "{sendmail: {path: …}}", #"{sendmail: {path: "/bin/true", from: …}}"#,
    "{heartbeat: {url: …}}", #"{heartbeat: {url: "https://hc.example", every: …}}"#,
    "{links: {url: …}}", #"{links: {url: "https://a.example", listen: …}}"#, "{…: 1}", "…",
  ]

  @Test(
    "With hostile text in config.json5, doctor and status print no control characters",
    arguments: HostileArgumentTests.values)
  func everySetting(_ value: HostileArgumentTests.Value) async {
    // As a JSON string and verbatim.
    for text in [JSONText.string(value.text).text, value.text] {
      for file in Self.files {
        let world = World()
        await world.openAccount()
        world[\.files][World.configuration] = .success(
          Array(file.replacing("…", with: text).utf8))
        for command in ["doctor", "status"] {
          let outcome = await world.run(command)
          let all = outcome.output + outcome.errorOutput
          #expect(HostileArgumentTests.isHarmless(all), "\(file): \(all.debugDescription)")
          #expect(all.utf8.count < 4_000, "\(file): \(all.utf8.count) bytes")
        }
      }
    }
  }
}
