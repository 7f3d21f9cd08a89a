import Glibc

/// A network address that a name was resolved to.
///
/// A user can enter any service address, and it must not give access to this machine's own services
/// or to a cloud's metadata service. The name can't decide that: its owner can point it anywhere,
/// and elsewhere a moment later. So the address is checked just before connecting.
package struct NetworkAddress: Equatable {
  /// Four or sixteen bytes.
  package let bytes: [UInt8]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Creates the address in a `sockaddr`; returns `nil` for other address families.
  package init?(socketAddress: UnsafeRawPointer) {
    switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET:
      let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
      bytes = withUnsafeBytes(of: address.sin_addr) { Array($0) }
    case AF_INET6:
      let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
      bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
    default: return nil
    }
  }

  /// Creates the address that `text` spells out, with or without brackets; returns `nil` for a
  /// name.
  package init?(literal text: String) {
    let bare =
      text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    var buffer = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, bare, &buffer) == 1 {
      bytes = Array(buffer[..<4])
    } else if inet_pton(AF_INET6, bare, &buffer) == 1 {
      bytes = buffer
    } else {
      return nil
    }
  }

  /// Whether the address is this machine's own.
  package var isLoopback: Bool {
    let bytes = unwrapped
    return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
  }

  /// Whether the address belongs to a network that isn't reachable from outside (RFC 1918, RFC
  /// 2544, RFC 3879, RFC 4193, RFC 6598, RFC 6890, RFC 8215).
  package var isPrivate: Bool {
    let bytes = unwrapped
    guard bytes.count == 4 else {
      return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0xC0
        || bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1])
    }
    switch (bytes[0], bytes[1]) {
    case (10, _), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): return true
    case (192, 0): return bytes[2] == 0
    default: return false
    }
  }

  /// Returns the addresses of a host: a name, or an address that is spelled out. This can wait for
  /// name servers.
  package static func addresses(of host: String) -> [NetworkAddress] {
    if let literal = NetworkAddress(literal: host) { return [literal] }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [NetworkAddress] = []
    var next = found
    while let entry = next {
      if let address = entry.pointee.ai_addr.flatMap({ NetworkAddress(socketAddress: $0) }) {
        addresses.append(address)
      }
      next = entry.pointee.ai_next
    }
    return addresses
  }

  /// The reason why the address must not be reached, or `nil`.
  package var refusal: String? {
    let bytes = unwrapped
    if Self.metadata.contains(bytes) { return "a cloud's metadata service" }
    guard bytes.count == 4 else {
      if bytes.allSatisfy({ $0 == 0 }) { return "no address" }
      if bytes[0] == 0xFF { return "a multicast address" }
      return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? "a link-local address" : nil
    }
    switch (bytes[0], bytes[1]) {
    case (0, _): return "no address"
    case (169, 254): return "a link-local address"
    case (224...239, _): return "a multicast address"
    case (240..., _): return "a reserved address"
    default: return nil
    }
  }

  /// The IPv4 address to which a gateway may pass on what is sent to an IPv6 address.
  private var unwrapped: [UInt8] {
    // Neither :: nor ::1.
    guard bytes.count == 16, bytes[..<15].contains(where: { $0 != 0 }) else { return bytes }
    let last = Array(bytes[12...])
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    // 6to4 (RFC 3056).
    case (0x20, 0x02, _, _): return Array(bytes[2..<6])
    // Teredo (RFC 4380), which inverts the client's address.
    case (0x20, 0x01, 0, 0): return last.map { ~$0 }
    // NAT64 (RFC 6052 §2.1).
    case (0, 0x64, 0xFF, 0x9B) where bytes[4..<12].allSatisfy({ $0 == 0 }): return last
    default: break
    }
    // Mapped and compatible (RFC 4291 §2.5.5), and translated (RFC 2765).
    let embeddings: [[UInt8]] = [[0, 0, 0xFF, 0xFF], [0, 0, 0, 0], [0xFF, 0xFF, 0, 0]]
    let isEmbedded =
      bytes[..<8].allSatisfy { $0 == 0 } && embeddings.contains(Array(bytes[8..<12]))
    return isEmbedded ? last : bytes
  }

  /// The metadata services of Alibaba, Oracle, Azure, Amazon and Google that aren't link-local.
  private static let metadata: Set<[UInt8]> = [
    [100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16],
    [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
    [0xFD, 0x20, 0, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
  ]
}
