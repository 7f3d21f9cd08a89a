import Testing

@testable import Domain

@Suite("CHN-1 Addresses of channels")
struct ChannelTests {
  @Test(
    "A webhook's address starts with https, or with http on this machine",
    arguments: [
      ("https://example.org/hook", "https://example.org/hook"),
      (" HTTPS://Example.ORG/Hook?key=A%20b ", "https://example.org/Hook?key=A%20b"),
      ("https://example.org", "https://example.org"),
      ("https://192.0.2.7:8443/x", "https://192.0.2.7:8443/x"),
      ("https://[2001:db8::1]/x", "https://[2001:db8::1]/x"),
      ("http://localhost:9000/x", "http://localhost:9000/x"),
      ("http://127.0.0.1/x", "http://127.0.0.1/x"),
    ])
  func webhooks(text: String, address: String) throws {
    #expect(try Channel.Kind.webhook.checkedAddress(text) == address)
  }

  @Test(
    "A webhook address that is unencrypted, has a user name or isn't a valid URL is refused",
    arguments: [
      "", "example.org/hook", "ftp://example.org/", "http://example.org/hook",
      "https://user:secret@example.org/", "https://example.org/#part", "https:///hook",
      "https://exa mple.org/", "https://example.org/\u{1B}[31m", "https://-a.org/",
      "https://example.org:0/", "https://example.org:99999/", "https://exämple.org/",
      "https://example.org:80:80/", "https://[::1", "javascript:alert(1)",
      "https://localhost.example.org\\@evil.example/", "http://localhost.example.org/",
      "https://" + String(repeating: "a", count: 2_000) + ".org/",
    ])
  func refusesWebhooks(text: String) {
    #expect(throws: ValidationError.webAddress) { try Channel.Kind.webhook.checkedAddress(text) }
  }

  @Test(
    "The name of an ntfy topic becomes a URL on ntfy.sh; the URL of another server is kept",
    arguments: [
      ("7Qm2xK4v", "https://ntfy.sh/7Qm2xK4v"),
      ("https://ntfy.example.org/ada_1", "https://ntfy.example.org/ada_1"),
      ("http://localhost:8080/ada-1", "http://localhost:8080/ada-1"),
    ])
  func topics(text: String, address: String) throws {
    #expect(try Channel.Kind.ntfy.checkedAddress(text) == address)
  }

  @Test(
    "A text that isn't a topic's name or URL is refused as an ntfy topic",
    arguments: [
      "", "two words", "ümlaut", "https://ntfy.sh/", "https://ntfy.sh/a.b", "ntfy.sh/topic",
      String(repeating: "a", count: 65),
    ])
  func refusesTopics(text: String) {
    #expect(throws: ValidationError.topic) { try Channel.Kind.ntfy.checkedAddress(text) }
  }

  @Test("Every desktop channel has the same address") func desktop() throws {
    #expect(try Channel.Kind.desktop.checkedAddress("anything") == Channel.desktopAddress)
  }
}
