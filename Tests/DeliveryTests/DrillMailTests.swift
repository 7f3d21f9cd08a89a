import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// ALT-6: a drill's messages say first of all that it is a drill.
@Suite struct DrillMailTests {
  func mail(_ stage: Stage, note: String = "") throws -> ParsedMail {
    var delivery = ClaimedDelivery.ada(stage, note: note, resolvedAt: start + .hours(2))
    delivery.alert?.kind = .drill
    let message = try #require(
      MailMessage(
        delivery, from: "monitor@example.org", now: start + .hours(2),
        calendar: .fixed(secondsFromGMT: 3_600)))
    return try ParsedMail(message.bytes)
  }

  @Test(
    "ALT-6: the mails that start and end a drill say DRILL in subject and first line",
    arguments: [Stage.alertOn, .alertOff])
  func marked(_ stage: Stage) throws {
    let mail = try mail(stage)
    #expect(mail.headers["Subject"]?.hasPrefix("DRILL") == true)
    let firstLine = mail.body.prefix { $0 != "\n" }
    #expect(firstLine.contains("DRILL"))
    #expect(mail.headers["Importance"] == nil, "nobody is to be alarmed")
    #expect(!mail.body.contains("{"))
  }

  @Test("ALT-6: a drill's mail says that the recipient doesn't need to do anything")
  func words() throws {
    let mail = try mail(.alertOn, note: "Key at No. 5.")
    #expect(
      mail.body.hasPrefix(
        "THIS IS A DRILL, to test that messages can be sent. You don't need to do anything.\n\nHello Bob,"
      ))
    #expect(mail.body.contains("Key at No. 5."))
    #expect(!mail.body.contains("112"))
  }

  @Test("A real alert's mail doesn't mention a drill")
  func real() throws {
    let message = try #require(
      MailMessage(
        .ada(.alertOn), from: "monitor@example.org", now: start, calendar: .utc))
    let mail = try ParsedMail(message.bytes)
    #expect(!mail.body.contains("DRILL"))
    #expect(mail.headers["Subject"] == "ALERT: Ada needs help")
  }
}
