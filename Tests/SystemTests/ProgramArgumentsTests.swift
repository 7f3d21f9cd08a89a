import System
import Testing

struct ProgramArgumentsTests {
  private func parse(
    _ words: String..., command: String? = nil
  ) throws(ProgramArguments.Misuse) -> ProgramArguments {
    try ProgramArguments(
      words, options: ["data": "a folder", "days": "a value"], flags: ["once"], of: command)
  }

  @Test("Options have two spellings; what isn't one is a word, and order doesn't matter")
  func parsing() throws {
    let parsed = try parse("a", "--data", "--once", "--days=1=2", "--once", "-b", "-")
    #expect(parsed.options == ["data": "--once", "days": "1=2"])
    #expect(parsed.flags == ["once"] && parsed.positional == ["a", "-b", "-"])
    #expect(try parse() == parse())
  }

  @Test("Each mistake has its sentence")
  func mistakes() {
    func expect(_ reason: String, _ body: () throws -> ProgramArguments) {
      #expect(throws: ProgramArguments.Misuse(reason: reason)) { try body() }
    }
    expect("“--twice” isn't an option") { try parse("--twice") }
    expect("“--twice” isn't an option of run") { try parse("--twice", command: "run") }
    expect("“--” isn't an option") { try parse("--") }
    expect("“--once=1” isn't an option") { try parse("--once=1") }
    expect("“--?[2J” isn't an option") { try parse("--\u{1B}[2J") }
    expect("“\("--" + String(repeating: "x", count: 38))” isn't an option") {
      try parse("--" + String(repeating: "x", count: 99))
    }
    expect("--data needs a folder") { try parse("--once", "--data") }
    expect("--data needs a folder") { try parse("--data=", "d") }
    expect("--days needs a value") { try parse("--days", "") }
    expect("--data was given twice") { try parse("--data", "d", "--data=e") }
  }
}
