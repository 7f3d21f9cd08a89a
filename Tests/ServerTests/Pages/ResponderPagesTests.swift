import Clients
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

/// ESC-2, CON-3, PAGE-1: the pages behind the links in messages, with real requests.
@Suite(.timeLimit(.minutes(2)))
struct ResponderPagesTests {
  @Test(
    "ESC-2, PAGE-1: opening a link does nothing; pressing its button acknowledges the alert once")
  func acknowledge() throws {
    let codes = Codes()
    let server = try server(codes)
    for request in ["GET /a/7K3QF9ZD2M", "HEAD /a/7K3QF9ZD2M", "GET /a/7k3qf-9zd2m?utm=1"] {
      #expect(try page(request, server).status == 200)
    }
    #expect(codes.asked.withLock { $0 } == Array(repeating: "look 7K3QF9ZD2M", count: 3))
    let pressed = try page("POST /a/7K3QF9ZD2M", server)
    #expect(pressed.status == 303)
    #expect(pressed.header.contains("\r\nLocation: 7K3QF9ZD2M"))
    // Reloading shows the page again. Going back and pressing the button again does no harm.
    #expect(try page("GET /a/7K3QF9ZD2M", server).body.contains("You are responding to"))
    #expect(try page("POST /a/7K3QF9ZD2M", server).status == 303)
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("press") } == 1)
  }

  @Test("PAGE-1: the page shows name, phone, message, times, note and who is responding")
  func call() throws {
    let codes = Codes()
    let server = try server(codes)
    let before = try page("GET /a/7K3QF9ZD2M", server).body
    for part in [
      "<h1>&lt;b&gt;Ada needs help</h1>", #"href="tel:+442071838750">Call +44 20 7183 8750</a>"#,
      "<blockquote>fell on the &lt;stairs&gt;</blockquote>",
      "<dt>Since</dt><dd>Wed 2026-11-18 12:01 (11:01 UTC)</dd>",
      "<dt>Last check-in</dt><dd>Wed 2026-11-18 09:06 (08:06 UTC)</dd>",
      "<dt>Responding</dt><dd>Nobody yet</dd>", "<blockquote>Key with Tom</blockquote>",
      #"<form method="post"><button class="calm">I&#39;m responding</button></form>"#,
    ] { #expect(before.contains(part), "\(part) in\n\(before)") }
    _ = try page("POST /a/7K3QF9ZD2M", server)
    let after = try page("GET /a/7K3QF9ZD2M", server).body
    #expect(after.contains("Grace, since Wed 2026-11-18 12:06 (11:06 UTC)"))
    #expect(after.contains("<li>Call &lt;b&gt;Ada.</li>") && after.contains("999 or 112"))
    #expect(!after.contains(">I&#39;m responding"))
  }

  @Test("PAGE-1: while the alert is on, the page says where to go and how to get in")
  func place() throws {
    let codes = Codes()
    codes.call.withLock {
      $0.address = "12 Mill <Lane>\nLeeds"
      $0.access = "Key under the blue pot"
    }
    let server = try server(codes)
    let before = try page("GET /a/7K3QF9ZD2M", server).body
    #expect(before.contains("go there or send someone: 12 Mill &lt;Lane&gt;, Leeds."))
    #expect(
      before.contains("<h2>How to get in</h2><blockquote>Key under the blue pot</blockquote>"))
    _ = try page("POST /a/7K3QF9ZD2M", server)
    let after = try page("GET /a/7K3QF9ZD2M", server).body
    #expect(after.contains("<li>If they don&#39;t answer, go there or send someone: 12 Mill"))
    #expect(try !page("GET /a/ENDED12345", server).body.contains("blue pot"))
  }

  @Test("PAGE-1: before the button is pressed, the page names who is already responding")
  func others() throws {
    let codes = Codes()
    codes.call.withLock {
      $0.alert.acknowledgements = [
        Acknowledgement(responder: UUID(), name: "Alan", date: start - .minutes(2))
      ]
    }
    let page = try page("GET /a/7K3QF9ZD2M", server(codes)).body
    #expect(page.contains("<dd>Alan, since Wed 2026-11-18 12:04 (11:04 UTC)</dd>"))
    #expect(page.contains("I&#39;m responding, too"))
  }

  @Test("PAGE-1: a response can be withdrawn once and given again; a decline can't be withdrawn")
  func withdraw() throws {
    let codes = Codes()
    let server = try server(codes)
    let button = #"name="answer" value="withdraw">I can&#39;t help after all</button>"#
    #expect(try !page("GET /a/7K3QF9ZD2M", server).body.contains(button))
    // Without a response, there is nothing to withdraw, and nobody is notified.
    #expect(try page("POST /a/7K3QF9ZD2M", server, body: "answer=withdraw").status == 303)
    #expect(codes.asked.withLock { $0 }.allSatisfy { $0.hasPrefix("look") })
    _ = try page("POST /a/7K3QF9ZD2M", server)
    #expect(try page("GET /a/7K3QF9ZD2M", server).body.contains(button))
    for _ in 0..<2 {
      let taken = try page("POST /a/7K3QF9ZD2M", server, body: "answer=withdraw")
      #expect(taken.status == 303 && taken.header.contains("\r\nLocation: 7K3QF9ZD2M"))
    }
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("withdraw") } == 1)
    #expect(try page("GET /a/7K3QF9ZD2M", server).body.contains(">I&#39;m responding</button>"))
    _ = try page("POST /a/DECL1NE123", server)
    _ = try page("POST /a/DECL1NE123", server, body: "answer=withdraw")
    #expect(codes.asked.withLock { $0 }.last == "look DECL1NE123", "a no stays a no")
  }

  @Test(
    "ALT-6, CHK-3: each kind of alert has its own page; that of a silent alert says not to call",
    arguments: Alert.Kind.allCases)
  func kinds(_ kind: Alert.Kind) throws {
    let codes = Codes()
    codes.call.withLock { $0.alert.kind = kind }
    let page = try page("GET /a/7K3QF9ZD2M", server(codes)).body
    let title =
      switch kind {
      case .manual: "Ada needs help"
      case .missed: "Ada has not checked in"
      case .outing: "Ada isn&#39;t back"
      case .duress: "Ada may be forced to say that all is well"
      case .drill: "Ada is rehearsing an alert"
      }
    #expect(page.contains("\(title)</h1>"))
    // Nobody should call a person who may be overheard.
    #expect(page.contains("tel:") == (kind != .duress))
    #expect(page.contains("Don&#39;t call") == (kind == .duress))
    #expect(page.contains("This is only a test") == (kind == .drill))
  }

  @Test("PAGE-1: the page of an alert that is over shows no name and no button")
  func over() throws {
    let server = try server(Codes())
    for method in ["GET", "POST"] {
      let page = try page("\(method) /a/ENDED12345", server)
      #expect(page.status == 200 && page.body.contains("<h1>This alert or drill is over</h1>"))
      #expect(!page.body.contains("Ada") && !page.body.contains("<form"))
    }
  }

  @Test("CON-3: a contact declines on the page under /d/, and the page under /a/ then says so")
  func decline() throws {
    let server = try server(Codes())
    #expect(try page("GET /d/DECL1NE123", server).body.contains("Take me off the list"))
    #expect(try page("POST /d/DECL1NE123", server).status == 303)
    #expect(try page("GET /a/DECL1NE123", server).body.contains("You are off Ada&#39;s list"))
  }

  @Test("Unknown codes and impossible paths get the same 404 page")
  func calm() throws {
    let codes = Codes()
    let server = try server(codes)
    let pages = try [
      "GET /a/UNKNOWN123", "POST /a/UNKNOWN123", "GET /d/UNKNOWN123", "POST /d/UNKNOWN123",
      "GET /c/7K3QF9ZD2M", "POST /c/7K3QF9ZD2M",
    ].map { try page($0, server) }
    let elsewhere = try [
      "GET /", "GET /a/", "GET /a/../../etc/passwd", "GET /a/..%2f..%2fetc%2fpasswd",
      "GET /a/" + String(repeating: "A", count: 100), "GET /favicon.ico",
      "POST /a/7K3QF9ZD2M/x", "GET /c/", "GET /a/b/7K3QF9ZD2M",
      "GET /a/" + String(repeating: ".", count: 600), "GET /e/7K3QF9ZD2M", "GET /a/%3Cscript%3E",
    ].map { try page($0, server) }
    for page in pages + elsewhere {
      #expect(page.status == 404)
      #expect(page.body == pages[0].body)
    }
    #expect(codes.asked.withLock { $0 }.count == 4, "paths that are no codes are not looked up")
  }

  @Test(
    "ESC-2: a link still leads to its page if mail programs add or change characters in it",
    arguments: [
      "/a/7K3QF9ZD2M/", "/a/7K3QF9ZD2M.", "/a/7K3QF9ZD2M)", "/a/7K3QF9ZD2M%3E", "/a/7K3QF9ZD2M%22",
      "/a/7K3QF9ZD2M%20", "/a/7K3QF9ZD2M,%20press", "/a/7K3QF9ZD2M?fbclid=x&utm_source=y",
      "/a/7K3QF9ZD2M&utm_source=y", "/a/7K3QF9ZD2M;jsessionid=1", "//a/7K3QF9ZD2M",
      "/a//7K3QF9ZD2M", "/A/7k3qf-9zd2m", "/a/7K3QF%E2%80%939ZD2M", "/a/7K3QF9ZD2M%C2%A0",
      "/a/7K3QF9ZD2M%E2%80%9D", "/a/7K3QF9ZD2M/).",
    ])
  func endings(path: String) throws {
    let codes = Codes()
    let server = try server(codes)
    #expect(try page("GET \(path)", server).status == 200)
    #expect(codes.asked.withLock { $0 } == ["look 7K3QF9ZD2M"])
    // The button's answer leads back to the page, wherever the browser thinks that it is.
    let pressed = try page("POST \(path)", server)
    let isBelow = path.hasPrefix("/a/7K3QF9ZD2M/")
    #expect(pressed.status == 303)
    #expect(pressed.header.contains("\r\nLocation: \(isBelow ? "../" : "")7K3QF9ZD2M\r\n"))
  }

  @Test(
    "CON-3, CHK-8: links to decline and to check in also work with characters added at the end",
    arguments: ["/d/DECL1NE123", "/c/CHECK1N234"], ["/", ".", ")", "%22", "%20", "/."])
  func otherEndings(path: String, ending: String) throws {
    #expect(try page("GET \(path)\(ending)", server(Codes())).status == 200)
    #expect(try page("GET /\(path)\(ending)", server(Codes())).status == 200)
  }

  @Test("Every page forbids caching, framing, scripts, indexing and referrers, and sets no cookie")
  func headers() throws {
    let server = try server(Codes())
    for request in ["GET /a/7K3QF9ZD2M", "GET /a/UNKNOWN123", "DELETE /a/7K3QF9ZD2M"] {
      let header = try page(request, server).header.lowercased()
      for field in [
        "content-security-policy: default-src 'none';", "referrer-policy: no-referrer",
        "x-content-type-options: nosniff", "x-robots-tag: noindex", "cache-control: no-store",
        "x-frame-options: deny", "content-type: text/html; charset=utf-8",
      ] { #expect(header.contains(field), "\(request): \(field)") }
      #expect(!header.contains("set-cookie"))
    }
  }
}
