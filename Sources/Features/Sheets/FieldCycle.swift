/// The next case in a cycle, for themes and panes.
extension CaseIterable where Self: Equatable, AllCases == [Self] {
  var next: Self {
    let all = Self.allCases
    return all[(all.firstIndex(of: self)! + 1) % all.count]
  }
}
