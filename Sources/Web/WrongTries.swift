import Domain
import FoundationEssentials
import Glibc

/// The number of tries with wrong codes. Clients that try many are refused. A right code is never
/// checked against this, so that nobody's tries keep another person from answering.
struct WrongTries {
  /// The limit per minute for all clients together.
  static let limit = 30
  /// The limit per minute for one client.
  static let limitPerClient = 10

  private var tries: [(date: Date, client: String)] = []

  /// Returns whether a client's wrong codes are refused now.
  mutating func refuses(_ client: String, now: Date) -> Bool {
    // Tries from the future are dropped: the clock was set back.
    tries.removeAll { $0.date > now || now.timeIntervalSince($0.date) >= 60 }
    return tries.count >= Self.limit
      || tries.count { $0.client == client } >= Self.limitPerClient
  }

  /// Counts a try with a wrong code.
  mutating func note(_ client: String, now: Date) { tries.append((now, client)) }
}

/// The client of a request, as far as an address tells.
package enum ClientAddress {
  /// Returns an IPv4 or IPv6 address as the system writes it; `nil` for anything else, such as a
  /// name. On a socket for both, an IPv4 client has a mapped address, which is theirs.
  package static func canonical(_ address: String) -> String? {
    var short = in_addr()
    if inet_pton(AF_INET, address, &short) == 1 { return address }
    var long = in6_addr()
    guard inet_pton(AF_INET6, address, &long) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &long) { [UInt8]($0) }
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      return bytes.suffix(4).map { "\($0)" }.joined(separator: ".")
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(AF_INET6, &long, text.baseAddress, UInt32(text.count)).map { String(cString: $0) }
    }
  }

  /// Returns the name that one client is counted by: an IPv4 address, or the half of an IPv6
  /// address that a provider gives to one customer. Returns `nil` if it isn't an address.
  static func name(of address: String) -> String? {
    guard let address = canonical(address) else { return nil }
    guard address.contains(":"), address != loopback else { return address }
    var long = in6_addr()
    guard inet_pton(AF_INET6, address, &long) == 1 else { return nil }
    return withUnsafeBytes(of: &long) { $0.prefix(8).map { "\($0)" }.joined(separator: ".") }
  }

  /// This machine over IPv6.
  package static let loopback = "::1"

  /// Returns the client of a request.
  /// - Parameters:
  ///   - peer: The connected address.
  ///   - forwarded: The header X-Forwarded-For, all of its lines as one list. Anyone can write it,
  ///     so it counts only from our own proxy, and only the last address, which that proxy has
  ///     added.
  static func name(peer: String, forwarded: String?, proxy: String?) -> String {
    let peer = canonical(peer) ?? peer
    guard let proxy, peer == proxy, let last = forwarded?.split(separator: ",").last,
      let name = name(of: withoutPort(last.trimmingWhitespace()))
    else { return name(of: peer) ?? peer }
    return name
  }

  /// Returns an address without its port, which some proxies add: `1.2.3.4:5678`, `[2001:db8::1]:5678`.
  private static func withoutPort(_ text: String) -> String {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return String(text[text.index(after: text.startIndex)..<end])
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }

  /// Returns whether a request came over HTTPS.
  /// - Parameters:
  ///   - forwarded: The header X-Forwarded-Proto, trusted like the other one.
  ///   - byItself: Whether the address that clients use is HTTPS. It says nothing about a request
  ///     that bypasses the configured proxy.
  static func isEncrypted(
    peer: String, forwarded: String?, proxy: String?, byItself: Bool
  ) -> Bool {
    guard let proxy else { return byItself }
    guard canonical(peer) ?? peer == proxy else { return false }
    guard let last = forwarded?.split(separator: ",").last else { return byItself }
    return last.trimmingWhitespace().lowercased() == "https"
  }
}
