public import Composable
public import FoundationEssentials

extension Data: CustomFailureStringConvertible {}
extension Decimal: CustomFailureStringConvertible {}
extension URL: CustomFailureStringConvertible {}
extension UUID: CustomFailureStringConvertible {}

extension Date: CustomFailureStringConvertible {
  /// The date as `2026-11-21 07:52:00.25 +0000`, because dates a millisecond apart must look
  /// different.
  public var descriptionInFailures: String {
    let seconds = timeIntervalSinceReferenceDate.rounded(.down)
    let fraction = timeIntervalSinceReferenceDate - seconds
    let micros = min(999_999, Int((fraction * 1e6).rounded()))
    let text = "\(Date(timeIntervalSinceReferenceDate: seconds))"
    guard micros > 0, let end = text.lastIndex(of: " ") else { return text }
    let digits = String("\(1_000_000 + micros)".dropFirst())
    let shown = digits.prefix(through: digits.lastIndex { $0 != "0" }!)
    return "\(text[..<end]).\(shown)\(text[end...])"
  }
}
