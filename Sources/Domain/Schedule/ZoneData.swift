@preconcurrency import Glibc
import Synchronization

/// The zone data of this machine, in the files that the C library reads, too.
public enum ZoneData {
  /// Returns the rules of a zone such as `Europe/Berlin`, or `nil` if this machine doesn't have them.
  ///
  /// A file that has changed is read again, because a monitor runs for months and governments decide
  /// within weeks. Its state is looked at once a second at most.
  public static func rules(of zone: String) -> ZoneRules? {
    guard isName(zone) else { return nil }
    return cache.withLock { $0.rules(of: zone) }
  }

  /// Gives a zone other rules than the machine's, for simulations.
  package static func use(_ rules: ZoneRules, for zone: String) {
    cache.withLock { $0.invented[zone] = rules }
  }

  /// The name of this machine's zone, or `nil` if it has none.
  public static var localZone: String? {
    if let variable = getenv("TZ") {
      let name = String(cString: variable)
      let zone = name.hasPrefix(":") ? String(name.dropFirst()) : name
      return rules(of: zone) == nil ? nil : zone
    }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let isFound = realpath("/etc/localtime", &path) != nil
    let text =
      isFound ? String(decoding: path.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) : ""
    if let range = text.firstRange(of: "/zoneinfo/") {
      let zone = String(text[range.upperBound...])
      if rules(of: zone) != nil { return zone }
    }
    // A copy of a zone's file doesn't know its name.
    guard let name = read("/etc/timezone", limit: 100) else { return nil }
    let zone = String(decoding: name, as: UTF8.self).trimmingWhitespace()
    return rules(of: zone) == nil ? nil : zone
  }

  /// Whether a text can be the name of a zone, so that nothing else on the machine is ever read.
  static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 64 && (1...3).contains(parts.count)
      && parts.allSatisfy { part in
        part.first?.isLetter == true
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
      }
  }

  private static let cache = Mutex(Cache())

  private struct Cache {
    private struct Entry {
      var rules: ZoneRules?
      var state: State?
      var lookedAt: Int
    }

    /// What changes when a file is replaced.
    private struct State: Equatable {
      var node: UInt
      var size, seconds, nanoseconds: Int
    }

    private var entries: [String: Entry] = [:]
    var invented: [String: ZoneRules] = [:]

    mutating func rules(of zone: String) -> ZoneRules? {
      if let rules = invented[zone] { return rules }
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
      if let entry = entries[zone], entry.lookedAt == now.tv_sec { return entry.rules }
      let path = "\(ZoneData.folder)/\(zone)"
      let state = state(of: path)
      if let entry = entries[zone], entry.state == state {
        entries[zone]?.lookedAt = now.tv_sec
        return entry.rules
      }
      let bytes = state == nil ? nil : ZoneData.read(path, limit: 1 << 20)
      let rules = bytes.flatMap { ZoneRules(tzif: $0) }
      // Names that people made up must not fill the memory of a server.
      if entries.count > 1_000 { entries = [:] }
      entries[zone] = Entry(rules: rules, state: state, lookedAt: now.tv_sec)
      return rules
    }

    private func state(of path: String) -> State? {
      var found = stat()
      guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
      return State(
        node: UInt(found.st_ino), size: Int(found.st_size), seconds: found.st_mtim.tv_sec,
        nanoseconds: found.st_mtim.tv_nsec)
    }
  }

  /// The folder of the zones' files.
  public static var folder: String {
    getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
  }

  private static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, limit, file)
    return Array(bytes.prefix(count))
  }
}
