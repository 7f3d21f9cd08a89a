import CCurlShim
import Synchronization

/// A pool of libcurl's handles, which keep their connections for the next request.
final class CurlHandles: Sendable {
  /// `@unchecked Sendable`: one transfer at a time takes it out of the list, and uses it alone until
  /// it gives it back.
  private struct Handle: @unchecked Sendable { var pointer: UnsafeMutableRawPointer }

  private let idle = Mutex<[Handle]>([])
  private let most: Int
  private let make: @Sendable () -> UnsafeMutableRawPointer?

  /// - Parameters:
  ///   - most: How many are kept.
  ///   - make: Creates one; returns `nil` if out of memory.
  init(
    most: Int, make: @escaping @Sendable () -> UnsafeMutableRawPointer? = { curl_shim_easy_init() }
  ) {
    self.most = most
    self.make = make
  }

  func take() -> UnsafeMutableRawPointer? { idle.withLock { $0.popLast() }?.pointer ?? make() }

  func giveBack(_ pointer: UnsafeMutableRawPointer) {
    // The options are reset, so that no callback knows its transfer; the connection stays.
    curl_shim_easy_reset(pointer)
    let handle = Handle(pointer: pointer)
    let isKept = idle.withLock { idle in
      guard idle.count < most else { return false }
      idle.append(handle)
      return true
    }
    if !isKept { curl_shim_easy_cleanup(pointer) }
  }

  deinit {
    for handle in idle.withLock({ $0 }) { curl_shim_easy_cleanup(handle.pointer) }
  }
}
