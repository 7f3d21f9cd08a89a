/// Where text goes: standard output, standard error, or a test's memory.
public struct TextOutput: Sendable {
  /// Writes all of it, at once where the system takes it at once.
  /// - Returns: the reason in the system's words when it could not be written, else `nil`.
  public var write: @Sendable (String) -> String?
}
