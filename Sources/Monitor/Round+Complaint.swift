extension MonitorLoop.Round {
  /// What kept messages from being delivered, in sentences; `nil` when nothing did.
  ///
  /// Some problems are sentences of their own, others – what a server said, mostly – are a few words.
  public var complaint: String? {
    guard !problems.isEmpty else { return nil }
    let isSentence = { (problem: String) in [".", "!", "?"].contains(where: problem.hasSuffix) }
    let words = problems.filter { !isSentence($0) }
    let opening = "Not everything could be delivered"
    let first = words.isEmpty ? "\(opening)." : "\(opening): \(words.joined(separator: "; "))."
    return ([first] + problems.filter(isSentence)).joined(separator: " ")
  }
}
