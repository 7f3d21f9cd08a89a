import Glibc

/// Standard input, output and errors of this process.
public enum StandardStreams {
  /// Opens `/dev/null` for each that is closed. Called before anything else opens a file, which would
  /// get its number: what is printed would go there – into the descriptors by which libdispatch waits,
  /// or into a lock of the store –, and what is read would come from there.
  ///
  /// What a library opens while it is loaded, and keeps, cannot be told from a stream that was open;
  /// none of ours does.
  public static func openClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
      // A file gets the lowest number that is free, which is this one. Without /dev, as in a bare
      // chroot, a folder keeps it from others; using it is an error as before.
      if open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0 {
        _ = open("/", O_RDONLY | O_DIRECTORY)
      }
    }
  }
}
