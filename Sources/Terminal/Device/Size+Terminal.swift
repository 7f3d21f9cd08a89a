import CTerminal

extension Size {
  /// Gets the size of the terminal behind a file descriptor; `nil` if it isn't a terminal.
  public init?(ofTerminal descriptor: Int32) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard cterminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    self.init(columns: Int(columns), rows: Int(rows))
  }
}
