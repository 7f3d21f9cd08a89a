import Clients
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

/// CHK-8: the page behind a reminder's link, with real requests.
@Suite(.timeLimit(.minutes(2)))
struct CheckInPagesTests {
  private let link = "/c/CHECK1N234"

  private func server(_ codes: Codes, isEncrypted: Bool = true) throws -> WebServer {
    try WebServer(host: "127.0.0.1", port: 0, isEncrypted: isEncrypted, pages: codes.pages)
  }

  private func checkIns(_ codes: Codes) -> [String] {
    codes.asked.withLock { $0 }.filter { $0.hasPrefix("check in") }
  }

  @Test("CHK-8: opening the page doesn't check in; its button does, and reloading is harmless")
  func presses() throws {
    let codes = Codes()
    let server = try server(codes)
    for request in ["GET \(link)", "HEAD \(link)", "GET /c/check-1n234?utm=1"] {
      #expect(try page(request, server).status == 200)
    }
    let before = try page("GET \(link)", server).body
    #expect(before.contains("<h1>Are you OK, &lt;b&gt;Ada?</h1>"))
    #expect(before.contains(#"<button class="calm">I&#39;m OK</button>"#))
    #expect(!before.contains("passphrase"))
    #expect(checkIns(codes) == [])
    let pressed = try page("POST \(link)", server)
    #expect(pressed.status == 303 && pressed.header.contains("\r\nLocation: CHECK1N234"))
    let after = try page("GET \(link)", server).body
    #expect(after.contains("<h1>You are checked in</h1>") && !after.contains("<form"))
    #expect(checkIns(codes) == ["check in with nothing"])
  }

  @Test("CHK-8: a check-in code works only under /c/, where a responder's code doesn't work")
  func otherPages() throws {
    let codes = Codes()
    let server = try server(codes)
    for path in ["/c/7K3QF9ZD2M", "/a/CHECK1N234", "/d/CHECK1N234"] {
      #expect(try page("POST \(path)", server).status == 404)
    }
    #expect(codes.asked.withLock { $0 }.allSatisfy { $0.hasPrefix("look") })
  }

  @Test("CHK-8: with a gate the page asks for the passphrase, which can have any letters")
  func passphrase() throws {
    let codes = Codes()
    codes.link.withLock { $0.state = .needsPassphrase }
    let server = try server(codes)
    let field = #"<input type="password" name="passphrase""#
    #expect(try page("GET \(link)", server).body.contains(field))
    let wrong = try page("POST \(link)", server, body: "passphrase=red+kettle")
    #expect(wrong.status == 403 && wrong.body.contains("The passphrase is wrong."))
    #expect(wrong.body.contains(field), "it can be typed again at once")
    let locked = try page("POST \(link)", server, body: "passphrase=locked").body
    #expect(locked.contains("Too many wrong passphrases.") && locked.contains("12:11"))
    for body in ["", "passphrase=", "passphrase=%ff", "passphrase=%2", "x=blue"] {
      #expect(try page("POST \(link)", server, body: body).status == 403, "\(body)")
    }
    let right = try page("POST \(link)", server, body: "a=b&passphrase=blue+%26+caf%C3%A9")
    #expect(right.status == 303)
    #expect(try page("GET \(link)", server).body.contains("You are checked in"))
    #expect(checkIns(codes).last == "check in with blue & café")
  }

  @Test("CHK-8: without encryption the page doesn't ask for the passphrase or accept it")
  func unencrypted() throws {
    let codes = Codes()
    codes.link.withLock { $0.state = .needsPassphrase }
    let server = try server(codes, isEncrypted: false)
    for (method, header) in [("GET", ""), ("POST", ""), ("POST", "X-Forwarded-Proto: https\r\n")] {
      let page = try page(
        "\(method) \(link)", server, body: "passphrase=blue+%26+caf%C3%A9", header: header)
      #expect(page.status == 403 && page.body.contains("This page isn&#39;t encrypted"))
      #expect(!page.body.contains("<form"))
    }
    #expect(checkIns(codes) == [])
    // Without a gate, the request contains no secret.
    codes.link.withLock { $0.state = .ready }
    #expect(try page("POST \(link)", server).status == 303)
  }

  @Test("CHK-8: behind a trusted proxy, X-Forwarded-Proto decides if a request counts as encrypted")
  func proxied() throws {
    let codes = Codes()
    codes.link.withLock { $0.state = .needsPassphrase }
    let server = try WebServer(
      host: "127.0.0.1", port: 0, proxy: "127.0.0.1", isEncrypted: true, pages: codes.pages)
    func status(_ header: String) throws -> Int {
      try page("GET \(link)", server, header: header).status
    }
    #expect(try status("") == 200)
    #expect(try status("X-Forwarded-Proto: https\r\n") == 200)
    #expect(try status("X-Forwarded-Proto: http\r\n") == 403)
    #expect(try status("X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\n") == 403)
  }

  @Test("CHK-8: a link that no longer ends an alert says so before and after the button is pressed")
  func endsNothing() throws {
    let codes = Codes()
    codes.link.withLock {
      ($0.state, $0.missed) = (.endsNothing(since: start), LinkCheckIn.Missed(sentAt: start))
    }
    let server = try server(codes)
    let before = try page("GET \(link)", server).body
    #expect(
      before.contains("Your responders were notified") && before.contains("lifesignal check-in"))
    #expect(try page("POST \(link)", server).status == 303)
    let after = try page("GET \(link)", server).body
    #expect(after.contains("You pressed “I&#39;m OK” on") && !after.contains("<form"))
    #expect(after.contains("Your responders were notified"))
    #expect(!after.contains("You are checked in"))
  }

  @Test("NOT-3: the page says that responders were notified only if a message was sent")
  func nothingSent() throws {
    let codes = Codes()
    for state in [
      LinkCheckIn.State.endsNothing(since: start), .needsPassphrase, .passedOn(start),
      .usedUp(start),
    ] {
      codes.link.withLock { ($0.state, $0.missed) = (state, LinkCheckIn.Missed()) }
      let page = try page("GET \(link)", server(codes)).body
      #expect(page.contains("<h1>You missed your check-in</h1>"), "\(state)")
      #expect(page.contains("No message to your responders has been sent yet."), "\(state)")
      #expect(!page.contains("responders were notified"), "\(state)")
    }
  }

  @Test("CHK-8: a used link after a missed check-in says that it no longer works, and not in green")
  func usedUp() throws {
    let codes = Codes()
    codes.link.withLock {
      ($0.state, $0.missed) = (.usedUp(start), LinkCheckIn.Missed(sentAt: start))
    }
    let body = try page("GET \(link)", server(codes)).body
    #expect(body.contains("Your responders were notified"))
    #expect(body.contains("This link no longer works."))
    #expect(!body.contains("<form") && !body.contains("You are checked in"))
    #expect(!body.contains(#"class="calm"#))
  }

  @Test(
    "CHK-8: with a gate, pressing the button without a passphrase is recorded, not a check-in",
    arguments: [true, false])
  func passedOnAtGate(isEncrypted: Bool) throws {
    let codes = Codes()
    codes.link.withLock {
      ($0.state, $0.missed) = (.needsPassphrase, LinkCheckIn.Missed(sentAt: start))
    }
    let server = try server(codes, isEncrypted: isEncrypted)
    let before = try page("GET \(link)", server).body
    #expect(before.contains(#"name="passphrase""#) == isEncrypted)
    #expect(before.contains("<form") && !before.contains("required>"))
    #expect(try page("POST \(link)", server, body: "passphrase=").status == 303)
    #expect(checkIns(codes) == ["check in with nothing"])
    let after = try page("GET \(link)", server).body
    #expect(after.contains("You pressed “I&#39;m OK” on"))
    #expect(after.contains("required>") == isEncrypted, "now only the passphrase does anything")
    #expect(after.contains("<form") == isEncrypted)
    #expect(!after.contains("You are checked in"))
    guard !isEncrypted else { return }
    // A passphrase sent unencrypted is ignored.
    #expect(try page("POST \(link)", server, body: "passphrase=blue").status == 303)
    #expect(checkIns(codes).allSatisfy { $0 == "check in with nothing" })
  }

  @Test("CHK-8: after two check-ins by link, the page says so and has no button")
  func limit() throws {
    let codes = Codes()
    codes.link.withLock { $0.state = .limitReached }
    let page = try page("GET \(link)", server(codes)).body
    #expect(page.contains("Your last check-ins were by a link") && !page.contains("<form"))
  }

  @Test("CHK-6: the check-in page says before and after the check-in that an alert is on")
  func alertOn() throws {
    let codes = Codes()
    codes.link.withLock { $0.isAlertOn = true }
    let server = try server(codes)
    #expect(try page("GET \(link)", server).body.contains("Your alert is on"))
    codes.link.withLock { $0.state = .checkedIn(start) }
    let page = try page("GET \(link)", server).body
    #expect(page.contains("You are checked in") && page.contains("Alert is on"))
    #expect(!page.contains(#"class="calm"#))
  }

  @Test("CHK-8: after 10 wrong codes the check-in page answers 429; a valid code still works")
  func wrongCodes() throws {
    let server = try server(Codes())
    let statuses = try (0..<12).map { try page("POST /c/ZZ00\(10 + $0)", server).status }
    #expect(statuses == Array(repeating: 404, count: 10) + [429, 429])
    #expect(try page("GET \(link)", server).status == 200)
  }
}
