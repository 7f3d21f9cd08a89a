import Glibc

/// The standard input, output and error of this process.
public enum StandardStreams {
  /// Opens `/dev/null` for each that is closed. Must be called before anything else opens a file,
  /// which would get the number of a stream. Output would then go to that file – into the
  /// descriptors by which libdispatch waits, or into a lock of the store – and input would come
  /// from it.
  ///
  /// A file that a library opens while it is loaded, and keeps, can't be told from a stream that
  /// was open; none of ours does that.
  public static func openClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
      // A file gets the lowest free number, which is this one. Without /dev, as in a bare chroot, a
      // folder takes the number; using it is an error as before.
      if open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0 {
        _ = open("/", O_RDONLY | O_DIRECTORY)
      }
    }
  }
}
