import Foundation
import Testing

@testable import Web

/// Certificates and keys as a renewal leaves them: for a moment, one file may be new and the other
/// not.
@Suite(.enabled("needs openssl") { hasOpenSSL })
struct CertificateTests {
  /// A certificate and its key, as PEM.
  struct Pair {
    let certificate: String
    let key: String

    init(_ kind: [String]) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let files = (certificate: folder.appending(path: "c"), key: folder.appending(path: "k"))
      try #require(
        openssl(
          ["req", "-x509", "-days", "30", "-subj", "/CN=localhost", "-nodes", "-newkey"] + kind
            + ["-keyout", files.key.path, "-out", files.certificate.path]))
      certificate = try String(contentsOf: files.certificate, encoding: .utf8)
      key = try String(contentsOf: files.key, encoding: .utf8)
    }
  }

  static let kinds = [
    ["rsa:2048"], ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], ["ed25519"],
  ]

  @Test(
    "A key fits its own certificate and no other certificate of the same kind", arguments: kinds)
  func fits(_ kind: [String]) throws {
    let (pair, other) = (try Pair(kind), try Pair(kind))
    #expect(WebServer.fits(key: pair.key, certificate: pair.certificate))
    #expect(!WebServer.fits(key: pair.key, certificate: other.certificate))
    // A chain names the server first.
    let chain = pair.certificate + other.certificate
    #expect(WebServer.fits(key: pair.key, certificate: chain))
    #expect(!WebServer.fits(key: other.key, certificate: chain))
  }

  @Test("A cut or wrong file fits no key and no certificate")
  func unreadable() throws {
    let pair = try Pair(["ed25519"])
    for key in ["", String(pair.key.dropLast(40)), pair.certificate] {
      #expect(!WebServer.fits(key: key, certificate: pair.certificate))
    }
    for certificate in ["", String(pair.certificate.dropLast(60)), pair.key] {
      #expect(!WebServer.fits(key: pair.key, certificate: certificate))
    }
  }
}

private let hasOpenSSL = openssl(["version"])

private func openssl(_ words: [String]) -> Bool {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["openssl"] + words
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}
