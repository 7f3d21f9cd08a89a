/// Cases in their order, round and round: the fields of a form, the themes.
extension CaseIterable where Self: Equatable, AllCases == [Self] {
  var next: Self { moved(by: 1) }
  var previous: Self { moved(by: -1) }

  private func moved(by distance: Int) -> Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self)!
    return all[(index + distance + all.count) % all.count]
  }
}
