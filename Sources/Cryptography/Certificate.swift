import FoundationEssentials

/// The parts of an X.509 certificate (RFC 5280) that are needed for the fingerprint of its key.
package enum Certificate {
  /// Returns the SHA-256 of the public key (SubjectPublicKeyInfo) in hexadecimal digits, which
  /// stays the same when the certificate is renewed with the same key; `nil` if the text isn't a
  /// certificate.
  package static func fingerprint(pem: String) -> String? {
    let begin = "-----BEGIN CERTIFICATE-----"
    guard let start = pem.firstRange(of: begin)?.upperBound,
      let end = pem[start...].firstRange(of: "-----END")?.lowerBound,
      let der = Data(base64Encoded: String(pem[start..<end].filter { !$0.isWhitespace }))
    else { return nil }
    var outer = DER(Array(der)[...])
    guard var certificate = outer.enter(), var fields = certificate.enter() else { return nil }
    // The version, which is optional; then serial number, algorithm, issuer, validity, subject.
    if fields.tag == 0xA0 { _ = fields.next() }
    for _ in 0..<5 { guard fields.next() != nil else { return nil } }
    return fields.next().map { Digest.sha256($0) }
  }

  /// A sequence of DER values, each with its tag and length.
  private struct DER {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var tag: UInt8? { rest.first }

    /// Takes the next value, with its head.
    mutating func next() -> ArraySlice<UInt8>? {
      guard let (head, length) = head() else { return nil }
      defer { rest = rest.dropFirst(head + length) }
      return rest.prefix(head + length)
    }

    /// Takes the next value, and returns the values within it.
    mutating func enter() -> DER? {
      guard let (head, length) = head() else { return nil }
      defer { rest = rest.dropFirst(head + length) }
      return DER(rest.dropFirst(head).prefix(length))
    }

    /// Returns the lengths of the next value's head and of its contents.
    private func head() -> (Int, Int)? {
      let bytes = Array(rest.prefix(6))
      guard bytes.count >= 2 else { return nil }
      var (head, length) = (2, Int(bytes[1]))
      if length > 127 {
        let count = length & 127
        guard (1...3).contains(count), bytes.count >= 2 + count else { return nil }
        length = bytes[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
        head += count
      }
      return rest.count >= head + length ? (head, length) : nil
    }
  }
}
