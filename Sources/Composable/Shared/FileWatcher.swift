import Dispatch
@preconcurrency import Glibc
import Synchronization

/// Tells when files are written or replaced, by whatever program, as the kernel says it (inotify(7)).
///
/// A file that is replaced is another file, so the folders are watched and not the files.
final class FileWatcher: Sendable {
  /// The watcher of this process; `nil` if the kernel gives none.
  static let shared = FileWatcher()

  private let descriptor: Int32
  private let followers = FileFollowers()
  /// The folders, as they were named, by the kernel's number of the watch: several names may be one
  /// folder.
  private let folders = Mutex<[Int32: Set<String>]>([:])

  private init?() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    // A queue of its own has a thread of its own, which waits in the kernel.
    DispatchQueue(label: "FileWatcher").async { [self] in readEvents() }
  }

  /// Follows a file, which need not be there yet; its folder must.
  func watch(_ path: String, _ onChange: @escaping @Sendable () -> Void) -> SharedFiles.Watch? {
    let folder = SharedFiles.folder(of: path)
    let number = inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
    guard number >= 0 else { return nil }
    folders.withLock { _ = $0[number, default: []].insert(folder) }
    let name = path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)
    return followers.add(folder + name, onChange)
  }

  private func readEvents() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        buffer.withUnsafeBytes { tell(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else if errno != EINTR {
        return
      }
    }
  }

  private func tell(_ events: UnsafeRawBufferPointer) {
    let headSize = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + headSize <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { followers.anythingChanged() }
      // The name is filled up with zeros.
      let name = events[(offset + headSize)...].prefix(Int(event.len)).prefix { $0 != 0 }
      for folder in folders.withLock({ $0[event.wd] ?? [] }) {
        followers.changed(folder + String(decoding: name, as: UTF8.self))
      }
      offset += headSize + Int(event.len)
    }
  }
}
