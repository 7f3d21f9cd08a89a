import Clients
import Domain
import FoundationEssentials

extension MailMessage {
  /// Writes a message that says that it is only a test.
  /// - Returns: `nil` when an address cannot stand in an envelope.
  init?(testTo address: String, id: MessageID, from sender: String, now: Date) {
    guard let recipient = try? ProfileRules.email(address),
      let sender = try? ProfileRules.email(sender)
    else { return nil }
    let text = MailTemplate(utf8: PackageResources.test_txt).filled(with: [:])
    let header = [
      ("Date", Self.date(now)), ("From", Self.mailbox("LifeSignal", sender)),
      ("To", Self.mailbox("", recipient)), ("Message-ID", "<\(id.text)>"),
      ("Subject", EncodedWord.text(text.subject)), ("Auto-Submitted", "auto-generated"),
      ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=UTF-8"),
      ("Content-Transfer-Encoding", "quoted-printable"),
    ]
    self.sender = sender
    self.recipient = recipient
    let lines = header.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    bytes = Array(lines.utf8) + QuotedPrintable.encode(text.body)
  }
}
