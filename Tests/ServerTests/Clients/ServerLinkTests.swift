import SharedPlatform
import Testing

@Suite struct ServerLinkTests {
  static let key = String(repeating: "0a", count: 32)

  @Test("A join link contains the server, its key's fingerprint and a code")
  func invitations() throws {
    let link = try ServerLink(
      "lifesignal://join/LS.example.org:8443/Ab-1_#\(Self.key.uppercased())")
    #expect(link.server == JoinedServer(url: "https://ls.example.org:8443", fingerprint: Self.key))
    #expect(link.code == "Ab-1_" && link.server.name == "ls.example.org:8443")
    #expect(try ServerLink("lifesignal://join/h/c").server == JoinedServer(url: "https://h"))
    for host in ["127.0.0.1:8738", "localhost", "[::1]:1"] {
      let server = try ServerLink("lifesignal://join/\(host)/c?http").server
      #expect(server.url == "http://\(host)" && !server.isEncrypted)
    }
  }

  @Test(
    "A join link that is parsed and written again has the same text",
    arguments: [
      "lifesignal://join/ls.example.org:8443/abc#\(key)", "lifesignal://join/h/c",
      "lifesignal://join/127.0.0.1:8738/c?http",
    ])
  func text(_ text: String) throws { #expect(try ServerLink(text).text == text) }

  @Test(
    "A malformed join link is refused with the reason",
    arguments: [
      ("https://h/c", "begins with"), ("lifesignal://add/h/c", "begins with"),
      ("lifesignal://join/h", "cut off"), ("lifesignal://join/h/", "cut off"),
      ("lifesignal://join//c", "no server"), ("lifesignal://join/h/c/d", "cut off"),
      ("lifesignal://join/h/c#0a0a", "64 digits"), ("lifesignal://join/h/c#", "64 digits"),
      ("lifesignal://join/h/c?https", "question mark"),
      ("lifesignal://join/h/c?http", "on this machine"),
      ("lifesignal://join/127.0.0.1.example.org/c?http", "on this machine"),
      ("lifesignal://join/127.x.0.1/c?http", "on this machine"),
      ("lifesignal://join/localhost/c?http#\(key)", "no fingerprint"),
      ("lifesignal://join/h:0/c", "port"), ("lifesignal://join/h:65536/c", "port"),
      ("lifesignal://join/h:+1/c", "port"), ("lifesignal://join/h:/c", "port"),
      ("lifesignal://join/[::1/c", "bracket"), ("lifesignal://join/u@h/c", "letters"),
      ("lifesignal://join/h\u{1B}/c", "letters"), ("lifesignal://join/h/c%20", "letters"),
      ("lifesignal://join/h/" + String(repeating: "c", count: 500), "too long"),
    ])
  func malformed(text: String, reason: String) {
    let error = #expect(throws: ServerLink.Malformed.self) { try ServerLink(text) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "none")")
  }

  @Test("A saved server is read back unchanged; malformed or unsafe saved data is refused")
  func kept() {
    let server = JoinedServer(url: "https://h:1", fingerprint: Self.key)
    #expect(JoinedServer(bytes: server.bytes) == server)
    let plain = JoinedServer(url: "http://127.0.0.1:1")
    #expect(JoinedServer(bytes: plain.bytes) == plain)
    for text in [
      "", "{", "[]", #"{"url": "http://example.org"}"#, #"{"url": "file:///etc/passwd"}"#,
      #"{"url": "https://h/path"}"#, #"{"url": "https://h", "fingerprint": "0a"}"#,
    ] { #expect(JoinedServer(bytes: Array(text.utf8)) == nil, "\(text)") }
  }
}
