import Glibc
package import Processes

extension Launch {
  /// Creates the launch of a program in a new session, with a terminal as its controlling terminal,
  /// standard input, output and error.
  /// - Parameter terminal: The path of the terminal, which becomes the controlling one because the
  ///   leader of a session opens it.
  package init(
    _ program: String, _ arguments: [String], environment: [String]? = nil,
    directory: String? = nil, terminal: String
  ) {
    self.init(
      program, arguments, environment: environment, directory: directory,
      files: [
        STDIN_FILENO: .path(terminal, O_RDWR), STDOUT_FILENO: .descriptor(STDIN_FILENO),
        STDERR_FILENO: .descriptor(STDIN_FILENO),
      ], group: .session)
  }
}
