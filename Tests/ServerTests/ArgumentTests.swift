import Clients
import Cryptography
import Domain
import Foundation
import ServerTesting
import TestSupport
import Testing

@testable import Server

@Suite struct ArgumentTests {
  @Test(
    "A command accepts --option VALUE and --option=VALUE, and refuses options that aren't its own")
  func parsing() throws {
    let all = try #require(
      try ServerArguments(["init", "--data", "d", "--url=https://a.example", "--listen", "[::1]:1"])
    )
    #expect(all.command == .initialize && all.options["url"] == "https://a.example")
    #expect(all.folder(in: "/here") == "/here/d")
    #expect(try ServerArguments([]) == nil)
    #expect(try ServerArguments(["run", "--help"]) == nil)
    for words in [
      ["fly", "--data", "d"], ["run"], ["run", "--data"], ["run", "--data", ""],
      ["run", "--data", "d", "--uses", "1"], ["run", "x", "--data", "d"],
      ["backup", "--data", "d"], ["backup", "f", "--data", "d", "--end-sessions"],
      ["restore", "f", "--data", "d", "--end-sessions=yes"],
      ["users", "a", "b", "c", "--data", "d"],
    ] {
      #expect(throws: ServerArguments.Misuse.self) { try ServerArguments(words) }
    }
    let restore = try #require(
      try ServerArguments(["restore", "--end-sessions", "f", "--data", "d"]))
    #expect(restore.flags == ["end-sessions"] && restore.positional == ["f"])
    let invite = try #require(try ServerArguments(["invite", "--data", "d", "--uses", "many"]))
    #expect(throws: ServerArguments.Misuse.self) { try invite.number("uses", 1, in: 1...9) }
    #expect(try invite.number("days", 7, in: 1...9) == 7)
  }

  @Test(
    "A server's URL must be https or local http, and --listen IP:port; the join link fits the URL")
  func settings() throws {
    func make(_ url: String, _ listen: String) throws -> ServerSettings {
      try ServerSettings(url: url, listen: listen, registration: .invite, databaseFile: nil)
    }
    let settings = try make("https://ls.example.org/", "[::1]:8738")
    #expect(
      settings.host == "::1" && settings.port == 8_738 && settings.url == "https://ls.example.org")
    #expect(
      settings.joinLink(code: "abc", fingerprint: "0f") == "lifesignal://join/ls.example.org/abc#0f"
    )
    let plain = try make("http://127.0.0.1:8738", "127.0.0.1:8738")
    #expect(
      plain.joinLink(code: "abc", fingerprint: nil) == "lifesignal://join/127.0.0.1:8738/abc?http")
    for (url, listen) in [
      ("http://ls.example.org", "127.0.0.1:1"), ("ftp://a.example", "127.0.0.1:1"),
      ("https://a.example", "127.0.0.1"), ("https://a.example", "127.0.0.1:99999"),
      ("https://a.example", "localhost:1"), ("https://a.example", "127.0.0.1.:1"),
      ("https://a.example", ":1"), ("https://a.example", "[::1:1"),
    ] {
      #expect(throws: ServerSettings.Fault.self) { try make(url, listen) }
    }
  }

  @Test("--trusted-proxy takes one IP address in any spelling, and refuses names, lists and ranges")
  func proxy() throws {
    var settings = ServerSettings(url: "https://a.example", host: "0:0:0:0::1", port: 1)
    settings.proxy = "0000::0001"
    #expect(try settings.checked().host == "::1" && settings.checked().proxy == "::1")
    for name in ["localhost", "", "127.0.0.1, 10.0.0.1", "10.0.0.0/8", "::1%lo"] {
      settings.proxy = name
      #expect(throws: ServerSettings.Fault.self) { try settings.checked() }
    }
    // The same applies to a file written by hand.
    let place = try TemporaryFolder()
    let folder = ServerFolder(path: place.path)
    settings.proxy = "localhost"
    try folder.write(settings)
    let fault = #expect(throws: ServerFolder.Fault.self) { try folder.settings() }
    #expect(fault?.reason.contains("--trusted-proxy needs an IP address") == true)
  }

  @Test("The server refuses a server.json that other users can read")
  func openSettings() throws {
    let place = try TemporaryFolder()
    let folder = ServerFolder(path: place.path)
    #expect(throws: ServerFolder.Fault.self) { try folder.settings() }
    try folder.write(ServerSettings(url: "https://a.example", host: "127.0.0.1", port: 1))
    #expect(try folder.settings().url == "https://a.example")
    chmod(place.path + "/server.json", 0o644)
    #expect(throws: ServerFolder.Fault.self) { try folder.settings() }
  }

  @Test(
    "A fingerprint is the SHA-256 of the certificate's key; a cut certificate gets no wrong one")
  func fingerprint() {
    // openssl req -x509 -newkey ed25519; the key's digest by openssl x509 -pubkey, pkey -outform DER, sha256sum.
    #expect(Certificate.fingerprint(pem: Self.certificate) == Self.keyDigest)
    #expect(Certificate.fingerprint(pem: "") == nil)
    #expect(Certificate.fingerprint(pem: Self.certificate.replacing("MI", with: "M")) == nil)
    for length in stride(from: 30, to: Self.certificate.count, by: 7) {
      // A truncated certificate has either no fingerprint or the right one.
      let cut = Certificate.fingerprint(
        pem: Self.certificate.prefix(length) + "\n-----END CERTIFICATE-----")
      #expect(cut == nil || cut == Self.keyDigest)
    }
  }

  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBWTCCAQugAwIBAgIUDFQkJj43DdZnkEMcub4XACNQN18wBQYDK2VwMBQxEjAQ
    BgNVBAMMCWxvY2FsaG9zdDAeFw0yNjExMjUwMjU5MjZaFw0zNjExMjIwMjU5MjZa
    MBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAqMAUGAytlcAMhADWTyu68l58BHRX05ES2
    4Gk6IRKVNjFEwdjuGtNFmorIo28wbTAdBgNVHQ4EFgQUkvGK+J0SmCzg2F8UCxBf
    KSrzTmkwHwYDVR0jBBgwFoAUkvGK+J0SmCzg2F8UCxBfKSrzTmkwDwYDVR0TAQH/
    BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwBQYDK2VwA0EAyyca
    ZRt2R0kl4HguurLf69C0LXeYZ24Qmtbf2ZRRQDlxTE0pX9ZJ613dbHNgjpxsLwRU
    G0fv3B/MMgMMSCdxCw==
    -----END CERTIFICATE-----
    """
  private static let keyDigest = "0a1e7ebf3149b29a4cc65ad73c04a77826afab3eef45b3b3ffb1831a37219da4"
}
