import Composable
import FoundationEssentials
import Testing

@Suite struct IdentifiedArrayTests {
  private struct Row: Codable, Equatable, Hashable, Identifiable {
    var id: Int
    var name = ""
  }

  private typealias Rows = IdentifiedArrayOf<Row>

  /// Checks the invariants: ids, positions and elements agree.
  private func expectConsistent(_ rows: Rows, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(rows.ids == rows.elements.map(\.id), sourceLocation: sourceLocation)
    #expect(Set(rows.ids).count == rows.count, sourceLocation: sourceLocation)
    for (index, row) in rows.enumerated() {
      #expect(rows.index(id: row.id) == index, sourceLocation: sourceLocation)
      #expect(rows[id: row.id] == row, sourceLocation: sourceLocation)
      #expect(rows[index] == row, sourceLocation: sourceLocation)
    }
  }

  @Test func findsElementsByTheirIDs() {
    let rows: Rows = [Row(id: 3), Row(id: 1), Row(id: 2)]
    #expect(rows.ids == [3, 1, 2])
    #expect(rows[id: 1] == Row(id: 1))
    #expect(rows[id: 9] == nil)
    #expect(rows.index(id: 2) == 2)
    #expect(rows.contains(id: 3))
    expectConsistent(rows)
  }

  @Test func keepsIDsUnique() {
    var rows: Rows = [Row(id: 1, name: "first")]
    #expect(rows.append(Row(id: 1, name: "second")) == (false, 0))
    #expect(rows.insert(Row(id: 1, name: "third"), at: 0) == (false, 0))
    rows.append(contentsOf: [Row(id: 1), Row(id: 2)])
    #expect(rows.map(\.name) == ["first", ""])
    expectConsistent(rows)
    withKnownIssue { _ = Rows(uniqueElements: [Row(id: 1), Row(id: 1)]) }
  }

  /// Makes every sequence of three changes to a small array and compares it with a plain array.
  @Test func everySequenceOfChangesActsAsOnAPlainArray() {
    typealias Change = (
      name: String, identified: (inout Rows) -> Void, plain: (inout [Row]) -> Void
    )
    let changes: [Change] = [
      (
        "append", { $0.append(Row(id: 10)) },
        { if !$0.contains(where: { $0.id == 10 }) { $0.append(Row(id: 10)) } }
      ),
      (
        "insert", { $0.insert(Row(id: 11), at: 0) },
        { if !$0.contains(where: { $0.id == 11 }) { $0.insert(Row(id: 11), at: 0) } }
      ),
      ("remove", { $0.remove(id: 1) }, { $0.removeAll { $0.id == 1 } }),
      ("remove last", { if !$0.isEmpty { $0.remove(at: $0.count - 1) } }, { _ = $0.popLast() }),
      (
        "change", { $0[id: 2]?.name += "x" },
        { rows in
          for index in rows.indices where rows[index].id == 2 { rows[index].name += "x" }
        }
      ),
      (
        "modify", { $0.modify(id: 3) { $0.name = "m" } },
        { rows in
          for index in rows.indices where rows[index].id == 3 { rows[index].name = "m" }
        }
      ),
      (
        "filter", { $0.removeAll { $0.id.isMultiple(of: 2) } },
        { $0.removeAll { $0.id.isMultiple(of: 2) } }
      ),
      ("sort", { $0.sort { $0.id > $1.id } }, { $0.sort { $0.id > $1.id } }),
      (
        "move", { if $0.count > 1 { $0.move(from: 0, to: $0.count - 1) } },
        { if $0.count > 1 { $0.append($0.removeFirst()) } }
      ),
      ("set nil", { $0[id: 3] = nil }, { $0.removeAll { $0.id == 3 } }),
      ("clear", { $0.removeAll() }, { $0.removeAll() }),
    ]
    for first in changes {
      for second in changes {
        for third in changes {
          var plain = [Row(id: 1), Row(id: 2), Row(id: 3)]
          var rows = Rows(uniqueElements: plain)
          let copy = rows
          for change in [first, second, third] {
            change.identified(&rows)
            change.plain(&plain)
          }
          let names = "\(first.name), \(second.name), \(third.name)"
          #expect(rows.elements == plain, "\(names)")
          #expect(copy.map(\.name) == ["", "", ""], "A copy changed by \(names)")
          expectConsistent(rows)
        }
      }
    }
  }

  @Test func updatesOrAppends() {
    var rows: Rows = [Row(id: 1, name: "a")]
    #expect(rows.updateOrAppend(Row(id: 1, name: "b")) == Row(id: 1, name: "a"))
    #expect(rows.updateOrAppend(Row(id: 2)) == nil)
    rows[id: 3] = Row(id: 3)
    #expect(rows.ids == [1, 2, 3])
    #expect(rows.modify(id: 9) { _ in } == nil)
    expectConsistent(rows)
  }

  @Test func whatIsTakenOutByPositionsMayBeNamedInAnyOrderAndTwice() {
    var rows: Rows = [Row(id: 1), Row(id: 2), Row(id: 3), Row(id: 4)]
    rows.remove(atOffsets: [])
    #expect(rows.ids == [1, 2, 3, 4])
    rows.remove(atOffsets: [3, 0, 3])
    #expect(rows.ids == [2, 3])
    #expect(rows.index(id: 3) == 1 && rows.index(id: 4) == nil)
    rows.move(from: 1, to: 1)
    rows.move(from: 0, to: 1)
    #expect(rows.ids == [3, 2] && rows.map(\.id) == [3, 2] && rows[id: 2]?.id == 2)
    // An array can be appended to itself. No id is added twice.
    rows.append(contentsOf: rows)
    #expect(rows.count == 2)
  }

  @Test func isCodedAsAnArray() throws {
    let rows: Rows = [Row(id: 2, name: "b"), Row(id: 1, name: "a")]
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode([Row].self, from: data) == rows.elements)
    #expect(try JSONDecoder().decode(Rows.self, from: data) == rows)
    let twice = try JSONEncoder().encode([Row(id: 1), Row(id: 1)])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Rows.self, from: twice) }
  }

  @Test func isAValue() {
    let rows: Rows = [Row(id: 1)]
    #expect(rows == [Row(id: 1)])
    #expect(rows != [Row(id: 1, name: "x")])
    #expect(rows.hashValue == Rows(uniqueElements: [Row(id: 1)]).hashValue)
    #expect("\(rows)" == "\(rows.elements)")
  }
}
