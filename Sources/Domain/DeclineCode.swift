/// The code by which somebody outside says that they do not want to be a contact (CON-3).
public enum DeclineCode {
  /// The code as it is stored, from what was typed: in any case, with spaces and dashes or without.
  public static func normalized(_ typed: String) -> String {
    String(typed.uppercased().filter { $0.isLetter || $0.isNumber })
  }
}
