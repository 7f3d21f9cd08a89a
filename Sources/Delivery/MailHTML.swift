import Domain

/// The HTML version of a message, made from the plain text so that both say the same.
///
/// Uses only inline styles, and colours that are readable on light and dark backgrounds. Loads
/// nothing from anywhere.
struct MailHTML {
  private let message: MessageText
  private let filled: MessageTemplate.Filled

  init(_ message: MessageText, _ filled: MessageTemplate.Filled) {
    self.message = message
    self.filled = filled
  }

  var text: String {
    let parts = filled.body.parts(between: "\n-- \n")
    var blocks = parts[0].parts(between: "\n\n").map(\.trimmingNewlines)
      .filter { !$0.isEmpty }
    let action = blocks.isEmpty ? "" : blocks.removeFirst()
    let bar = message.isUrgent ? "border-left:4px solid #c33;padding-left:12px;" : ""
    var lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta name=\"color-scheme\" content=\"light dark\">",
      "<meta name=\"supported-color-schemes\" content=\"light dark\">",
      "<title>\(filled.subject.escapedForHTML)</title>", "</head>",
      "<body style=\"\(Self.body)\">",
      "<p style=\"font-size:20px;font-weight:bold;\(bar)\">\(html(action))</p>",
    ]
    lines += blocks.map(paragraph)
    for note in parts.dropFirst() {
      lines.append("<p style=\"\(Self.note)\">\(html(note.trimmingNewlines))</p>")
    }
    return (lines + ["</body>", "</html>", ""]).joined(separator: "\n")
  }

  /// Formats a block. Indented lines quote someone's own words. The line with the link becomes a
  /// button, and the lines after it form their own paragraph.
  private func paragraph(_ block: String) -> String {
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let link = message.link, let index = lines.firstIndex(where: { $0.contains(link) }) else {
      return paragraph(lines)
    }
    let button = """
      <p><a href="\(link.escapedForHTML)" style="\(Self.button)">\(message.linkLabel.escapedForHTML)</a></p>
      """
    return paragraph(Array(lines[..<index])) + button + paragraph(Array(lines[(index + 1)...]))
  }

  private func paragraph(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    var text = ""
    var isQuoted = false
    for line in lines {
      let quotes = line.hasPrefix("  ")
      if quotes != isQuoted {
        text += quotes ? "<div style=\"\(Self.quote)\">" : "</div>"
      } else if !text.isEmpty {
        text += "<br>\n"
      }
      isQuoted = quotes
      text += html(quotes ? String(line.dropFirst(2)) : line)
    }
    return "<div style=\"margin:16px 0\">\(text)\(isQuoted ? "</div>" : "")</div>"
  }

  /// Makes the phone number a link that calls it.
  private func html(_ text: String) -> String {
    let html = text.escapedForHTML.replacing("\n", with: "<br>\n")
    guard let phone = message.phoneToCall else { return html }
    let shown = PhoneNumber.grouped(phone).escapedForHTML
    return html.replacing(
      shown,
      with: "<a href=\"tel:\(phone.escapedForHTML)\" style=\"font-weight:bold\">\(shown)</a>")
  }

  private static let body =
    "font-family:sans-serif;font-size:16px;line-height:1.4;max-width:600px;margin:16px auto;"
    + "padding:0 16px"
  private static let quote = "border-left:3px solid #888;padding-left:12px;margin:4px 0"
  private static let button =
    "display:block;padding:14px 20px;border:2px solid #888;border-radius:8px;font-size:18px;"
    + "text-align:center;text-decoration:none;font-weight:bold"
  private static let note = "font-size:13px;border-top:1px solid #888;padding-top:8px"
}
