import Glibc

/// A pipe from a program that is read without blocking, up to a limit.
struct Drain {
  /// The descriptor of the pipe; -1 once there is nothing more to read.
  private(set) var descriptor: Int32
  /// The largest number of bytes that are kept.
  let limit: Int
  private(set) var bytes: [UInt8] = []
  /// Whether there were more bytes than that.
  private(set) var isOverfull = false

  init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  var isOpen: Bool { descriptor >= 0 }

  /// Reads what there is now, and closes the pipe at its end.
  mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count >= 0 else {
      if errno != EAGAIN, errno != EINTR { close() }
      return
    }
    let room = limit - bytes.count
    bytes += buffer[..<min(count, room)]
    if count > room { isOverfull = true }
    if count == 0 { close() }
  }

  mutating func close() {
    if isOpen { Glibc.close(descriptor) }
    descriptor = -1
  }
}
