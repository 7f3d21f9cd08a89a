import Clients
import Glibc
import Store

/// Disk space that is freed when others have filled the disk, so that a check-in still finds room.
struct StoreReserve {
  /// The size of the reserve in bytes: more than the log takes before it is copied into the
  /// database (``StoreFile/logPages``).
  static let size = 1 << 20
  /// The number of bytes that must stay free beside it. With less there is no reserve.
  static let leftFree = 4 << 20

  let path: String

  /// Reserves the space, unless it is reserved or the disk has too little. A failure has no effect.
  func make() {
    var information = statvfs()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard access(path, F_OK) != 0, statvfs(folder, &information) == 0,
      Int(information.f_bavail) * Int(information.f_frsize) >= Self.size + Self.leftFree
    else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if posix_fallocate(descriptor, 0, Self.size) != 0 { unlink(path) }
  }

  /// Frees the space.
  /// - Returns: Whether there was any.
  func giveBack() -> Bool { unlink(path) == 0 }
}

extension StoreFile {
  var reserve: StoreReserve { StoreReserve(path: folders.reserve) }

  /// Runs the body, and once more with the reserve freed if the disk was full.
  func usingReserve<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch {
      guard error as? StorageError == .full, reserve.giveBack() else { throw error }
      return try body()
    }
  }
}
