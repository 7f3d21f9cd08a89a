import Clients
import Domain
import Testing

@testable import Delivery

/// CHN-4: what a person wrote is shown as it was written, whatever a service takes for markup.
struct MarkupTests {
  @Test(
    "CHN-4: Markdown characters in a message are escaped, and no others",
    arguments: [
      ("SignUpPolicy code *47*12#.", #"SignUpPolicy code \*47\*12#."#),
      ("Bell: _Lovelace_", #"Bell: \_Lovelace\_"#),
      ("the ~~blue~~ box, `5`", #"the \~\~blue\~\~ box, \`5\`"#),
      ("||secret||", #"\|\|secret\|\|"#),
      ("C:\\keys", #"C:\\keys"#), ("# Heading", "\\# Heading"),
      ("#12 is no heading", "#12 is no heading"),
      ("> quoted", #"\> quoted"#), ("- key", #"\- key"#), ("+ key", #"\+ key"#),
      ("-5 degrees", "-5 degrees"),
      ("---", #"\---"#), ("12. floor", #"12\. floor"#), ("3) ring", #"3\) ring"#),
      ("3.5 km", "3.5 km"),
      ("[key](under the mat)", #"\[key](under the mat)"#), ("[key] (mat)", "[key] (mat)"),
      ("a-b (c) d! e: f", "a-b (c) d! e: f"),
      ("see https://ls.example.org/a_b_c*d now_", "see https://ls.example.org/a_b_c*d now\\_"),
      ("      far right *x*", #"  far right \*x\*"#), ("one\n> two", "one\n\\> two"),
    ])
  func markdown(text: String, expected: String) {
    #expect(Service.Markup.markdown.escaped(text) == expected)
  }

  @Test("CHN-4: in a message to Slack, angle brackets and ampersands are escaped")
  func slack() {
    #expect(Service.Markup.slack.escaped("<!channel> & *x*") == "&lt;!channel&gt; &amp; *x*")
  }

  @Test("CHN-4: an escaped text fits the service's limit and keeps the reply code")
  func limit() throws {
    let service = try #require(ServiceCatalog()["discord"])
    let delivery = ClaimedDelivery.ada(
      .alertOn, note: String(repeating: "*_~", count: 900), code: "7K3QF-9ZD2M")
    let text = ServiceText(MessageText(delivery: delivery, calendar: .utc), for: service)
    let whole = try #require(text.values["text"])
    // No more is cut than has to be.
    #expect(whole.utf8.count <= service.limit && whole.utf8.count > service.limit - 20)
    #expect(whole.contains("7K3QF-9ZD2M") && whole.contains(#"\*\_\~\*"#))
    #expect(!whole.contains(#"\…"#))
  }
}
