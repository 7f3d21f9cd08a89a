import Dispatch
@preconcurrency import Glibc
import Synchronization

/// Notifies of files that any program writes or replaces, using the kernel's inotify(7).
///
/// The folders are watched instead of the files, because a replaced file is a different file.
final class FileWatcher: Sendable {
  /// The watcher of this process; `nil` if the kernel refuses one.
  static let shared = FileWatcher()

  private let descriptor: Int32
  private let observers = FileObservers()
  /// The watched folders, as callers spelled them, by watch descriptor. Several spellings can name
  /// one folder.
  private let folders = Mutex<[Int32: Set<String>]>([:])

  private init?() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    // A dedicated queue, because its thread blocks in the kernel.
    DispatchQueue(label: "FileWatcher").async { [self] in readEvents() }
  }

  /// Watches a file. Its folder must exist, but the file need not.
  func watch(_ path: String, _ onChange: @escaping @Sendable () -> Void) -> SharedFiles.Watch? {
    let folder = SharedFiles.folder(of: path)
    let number = inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
    guard number >= 0 else { return nil }
    folders.withLock { _ = $0[number, default: []].insert(folder) }
    let name = path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)
    return observers.add(folder + name, onChange)
  }

  private func readEvents() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        buffer.withUnsafeBytes { notify(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else if errno != EINTR {
        return
      }
    }
  }

  private func notify(_ events: UnsafeRawBufferPointer) {
    let headSize = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + headSize <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { observers.anythingChanged() }
      // The name is padded with zeros.
      let name = events[(offset + headSize)...].prefix(Int(event.len)).prefix { $0 != 0 }
      for folder in folders.withLock({ $0[event.wd] ?? [] }) {
        observers.changed(folder + String(decoding: name, as: UTF8.self))
      }
      offset += headSize + Int(event.len)
    }
  }
}
