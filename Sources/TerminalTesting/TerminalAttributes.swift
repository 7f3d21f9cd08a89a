import CTerminal
import Glibc

/// The attributes of a terminal (`termios`), for comparison before and after a program ran.
public struct TerminalAttributes: Hashable, Sendable {
  /// `c_iflag`.
  public let inputFlags: UInt32
  /// `c_oflag`.
  public let outputFlags: UInt32
  /// `c_cflag`.
  public let controlFlags: UInt32
  /// `c_lflag`.
  public let localFlags: UInt32

  init(_ attributes: termios) {
    inputFlags = attributes.c_iflag
    outputFlags = attributes.c_oflag
    controlFlags = attributes.c_cflag
    localFlags = attributes.c_lflag
  }

  /// Whether line mode, echo, signals and output processing are on, as a shell expects them.
  public var isCooked: Bool {
    let local = UInt32(ICANON | ECHO | ISIG)
    return localFlags & local == local && outputFlags & UInt32(OPOST) != 0
  }
}
