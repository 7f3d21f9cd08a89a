import Domain
import FoundationEssentials
import Glibc

/// How often codes were tried that are none. Those who try many are refused; a code that is one is
/// never asked about here, so that nobody's tries keep another from answering.
struct WrongTries {
  /// In a minute, by everybody together.
  static let limit = 30
  /// In a minute, by one client.
  static let limitPerClient = 10

  private var tries: [(date: Date, client: String)] = []

  /// Whether a client's wrong codes are refused now.
  mutating func refuses(_ client: String, now: Date) -> Bool {
    // A clock that was set back leaves nothing behind that would last.
    tries.removeAll { $0.date > now || now.timeIntervalSince($0.date) >= 60 }
    return tries.count >= Self.limit
      || tries.count { $0.client == client } >= Self.limitPerClient
  }

  /// Counts a try of a code that is none.
  mutating func note(_ client: String, now: Date) { tries.append((now, client)) }
}

/// Who sends a request, as far as an address tells.
package enum ClientAddress {
  /// An IPv4 or IPv6 address as the system writes it; `nil` for what is none, such as a name.
  package static func canonical(_ address: String) -> String? {
    var short = in_addr()
    if inet_pton(AF_INET, address, &short) == 1 { return address }
    var long = in6_addr()
    guard inet_pton(AF_INET6, address, &long) == 1 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(AF_INET6, &long, text.baseAddress, UInt32(text.count)).map { String(cString: $0) }
    }
  }

  /// What one client is counted by: an IPv4 address, or the half of an IPv6 address that a provider
  /// gives to one customer. `nil` for what is no address.
  static func name(of address: String) -> String? {
    var short = in_addr()
    if inet_pton(AF_INET, address, &short) == 1 { return address }
    var long = in6_addr()
    guard inet_pton(AF_INET6, address, &long) == 1 else { return nil }
    return withUnsafeBytes(of: &long) { $0.prefix(8).map { "\($0)" }.joined(separator: ".") }
  }

  /// The client of a request.
  /// - Parameters:
  ///   - peer: The address that is connected.
  ///   - forwarded: The header X-Forwarded-For, all of its lines as one list. Anybody can write it, so that it counts only from our own
  ///     proxy, and of it only what that has added: the last address.
  static func name(peer: String, forwarded: String?, proxy: String?) -> String {
    guard let proxy, peer == proxy, let last = forwarded?.split(separator: ",").last,
      let name = name(of: last.trimmingWhitespace())
    else { return name(of: peer) ?? peer }
    return name
  }

  /// Whether a request came over HTTPS.
  /// - Parameters:
  ///   - forwarded: The header X-Forwarded-Proto, believed as the other one is.
  ///   - byItself: Whether the address that clients use is HTTPS. Past a proxy that is named nobody comes by it.
  static func isEncrypted(
    peer: String, forwarded: String?, proxy: String?, byItself: Bool
  ) -> Bool {
    guard let proxy else { return byItself }
    guard peer == proxy else { return false }
    guard let last = forwarded?.split(separator: ",").last else { return byItself }
    return last.trimmingWhitespace().lowercased() == "https"
  }
}
