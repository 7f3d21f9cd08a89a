import FoundationEssentials

/// What tells this machine from others, and isn't in the store.
enum MachineIdentity {
  /// Random bytes of this process where the system has no identity.
  static let bytes: [UInt8] = {
    let known = (try? Data(contentsOf: URL(filePath: "/etc/machine-id"))).map(Array.init) ?? []
    return known.isEmpty ? (0..<32).map { _ in UInt8.random(in: 0...255) } : known
  }()
}
