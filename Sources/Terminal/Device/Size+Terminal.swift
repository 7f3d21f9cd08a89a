import CTerminal

extension Size {
  /// The size of the terminal that a file descriptor is; `nil` for anything else.
  public init?(ofTerminal descriptor: Int32) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard cterminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    self.init(columns: Int(columns), rows: Int(rows))
  }
}
