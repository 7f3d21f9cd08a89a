import Clients
import Glibc
import Store

/// Space on the disk that is given back when others have filled it, so that a check-in still finds room.
struct StoreReserve {
  /// More than the log takes before it is copied into the database (``StoreFile/logPages``).
  static let size = 1 << 20
  /// How much stays free beside it; on less there is none.
  static let leftFree = 4 << 20

  let path: String

  /// Takes the space where there is none taken and enough of it. A failure changes nothing for anybody.
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

  /// - Returns: Whether there was any space to give back.
  func giveBack() -> Bool { unlink(path) == 0 }
}

extension StoreFile {
  var reserve: StoreReserve { StoreReserve(path: folders.reserve) }

  /// Does something, and once more with the reserve given back where the disk is full.
  func usingReserve<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch {
      guard error as? StorageError == .full, reserve.giveBack() else { throw error }
      return try body()
    }
  }
}
