import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// Calls for help name the place; how to get in is kept to those who need it now.
struct AddressTests {
  private static let address = "12 Mill Lane\nLeeds"
  private static let access = "Key under the blue pot"
  private static let calls: [Stage] = [
    .alertOn, .alertOnAgain(2), .nonResponsive, .nonResponsiveAgain(2),
  ]

  private func text(
    _ stage: Stage, kind: Alert.Kind = .manual, code: String? = nil, links: Bool = false,
    resolvedAt: Date? = nil
  ) -> MessageText {
    MessageText(
      delivery: .ada(
        stage, kind: kind, resolvedAt: resolvedAt, code: code, livesAt: Self.address,
        access: Self.access),
      links: links ? LinkSettings(url: "https://ls.example.org") : nil, calendar: .utc)
  }

  @Test("ESC-7: a call for help says where to go in its first lines", arguments: calls)
  func place(stage: Stage) {
    let short = text(stage).short
    #expect(short.action.hasSuffix("go there or send someone: 12 Mill Lane, Leeds."), "\(short)")
    // Without an address, the sentence ends.
    let without = MessageText(delivery: .ada(stage), calendar: .utc).short
    #expect(without.action.hasSuffix("go there or send someone."), "\(without)")
  }

  @Test(
    "PAGE-1: a call for help contains how to get in, unless a linked page shows the instructions",
    arguments: calls)
  func access(stage: Stage) {
    let code = "7K3QF-9ZD2M"
    #expect(text(stage).short.text.contains("How to get in:\n  \(Self.access)"))
    #expect(text(stage, code: code).short.text.contains(Self.access))
    #expect(!text(stage, code: code, links: true).subjectAndBody.body.contains(Self.access))
    guard case .manual? = text(stage).delivery.alert?.kind else { return }
    #expect(!text(stage, kind: .drill).subjectAndBody.body.contains(Self.access))
  }

  @Test(
    "PAGE-1: messages other than calls for help don't say how to get in", arguments: Stage.samples)
  func nowhereElse(stage: Stage) {
    let isCall = stage.isCall
    let body = text(stage, resolvedAt: isCall ? nil : start).subjectAndBody.body
    #expect(body.contains(Self.access) == isCall, "\(stage)")
    #expect(WebhookEvent(text(stage)).data.person.access == (isCall ? Self.access : nil))
  }

  @Test("CHK-3: a silent alert contains the address and how to get in, for the emergency services")
  func silent() {
    let body = text(.alertOn, kind: .duress).subjectAndBody.body
    #expect(body.contains("Address: 12 Mill Lane, Leeds"))
    #expect(body.contains("How to get in:\n  \(Self.access)"))
  }

  @Test("ALT-6: a drill contains the address but not how to get in")
  func drill() {
    let event = WebhookEvent(text(.alertOn, kind: .drill))
    #expect(event.data.person.address == Self.address && event.data.person.access == nil)
    #expect(event.data.text.contains("Address: 12 Mill Lane, Leeds"))
  }
}
