import struct Composable.SplitMix64
import Terminal
import TerminalTesting
import Testing

@testable import TerminalExtras

@MainActor
struct MarkdownTests {
  private func spans(_ text: String) -> [MarkdownSpan] {
    var parser = MarkdownInlineParser(text)
    return parser.parse()
  }

  @Test(
    arguments: [
      ("plain", [MarkdownSpan(text: "plain")]),
      ("a **b** c", [.init(text: "a "), .init(text: "b", traits: .strong), .init(text: " c")]),
      (
        "_a_ and *b*",
        [
          .init(text: "a", traits: .emphasis), .init(text: " and "),
          .init(text: "b", traits: .emphasis),
        ]
      ),
      (
        "**a *b***",
        [.init(text: "a ", traits: .strong), .init(text: "b", traits: [.strong, .emphasis])]
      ),
      ("~~no~~", [.init(text: "no", traits: .strike)]),
      ("`a*b*`", [.init(text: "a*b*", traits: .code)]),
      ("see _a_", [.init(text: "see "), .init(text: "a", traits: .emphasis)]),
      ("snake_case_name", [.init(text: "snake_case_name")]),
      ("2 * 3 * 4", [.init(text: "2 * 3 * 4")]),
      ("**open", [.init(text: "**open")]),
      (#"\*no\*"#, [.init(text: "*no*")]),
      ("[a](https://b.c)", [.init(text: "a", address: "https://b.c")]),
      ("[a] (b)", [.init(text: "[a] (b)")]),
      (
        "see https://b.c/d.",
        [
          .init(text: "see "), .init(text: "https://b.c/d", address: "https://b.c/d"),
          .init(text: "."),
        ]
      ),
      ("<mailto:a@b.c>", [.init(text: "mailto:a@b.c", address: "mailto:a@b.c")]),
      ("", []),
    ] as [(String, [MarkdownSpan])])
  func spans_areFound(_ text: String, _ expected: [MarkdownSpan]) {
    #expect(spans(text) == expected)
  }

  @Test func blocks_areFound() {
    let blocks = MarkdownParser.blocks(
      of: """
        # Title
        one
        two

        - a
          b
        - c
        12. d
        > q
        > - r
        ---
        ```
        let x = *1*
        ```
        """)
    #expect(
      blocks == [
        .heading(level: 1, [.init(text: "Title")]),
        .paragraph([.init(text: "one two")]),
        .item(marker: "•", depth: 0, [.init(text: "a b")]),
        .item(marker: "•", depth: 0, [.init(text: "c")]),
        .item(marker: "12.", depth: 0, [.init(text: "d")]),
        .quote([
          .paragraph([.init(text: "q")]), .item(marker: "•", depth: 0, [.init(text: "r")]),
        ]),
        .rule,
        .code(["let x = *1*"]),
      ])
  }

  @Test func markdown_isDrawn() {
    expectFrame(
      Markdown(
        """
        # Ada
        Allergic to **penicillin**, see [notes](https://example.org/n).

        - key with the neighbour
        - back door

        > Call first.
        """), size: Size(columns: 36, rows: 11),
      matches: """
        Ada

        Allergic to penicillin, see notes
        (https://example.org/n).

        • key with the neighbour
        • back door

        ▌ Call first.
        """)
  }

  @Test func link_isFollowedWhereTheTerminalHasLinks() throws {
    let host = ViewHost()
    host.features = .hyperlinks
    var terminal = InMemoryTerminal(size: Size(columns: 40, rows: 2))
    terminal.feed(
      host.render(
        Markdown("[notes](https://example.org) [bad](javascript:x)"), size: terminal.size))
    #expect(terminal.line(0) == "notes bad (javascript:x)")
    #expect(terminal[column: 0, row: 0].style.hyperlink == "https://example.org")
    #expect(terminal[column: 6, row: 0].style.hyperlink == nil)
  }

  @Test func anyText_isTakenAndNothingUncleanIsWritten() {
    var random = SplitMix64(seed: 3)
    let pieces = [
      "*", "**", "_", "`", "```", "[", "]", "(", ")", "<", ">", "# ", "- ", "1. ", "\n", " ", "a",
      "https://x", "\\", "~~", "\u{1B}[31m", "\u{202E}", "日", "\r", "\t", "---",
    ]
    let host = ViewHost()
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }.joined()
      let frame = host.frame(Markdown(text), size: Size(columns: 20, rows: 30))
      for cell in frame.cells {
        #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
      }
    }
  }

  /// Unclosed marks take linear time: each kind is searched for only once.
  @Test func manyOpenMarks_areText() {
    let text = String(repeating: "*a _b ~~c `d [e ", count: 4_000)
    #expect(spans(text).map(\.text).joined().count > 50_000)
  }
}
