public import Domain
import Glibc

extension Uptime {
  /// How long this machine has been running, also asleep.
  public static var ofThisMachine: Uptime? {
    var time = timespec()
    guard let boot, clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
    return Uptime(boot: boot, seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// The identity of this start of the machine. A time namespace has an uptime of its own.
  private static let boot: String? = {
    guard let id = text("/proc/sys/kernel/random/boot_id")?.trimmingWhitespace(), !id.isEmpty else {
      return nil
    }
    var space = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/time", &space, space.count - 1)
    return id + " "
      + String(decoding: space.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Returns the text of a small file of the kernel, whose size isn't known.
  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
