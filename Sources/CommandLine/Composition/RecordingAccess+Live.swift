import Glibc

extension RecordingAccess {
  /// Access to the files and time zone of this process.
  static let live = RecordingAccess(
    makeFile: { (path: String) throws(FileError) in
      // O_EXCL: never overwrites a file or follows a link.
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FileError(reason: systemReason()) }
      return TextOutput(descriptor: descriptor)
    },
    timeZone: {
      if let name = getenv("TZ") { return LocalTimeZone.checked(String(cString: name)) }
      return LocalTimeZone.ofSystem
    },
    useTimeZone: { name in
      guard let name = LocalTimeZone.checked(name) else { return }
      setenv("TZ", name, 1)
      tzset()
    })
}

/// Time zone names, as `tzset(3)` reads them from `TZ`.
enum LocalTimeZone {
  /// Returns a name that may come from someone else's file, if it can only choose a zone and no
  /// other file.
  static func checked(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_+-/,.<>".utf8.contains(byte)
      }
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix("/"),
      !name.split(separator: "/").contains("..")
    else { return nil }
    return name
  }

  /// The zone that `/etc/localtime` links to, such as `Europe/Berlin`.
  static var ofSystem: String? {
    let size = Int(PATH_MAX)
    let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      let count = readlink("/etc/localtime", buffer.baseAddress!, size)
      return count > 0
        ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
    return target.flatMap(zone(ofLink:))
  }

  /// Returns the zone that a link leads to; `nil` if it leads elsewhere.
  static func zone(ofLink target: String) -> String? {
    let parts = target.split(separator: "/")
    guard let index = parts.lastIndex(of: "zoneinfo") else { return nil }
    return checked(parts[(index + 1)...].joined(separator: "/"))
  }
}
