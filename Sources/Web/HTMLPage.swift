import Domain

/// A page as plain HTML that loads nothing and runs nothing, and reads well on a phone in light and dark.
struct HTMLPage {
  /// The meaning of the colour of a page or a button.
  enum Meaning: String {
    case alarm, calm, quiet
  }

  var title: String
  /// The state above the title, in a word or two.
  var state: (text: String, meaning: Meaning)?
  private var blocks: [String] = []

  init(_ title: String, state: (text: String, meaning: Meaning)? = nil) {
    self.title = title
    self.state = state
  }

  // MARK: Parts

  mutating func paragraph(_ text: String) { blocks.append("<p>\(Self.lines(text))</p>") }

  /// Adds the sentence that matters most.
  mutating func lead(_ text: String) { blocks.append("<p class=\"lead\">\(Self.lines(text))</p>") }

  /// Adds a quotation of a person's words.
  mutating func quote(_ text: String, of title: String) {
    blocks.append(
      "<section><h2>\(title.escapedForHTML)</h2><blockquote>\(Self.lines(text))</blockquote></section>"
    )
  }

  mutating func facts(_ facts: [(name: String, value: String)]) {
    guard !facts.isEmpty else { return }
    let rows = facts.map {
      "<dt>\($0.name.escapedForHTML)</dt><dd>\($0.value.escapedForHTML)</dd>"
    }
    blocks.append("<dl>\(rows.joined())</dl>")
  }

  mutating func steps(_ steps: [String]) {
    blocks.append("<ol>\(steps.map { "<li>\(Self.lines($0))</li>" }.joined())</ol>")
  }

  /// Adds a link that opens the phone's keypad with a number.
  mutating func phone(_ label: String, _ number: String) {
    let digits = number.filter { $0.isASCII && ($0.isNumber || $0 == "+") }
    blocks.append("<p><a class=\"button\" href=\"tel:\(digits)\">\(label.escapedForHTML)</a></p>")
  }

  /// Adds a button.
  /// - Parameters:
  ///   - field: A constant name and value that the form sends along.
  ///   - input: A password field that the person types into.
  mutating func button(
    _ label: String, _ meaning: Meaning, field: (name: String, value: String)? = nil,
    typing input: (name: String, label: String)? = nil, mustType: Bool = true
  ) {
    let typed = input.map {
      "<label>\($0.label.escapedForHTML)<input type=\"password\" name=\"\($0.name)\""
        + " autocomplete=\"current-password\"\(mustType ? " required" : "")></label>"
    }
    let said = field.map { " name=\"\($0.name)\" value=\"\($0.value)\"" }
    blocks.append(
      "<form method=\"post\">\(typed ?? "")<button class=\"\(meaning)\"\(said ?? "")>"
        + "\(label.escapedForHTML)</button></form>")
  }

  /// Adds what went wrong.
  mutating func complaint(_ text: String) {
    blocks.append("<p class=\"complaint\" role=\"alert\">\(Self.lines(text))</p>")
  }

  mutating func small(_ text: String) {
    blocks.append("<p class=\"small\">\(Self.lines(text))</p>")
  }

  private static func lines(_ text: String) -> String {
    text.outgoing.escapedForHTML.replacing("\n", with: "<br>")
  }

  // MARK: HTML

  var html: String {
    let head = state.map {
      "<p class=\"state \($0.meaning)\">\($0.text.escapedForHTML)</p>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title.escapedForHTML)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      \(head ?? "")<h1>\(title.escapedForHTML)</h1>
      \(blocks.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  /// The style. Texts have a contrast of at least 4.5 to their background.
  private static let style = """
    :root { color-scheme: light dark; --text: #1b1f24; --dim: #57606a; --ground: #fff; --card: #f3f5f7;
      --line: #d0d7de; --alarm: #b42318; --calm: #116f38; --link: #0757b3 }
    @media (prefers-color-scheme: dark) {
      :root { --text: #e8edf2; --dim: #9aa6b2; --ground: #0e1116; --card: #191f27; --line: #36404b;
        --alarm: #c93a2c; --calm: #1d7f45; --link: #7cb8ff } }
    body { margin: 0; background: var(--ground); color: var(--text);
      font: 18px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
    main { max-width: 32em; margin: 0 auto; padding: 20px 18px 40px }
    .state { display: inline-block; margin: 0; padding: 2px 10px; border-radius: 6px; color: #fff;
      background: var(--dim); font-size: 15px; font-weight: 600 }
    .state.alarm { background: var(--alarm) } .state.calm { background: var(--calm) }
    .state.quiet { color: var(--text); background: var(--card) }
    h1 { font-size: 28px; line-height: 1.15; margin: 10px 0 }
    h2 { font-size: 15px; font-weight: 600; color: var(--dim); margin: 0 0 2px }
    .lead { font-weight: 600 }
    section, dl { margin: 14px 0 }
    blockquote { margin: 0; padding: 8px 12px; border-left: 4px solid var(--alarm); background: var(--card) }
    dl { padding: 10px 12px; border-radius: 8px; background: var(--card) }
    dt { font-size: 15px; color: var(--dim) } dd { margin: 0 0 8px } dd:last-child { margin: 0 }
    ol { padding-left: 1.3em } li { margin: 6px 0 }
    button, .button { box-sizing: border-box; display: block; width: 100%; padding: 15px; border: 2px solid;
      border-radius: 10px; font: 600 20px system-ui, sans-serif; text-align: center; text-decoration: none }
    button { color: #fff; background: var(--calm); border-color: var(--calm) }
    button.quiet { color: var(--text); background: var(--card); border-color: var(--line) }
    .button { color: var(--link); border-color: var(--link) }
    button:focus-visible, .button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
    form { margin: 18px 0 }
    label { display: block; font-size: 15px; color: var(--dim); margin: 0 0 12px }
    input { box-sizing: border-box; display: block; width: 100%; margin: 4px 0 0; padding: 13px;
      border: 2px solid var(--line); border-radius: 10px; font: 20px system-ui, sans-serif;
      color: var(--text); background: var(--ground) }
    .complaint { padding: 8px 12px; border-left: 4px solid var(--alarm); background: var(--card); font-weight: 600 }
    .small { font-size: 15px; color: var(--dim) }
    """
}
