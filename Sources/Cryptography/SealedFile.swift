import CSodium
package import FoundationEssentials
import Glibc

/// Files that anyone can seal with a public key, and only the holder of the secret key can open:
/// libsodium's secretstream, in parts of 64 KiB, under a random key that is sealed like a
/// ``SealedBox``. A file that was cut, changed or put together in another order doesn't open.
///
/// The layout is the text `LIFESIGNAL SEALED 1` with a line feed, the sealed key of 80 bytes, the
/// stream's header of 24 bytes, and the parts, each 17 bytes longer than its contents.
package enum SealedFile {
  package enum Failure: Error, Equatable {
    case cannotRead, cannotWrite, notSealed, wrongKey, damaged
  }

  private static let mark = Array("LIFESIGNAL SEALED 1\n".utf8)
  private static let partSize = 64 << 10

  /// Whether a file begins as a sealed one.
  package static func isSealed(_ path: String) -> Bool {
    guard let input = try? Input(path) else { return false }
    return (try? input.read(mark.count)) == mark
  }

  /// Seals a file to another one, which only its owner can read and which must not exist.
  package static func seal(_ path: String, to target: String, for publicKey: Data) throws(Failure) {
    precondition(Sodium.isReady)
    let input = try Input(path)
    let output = try Output(target)
    var key = [UInt8](repeating: 0, count: crypto_secretstream_xchacha20poly1305_keybytes())
    crypto_secretstream_xchacha20poly1305_keygen(&key)
    defer { sodium_memzero(&key, key.count) }
    var sealedKey = [UInt8](repeating: 0, count: key.count + crypto_box_sealbytes())
    guard publicKey.count == crypto_box_publickeybytes(),
      crypto_box_seal(&sealedKey, key, UInt64(key.count), Array(publicKey)) == 0
    else { throw .wrongKey }
    var state = crypto_secretstream_xchacha20poly1305_state()
    var header = [UInt8](
      repeating: 0, count: crypto_secretstream_xchacha20poly1305_headerbytes())
    crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key)
    try output.write(mark + sealedKey + header)
    var part = try input.read(partSize)
    while true {
      let next = part.count == partSize ? try input.read(partSize) : []
      let tag =
        next.isEmpty
        ? crypto_secretstream_xchacha20poly1305_tag_final()
        : crypto_secretstream_xchacha20poly1305_tag_message()
      var sealed = [UInt8](
        repeating: 0, count: part.count + crypto_secretstream_xchacha20poly1305_abytes())
      crypto_secretstream_xchacha20poly1305_push(
        &state, &sealed, nil, part, UInt64(part.count), nil, 0, tag)
      try output.write(sealed)
      if next.isEmpty { break }
      part = next
    }
    try output.finish()
  }

  /// Opens a sealed file to another one, which only its owner can read and which must not exist. If
  /// it throws, the target has at most a beginning that is right.
  package static func open(
    _ path: String, to target: String, with keys: SealedBox.Keys
  ) throws(Failure) {
    precondition(Sodium.isReady)
    let input = try Input(path)
    guard try input.read(mark.count) == mark else { throw .notSealed }
    var key = [UInt8](repeating: 0, count: crypto_secretstream_xchacha20poly1305_keybytes())
    defer { sodium_memzero(&key, key.count) }
    let sealedKey = try input.read(key.count + crypto_box_sealbytes())
    let header = try input.read(crypto_secretstream_xchacha20poly1305_headerbytes())
    guard sealedKey.count == key.count + crypto_box_sealbytes(),
      header.count == crypto_secretstream_xchacha20poly1305_headerbytes()
    else { throw .damaged }
    guard keys.open(sealedKey, into: &key) else { throw .wrongKey }
    var state = crypto_secretstream_xchacha20poly1305_state()
    guard crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key) == 0 else {
      throw .damaged
    }
    let output = try Output(target)
    let overhead = crypto_secretstream_xchacha20poly1305_abytes()
    var tag: UInt8 = 0
    repeat {
      let sealed = try input.read(partSize + overhead)
      guard sealed.count >= overhead else { throw .damaged }
      var part = [UInt8](repeating: 0, count: sealed.count - overhead)
      guard
        crypto_secretstream_xchacha20poly1305_pull(
          &state, &part, nil, &tag, sealed, UInt64(sealed.count), nil, 0) == 0
      else { throw .damaged }
      try output.write(part)
    } while tag != crypto_secretstream_xchacha20poly1305_tag_final()
    guard try input.read(1).isEmpty else { throw .damaged }
    try output.finish()
  }

  private final class Input {
    private let file: Int32

    init(_ path: String) throws(Failure) {
      file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw .cannotRead }
    }

    deinit { close(file) }

    /// Reads bytes: fewer at the end of the file.
    func read(_ count: Int) throws(Failure) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let got = bytes.withUnsafeMutableBytes {
          Glibc.read(file, $0.baseAddress! + filled, count - filled)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw .cannotRead }
        guard got > 0 else { break }
        filled += got
      }
      return Array(bytes.prefix(filled))
    }
  }

  private final class Output {
    private let file: Int32

    init(_ path: String) throws(Failure) {
      file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw .cannotWrite }
    }

    deinit { close(file) }

    func write(_ bytes: [UInt8]) throws(Failure) {
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.write(file, $0.baseAddress! + written, bytes.count - written)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .cannotWrite }
        written += count
      }
    }

    func finish() throws(Failure) {
      guard fsync(file) == 0 else { throw .cannotWrite }
    }
  }
}
