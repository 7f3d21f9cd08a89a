import Domain
import Foundation
import Testing

@testable import Clients

/// CHN-4: services declared in files.
@Suite struct ServiceCatalogTests {
  static func service(_ text: String) throws(ConfigurationError) -> Service {
    try Service(id: "pigeon", json5: Array(text.utf8))
  }

  static let pigeon = """
    {
      title: "Pigeon", setup: "Feed it.",
      fields: [{name: "loft", title: "Loft"}, {name: "ring", title: "Ring", secret: true}],
      request: {url: "https://pigeon.example.org/{loft}", json: {text: "{text}"}},
    }
    """

  @Test("CHN-4: every built-in service file is valid and uses each of its fields")
  func builtIn() throws {
    #expect(ServiceCatalog().services.count == 12)
    for (id, bytes) in ServiceCatalog.files {
      let service = try Service(id: id, json5: bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      for field in service.fields where field.id != "label" {
        #expect(text.contains("{\(field.id)}"), "\(id): \(field.id)")
      }
      #expect(service.declaresAcceptance && service.acceptanceWarning == nil, "\(id)")
      #expect(!service.setup.isEmpty && service.setup.hasSuffix("."))
      #expect(service.fields.contains { $0.isSecret } || id == "signal")
    }
  }

  @Test("CHN-4: a user's service file replaces the built-in one of the same name")
  func own() throws {
    let own = try Service(
      id: "slack", json5: Array(Self.pigeon.utf8))
    let catalog = ServiceCatalog([own])
    #expect(catalog.services.count == 12 && catalog["slack"]?.title == "Pigeon")
    #expect(catalog.service(of: "slack:x")?.title == "Pigeon")
    #expect(catalog.service(of: "nobody:x") == nil)
  }

  @Test("CHN-4: an inconsistent service file is refused with the file and the reason")
  func faults() {
    for (old, new, reason) in [
      ("{loft}\"", "{lof}\"", "{lof} is neither a field nor a value"),
      (
        "https://pigeon.example.org", "http://pigeon.example.org",
        "url must begin with https:// and a host"
      ),
      ("https://pigeon.example.org/{loft}", "{loft}/x", "url must begin with https:// and a host"),
      ("https://pigeon.example.org/", "https://", "url must begin with https:// and a host"),
      (#"json: {text: "{text}"}"#, "method: \"GET\", json: {}", "method must be POST or PUT"),
      (#", json: {text: "{text}"}"#, "", "it needs exactly one of json and form"),
      ("name: \"ring\"", "name: \"loft\"", "a field's name is used twice"),
      ("name: \"ring\"", "name: \"text\"", "a field's name is used twice, reserved"),
      ("{name: \"loft\", title: \"Loft\"}, ", "", "it needs a field that isn't secret"),
      (#"json: {text: "{text}"}"#, "json: {a: Infinity}", "a number is infinite"),
      (
        #"json: {text"#, #"headers: {X: "{title}"}, json: {text"#,
        "a header can't contain the message"
      ),
      ("title: \"Pigeon\"", "title: 7", "title has the wrong type"),
      ("setup:", "setp:", "setup is missing"),
    ] {
      let text = Self.pigeon.replacing(old, with: new)
      #expect(text != Self.pigeon, "\(old)")
      do throws(ConfigurationError) {
        _ = try Self.service(text)
        Issue.record("\(new) passes")
      } catch {
        #expect(error.reason.hasPrefix(reason), "\(error.reason)")
        #expect(error.file == "pigeon.json5")
      }
    }
    #expect(
      throws: ConfigurationError(file: "pigeon.json5", line: 1, reason: "] does not belong here")
    ) {
      try Self.service("{]")
    }
  }

  @Test("CHN-4: a channel's address holds the public fields, and its secret the secret fields")
  func values() throws {
    let twilio = try #require(ServiceCatalog()["twilio"])
    let values = ["account": "A&C=1", "from": "+1555", "to": "+49 1", "token": "t\"0"]
    let address = twilio.address(values)
    #expect(address == "twilio:account=A%26C%3D1&from=%2B1555&to=%2B49%201")
    #expect(try Channel.Kind.service.checkedAddress(address) == address)
    let secret = try #require(twilio.secret(values))
    #expect(!address.contains("t\"0") && secret.value.contains("token"))
    #expect(twilio.values(address: address, secret: secret) == values)
    #expect(twilio.values(address: address, secret: nil)?["token"] == nil)
    #expect(twilio.values(address: "telegram:1", secret: nil) == nil)
    #expect(twilio.values(address: "twilio:other=1", secret: nil) == nil)
    let telegram = try #require(ServiceCatalog()["telegram"])
    #expect(telegram.address(["chat": "-100"]) == "telegram:-100")
    #expect(telegram.values(address: "telegram:-100", secret: nil) == ["chat": "-100"])
    // A stored secret can't replace a field that is not secret.
    #expect(
      telegram.values(address: "telegram:1", secret: Secret(#"{"chat":"2","token":"t"}"#))
        == ["chat": "1", "token": "t"])
  }

  @Test("CHN-4: a service's field refuses values that can't be valid")
  func fields() throws {
    let slack = try #require(ServiceCatalog()["slack"]?.fields.last)
    #expect(
      try slack.checked(" https://hooks.slack.com/services/T/B/x ")
        == "https://hooks.slack.com/services/T/B/x")
    for text in [
      "https://hooks.slack.com.evil.org/x", "https://evilslack.com/x", "https://evil.org/slack.com",
      "http://hooks.slack.com/x", "hooks.slack.com", "",
    ] { #expect(throws: ValidationError.self, "\(text)") { try slack.checked(text) } }
    let phone = try #require(ServiceCatalog()["signal"]?.fields.last)
    #expect(try phone.checked("+49 151 8765432") == "+491518765432")
    #expect(throws: ValidationError.serviceField("Recipient's number")) { try phone.checked(" ") }
    let chat = try #require(ServiceCatalog()["telegram"]?.fields.first)
    for text in ["", "a\nb", String(repeating: "x", count: 501)] {
      #expect(throws: ValidationError.serviceField("Chat")) { try chat.checked(text) }
    }
  }

  @Test("CHN-4: a service address consists of a service's name, a colon and a place")
  func addresses() throws {
    for text in ["telegram:1", "my-own2:a=b"] {
      #expect(try Channel.Kind.service.checkedAddress(text) == text)
    }
    for text in [
      "telegram", "telegram:", ":1", "Telegram:1", "ftp://x", "t:1", "tele gram:1", "telegram:a b",
      "x/y:1",
    ] {
      #expect(throws: ValidationError.serviceField("service"), "\(text)") {
        try Channel.Kind.service.checkedAddress(text)
      }
    }
  }
}
