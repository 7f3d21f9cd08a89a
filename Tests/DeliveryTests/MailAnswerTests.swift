import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// The instructions for answering a message, and its HTML.
@Suite struct MailAnswerTests {
  static let links = LinkSettings(url: "https://ls.example.org")

  func mail(_ delivery: ClaimedDelivery, links: LinkSettings? = nil) throws -> ParsedMail {
    let message = MailMessage(
      delivery, from: "monitor@example.org", links: links, now: start, calendar: .utc)
    return try ParsedMail(try #require(message).bytes)
  }

  @Test(
    "ESC-2: every call for help contains its code and link to respond with",
    arguments: [Stage.nonResponsive, .nonResponsiveAgain(2), .alertOn, .alertOnAgain(3)])
  func calls(stage: Stage) throws {
    let kinds: [Alert.Kind] = stage.isMissed ? [.missed] : [.manual, .duress, .drill]
    for kind in kinds {
      let delivery = ClaimedDelivery.ada(stage, kind: kind, code: "7K3QF9ZD2M")
      let both = try mail(delivery, links: Self.links)
      for text in [both.body, both.html ?? ""] {
        #expect(text.contains("https://ls.example.org/a/7K3QF9ZD2M"), "\(kind)")
        #expect(text.contains("lifesignal ack 7K3QF9ZD2M"), "\(kind)")
      }
      let codeOnly = try mail(delivery)
      #expect(codeOnly.body.contains("lifesignal ack 7K3QF9ZD2M"))
      #expect(!codeOnly.body.contains("https://"))
      var without = delivery
      without.code = nil
      let neither = try mail(without, links: Self.links)
      #expect(!neither.body.contains("lifesignal ack"))
      #expect(!neither.body.contains("ls.example.org"))
    }
  }

  @Test(
    "ESC-2: members read that they can respond in their own app, except for drills and duress",
    arguments: [Stage.nonResponsive, .nonResponsiveAgain(2), .alertOn, .alertOnAgain(3)])
  func members(stage: Stage) throws {
    let line = "You can also say so in your own LifeSignal: open Ada under Dependents and press a."
    for kind in stage.isMissed ? [Alert.Kind.missed] : [.manual, .duress] {
      for links in [nil, Self.links] {
        var delivery = ClaimedDelivery.ada(stage, kind: kind, code: "7K3QF9ZD2M")
        #expect(try !mail(delivery, links: links).body.contains("your own LifeSignal"))
        delivery.isAnsweredInApp = true
        let mail = try mail(delivery, links: links)
        // A responder's app may be on the computer of the person under duress.
        let isSaid = kind != .duress
        #expect(mail.body.contains(line + "\n") == isSaid, "\(kind)")
        #expect(mail.html?.contains(line) == isSaid, "\(kind)")
      }
    }
    var drill = ClaimedDelivery.ada(.alertOn, kind: .drill, code: "7K3QF9ZD2M")
    drill.isAnsweredInApp = true
    #expect(try !mail(drill).body.contains("your own LifeSignal"))
  }

  @Test("CON-3: the message to a new contact says how to decline")
  func decline() throws {
    let all = try mail(.ada(.contactAdded, code: "7K3QF9ZD2M"), links: Self.links).body
    #expect(all.contains("press the button: https://ls.example.org/d/7K3QF9ZD2M"))
    #expect(all.contains("This code takes you off their list: 7K3QF9ZD2M"))
    let none = try mail(.ada(.contactAdded)).body
    #expect(none.contains("If you don't want this, tell Ada.\n"))
    #expect(!none.contains("code"))
  }

  @Test("Every message is complete in plain text and in HTML", arguments: Stage.samples)
  func rendered(stage: Stage) throws {
    for code in [nil, "7K3QF9ZD2M"] {
      let mail = try mail(
        .ada(stage, note: "Key", detail: "Grace", resolvedAt: start, code: code), links: Self.links)
      let html = try #require(mail.html)
      for text in [mail.headers["Subject"] ?? "", mail.body, html.replacing(/<style.*/, with: "")] {
        #expect(!text.isEmpty)
        #expect(!text.contains("{?") && !text.contains("{!"))
      }
      #expect(!mail.body.contains("{"))
      let isToAda =
        switch stage {
        case .passwordReset, .pauseEnds, .passwordWasReset, .addressCode, .addressReplaced,
          .addressTakenBack, .requestWaits, .serverRestored:
          true
        default: false
        }
      #expect(mail.body.contains("Ada") || isToAda)
      let firstLine = mail.body.prefix { $0 != "\n" }
      #expect(html.replacing(/<\/?a[^>]*>/, with: "").contains(String(firstLine).escapedForHTML))
    }
  }

  @Test("ALT-6: a drill says DRILL first in HTML, in its repeats and at its end as well")
  func drill() throws {
    for stage in [Stage.alertOn, .alertOnAgain(2), .alertOff] {
      let mail = try mail(.ada(stage, kind: .drill, resolvedAt: start))
      #expect(mail.headers["Subject"]?.hasPrefix("DRILL") == true)
      #expect(mail.html?.contains("<title>DRILL") == true)
      #expect(mail.html?.contains(#"font-weight:bold;">THIS "#) == true)
    }
  }

  @Test("HTML mail loads nothing, runs no script and escapes all text")
  func hostile() throws {
    let evil = #"<img src="https://x.invalid/a.png" onerror='alert(1)'>&amp;<script>"#
    let mail = try mail(
      .ada(.alertOn, name: evil, note: evil, message: evil, code: "AB\"><b"), links: Self.links)
    let html = try #require(mail.html)
    for tag in ["<img", "<script", "<b", "<link", "<iframe"] {
      #expect(
        !html.replacing("<br>", with: "").replacing("<body", with: "").contains(tag), "\(tag)")
    }
    #expect(html.contains("&lt;img src=&quot;https://x.invalid/a.png&quot;"))
    #expect(html.contains("&amp;amp;"))
    #expect(html.contains(#"href="https://ls.example.org/a/AB&quot;&gt;&lt;b""#))
  }

  @Test(
    "ESC-7: HTML mail has the phone link first, then the button, the code and the small print")
  func order() throws {
    let html = try #require(
      try mail(.ada(.alertOn, code: "7K3QF9ZD2M"), links: Self.links).html)
    let parts = [
      #"<a href="tel:+4930123456""#, #">Open the page to respond</a>"#, "Code: 7K3QF9ZD2M",
      "LifeSignal sent this message automatically",
    ]
    let places = try parts.map { try #require(html.firstRange(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
    #expect(!html.contains("open this page"), "the button is the action itself")
    // A phone call would give a silent alert away (CHK-3).
    let silent = try #require(
      try mail(.ada(.alertOn, kind: .duress, code: "7K3QF9ZD2M"), links: Self.links).html)
    #expect(!silent.contains("tel:") && silent.contains("+49 3012 3456"))
    let decline = try #require(
      try mail(.ada(.contactAdded, code: "7K3QF9ZD2M"), links: Self.links).html)
    #expect(decline.contains(">Open the page to get off the list</a>"))
  }

  @Test("HTML mail quotes indented text and sets no background, so that it works on light and dark")
  func look() throws {
    let html = try #require(try mail(.ada(.alertOn, note: "Key\nat No. 5.")).html)
    #expect(html.contains(#"padding-left:12px;margin:4px 0">Key<br>"#))
    #expect(html.contains(#"<meta name="color-scheme" content="light dark">"#))
    #expect(!html.contains("background") && !html.contains("color:#") && !html.contains("color: #"))
    let calm = try #require(try mail(.ada(.allClear, resolvedAt: start)).html)
    #expect(html.contains("border-left:4px solid #c33"))
    #expect(!calm.contains("#c33"))
  }
}

extension Stage {
  fileprivate var isMissed: Bool {
    switch self {
    case .nonResponsive, .nonResponsiveAgain: true
    default: false
    }
  }
}
