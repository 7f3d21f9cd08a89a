import Clients
import Domain
import FoundationEssentials

/// A mail as it goes to the server, and its envelope (RFC 5322, RFC 5321).
struct MailMessage: Equatable {
  /// The envelope's sender; empty so that nobody is notified if delivery fails.
  var sender: String
  /// The envelope's recipient.
  var recipient: String
  /// The header and body, with CRLF line ends.
  var bytes: [UInt8]

  /// Creates the mail for a delivery. One about a silent alert leaves as little as possible in the
  /// person's own mailbox: replies go to the recipient, and failure notices to nobody (DUR-1).
  /// - Returns: `nil` if an address can't be used in an envelope.
  init?(
    _ delivery: ClaimedDelivery, from sender: String, links: LinkSettings? = nil, now: Date,
    calendar: CivilCalendar
  ) {
    guard let recipient = try? ProfileRules.email(delivery.address),
      let sender = try? ProfileRules.email(sender)
    else { return nil }
    let text = MessageText(delivery: delivery, links: links, calendar: calendar)
    let filled = text.subjectAndBody
    var header = [
      ("Date", Self.date(now)),
      ("From", Self.mailbox("\(delivery.user.profile.name) via LifeSignal", sender)),
      ("To", Self.mailbox(delivery.recipientName, recipient)),
      ("Message-ID", "<\(delivery.messageID.text)>"),
    ]
    if delivery.isSilent {
      header.append(("Reply-To", Self.mailbox(delivery.recipientName, recipient)))
    }
    if let parent = delivery.inReplyTo {
      header.append(("In-Reply-To", "<\(parent.text)>"))
      header.append(("References", "<\(parent.text)>"))
    }
    header.append(("Subject", EncodedWord.text(filled.subject)))
    header.append(("Auto-Submitted", "auto-generated"))
    if text.isUrgent {
      header.append(("Importance", "high"))
      header.append(("X-Priority", "1"))
    }
    header.append(("MIME-Version", "1.0"))
    // Quoted-printable never writes `=_`, so the boundary can't appear in a part.
    let boundary = "=_\(delivery.id.uuidString.lowercased())"
    header.append(("Content-Type", "multipart/alternative;\r\n boundary=\"\(boundary)\""))
    let isOwn = sender.lowercased() == delivery.user.profile.email?.lowercased()
    self.sender = delivery.isSilent && isOwn && delivery.attempt == 1 ? "" : sender
    self.recipient = recipient
    let html = MailHTML(text, filled).text
    bytes =
      Array((header.map { "\($0): \($1)\r\n" }.joined() + "\r\n").utf8)
      + Self.part("text/plain", filled.body, after: boundary)
      + Self.part("text/html", html, after: boundary) + Array("--\(boundary)--\r\n".utf8)
  }

  private static func part(_ type: String, _ text: String, after boundary: String) -> [UInt8] {
    let header = """
      --\(boundary)
      Content-Type: \(type); charset=UTF-8
      Content-Transfer-Encoding: quoted-printable


      """
    return Array(header.replacing("\n", with: "\r\n").utf8) + QuotedPrintable.encode(text)
  }

  private static func mailbox(_ name: String, _ address: String) -> String {
    guard !name.isEmpty else { return address }
    let phrase = EncodedWord.phrase(name)
    // A line with an encoded word can have at most 76 characters.
    return phrase + (phrase.hasPrefix("=?") ? "\r\n " : " ") + "<\(address)>"
  }

  /// Formats a date as in RFC 5322 §3.3, in UTC.
  private static func date(_ date: Date) -> String {
    let time = CivilCalendar.utc.time(of: date)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let second = time.second < 10 ? "0\(time.second)" : "\(time.second)"
    return
      "\(time.weekdayName), \(time.day) \(months[time.month - 1]) \(time.year) \(time.clock):\(second) +0000"
  }
}
