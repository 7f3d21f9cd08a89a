/// Rows of a ``List`` under a common title.
public struct ListSection<Rows: RandomAccessCollection> {
  /// The text above the rows.
  public let title: String
  /// The elements, one for each row. A section without rows isn't shown.
  public let rows: Rows

  /// Creates a section.
  public init(_ title: String, rows: Rows) {
    self.title = title
    self.rows = rows
  }
}

extension ListSection: Equatable where Rows: Equatable {}
extension ListSection: Sendable where Rows: Sendable {}

/// The rows of all sections in sequence.
public struct SectionedRows<Rows: RandomAccessCollection>: RandomAccessCollection {
  /// The sections that have rows.
  let sections: [ListSection<Rows>]
  /// The number of rows up to the end of each section.
  private let ends: [Int]

  /// - Complexity: O(sections).
  init(_ sections: [ListSection<Rows>]) {
    self.sections = sections.filter { !$0.rows.isEmpty }
    var ends: [Int] = []
    for section in self.sections { ends.append((ends.last ?? 0) + section.rows.count) }
    self.ends = ends
  }

  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { ends.last ?? 0 }

  /// The element of a row.
  /// - Complexity: O(log sections).
  public subscript(position: Int) -> Rows.Element {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > position { high = middle } else { low = middle + 1 }
    }
    let rows = sections[low].rows
    let start = low == 0 ? 0 : ends[low - 1]
    return rows[rows.index(rows.startIndex, offsetBy: position - start)]
  }
}
