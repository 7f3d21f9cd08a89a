extension MonitorLoop.Round {
  /// The reasons why messages were not delivered, in sentences; `nil` if there are none.
  ///
  /// Some problems are whole sentences; others, mostly what a server said, are a few words.
  public var complaint: String? {
    guard !problems.isEmpty else { return nil }
    let isSentence = { (problem: String) in [".", "!", "?"].contains(where: problem.hasSuffix) }
    let phrases = problems.filter { !isSentence($0) }
    let opening = "Not everything could be sent"
    let first = phrases.isEmpty ? "\(opening)." : "\(opening): \(phrases.joined(separator: "; "))."
    return ([first] + problems.filter(isSentence)).joined(separator: " ")
  }
}
