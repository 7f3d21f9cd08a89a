import Domain

/// The same message for programs that show HTML: made of the plain text, so that both say the same.
///
/// Inline styles only and no colours but a grey that is readable on light and dark; nothing is
/// loaded from anywhere.
struct MailHTML {
  let filled: MessageTemplate.Filled
  /// Shown as a button as well, or `nil`.
  let link: String?
  let isUrgent: Bool

  var text: String {
    let parts = filled.body.parts(between: "\n-- \n")
    var blocks = parts[0].parts(between: "\n\n").map(\.trimmingNewlines)
      .filter { !$0.isEmpty }
    let action = blocks.isEmpty ? "" : blocks.removeFirst()
    let bar = isUrgent ? "border-left:4px solid #c33;padding-left:12px;" : ""
    var lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta name=\"color-scheme\" content=\"light dark\">",
      "<meta name=\"supported-color-schemes\" content=\"light dark\">",
      "<title>\(filled.subject.escapedForHTML)</title>", "</head>",
      "<body style=\"\(Self.body)\">",
      "<p style=\"font-size:20px;font-weight:bold;\(bar)\">\(html(action))</p>",
    ]
    lines += blocks.map(paragraph)
    if let link {
      lines.append(
        "<p><a href=\"\(link.escapedForHTML)\" style=\"\(Self.button)\">Open the page</a></p>")
    }
    for note in parts.dropFirst() {
      lines.append("<p style=\"\(Self.note)\">\(html(note.trimmingNewlines))</p>")
    }
    return (lines + ["</body>", "</html>", ""]).joined(separator: "\n")
  }

  /// What is indented is somebody's own words.
  private func paragraph(_ block: String) -> String {
    var text = ""
    var isQuoted = false
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      let quotes = line.hasPrefix("  ")
      if quotes != isQuoted {
        text += quotes ? "<div style=\"\(Self.quote)\">" : "</div>"
      } else if !text.isEmpty {
        text += "<br>\n"
      }
      isQuoted = quotes
      text += html(quotes ? String(line.dropFirst(2)) : String(line))
    }
    return "<div style=\"margin:16px 0\">\(text)\(isQuoted ? "</div>" : "")</div>"
  }

  private func html(_ text: String) -> String {
    text.escapedForHTML.replacing("\n", with: "<br>\n")
  }

  private static let body =
    "font-family:sans-serif;font-size:16px;line-height:1.4;max-width:600px;margin:16px auto;"
    + "padding:0 16px"
  private static let quote = "border-left:3px solid #888;padding-left:12px;margin:4px 0"
  private static let button =
    "display:inline-block;padding:10px 20px;border:2px solid #888;border-radius:6px;"
    + "text-decoration:none;font-weight:bold"
  private static let note = "font-size:13px;border-top:1px solid #888;padding-top:8px"
}
