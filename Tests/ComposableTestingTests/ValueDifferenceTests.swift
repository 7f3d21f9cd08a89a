import Composable
import ComposableTesting
import Testing

private struct Row: Equatable, Identifiable {
  var id: Int
  var name = "x"
}

private struct Model: Equatable {
  var number = 1
  var title: String? = "a"
  var rows: IdentifiedArrayOf<Row> = []
  var tags: Set<String> = []
  var ages: [String: Int] = [:]
  var numbers: [Int] = []
}

private enum Choice: Equatable {
  case none
  case row(Row)
  case pair(first: Int, second: Int)
}

private struct Hidden: Equatable {
  var number: Double
}

@Suite struct ValueDifferenceTests {
  @Test func structsFoldWhatIsTheSame() {
    expect(
      difference(Model(), Model(number: 2)),
      """
          Model(
        −   number: 1
        +   number: 2
            … (5 unchanged)
          )
      """)
  }

  @Test func optionals() {
    expect(
      difference(Model(), Model(title: nil)),
      """
          Model(
        −   title: "a"
        +   title: nil
            … (5 unchanged)
          )
      """)
  }

  @Test func enumsOfTheSameCaseShowTheirPayload() {
    expect(
      difference(Choice.row(Row(id: 1)), Choice.row(Row(id: 1, name: "y"))),
      """
          .row(
            Row(
        −     name: "x"
        +     name: "y"
              … (1 unchanged)
            )
          )
      """)
    expect(
      difference(Choice.pair(first: 1, second: 2), Choice.pair(first: 1, second: 3)),
      """
          .pair(
        −   second: 2
        +   second: 3
            … (1 unchanged)
          )
      """)
  }

  @Test func enumsOfDifferentCasesAreReplaced() {
    expect(
      difference(Choice.none, Choice.row(Row(id: 1))),
      """
        − .none
        + .row(
        +   Row(
        +     id: 1,
        +     name: "x"
        +   )
        + )
      """)
  }

  @Test func arraysAlignTheirElements() {
    expect(
      difference(Model(numbers: [1, 2, 3, 4]), Model(numbers: [1, 3, 4, 5])),
      """
          Model(
            numbers: [
              … (1 unchanged)
        −     [1]: 2
              … (2 unchanged)
        +     [3]: 5
            ]
            … (5 unchanged)
          )
      """)
  }

  @Test func anElementInThePlaceOfAnotherShowsWhatDiffers() {
    expect(
      difference([Hidden(number: 1), Hidden(number: 2)], [Hidden(number: 1), Hidden(number: 3)]),
      """
          [
            … (1 unchanged)
            [1]: Hidden(
        −     number: 2.0
        +     number: 3.0
            )
          ]
      """)
  }

  @Test func anEmptyListIsReplaced() {
    expect(
      difference([Int](), [1]),
      """
        − []
        + [
        +   [0]: 1
        + ]
      """)
    expect(
      difference([1, 2], [2]),
      """
          [
        −   [0]: 1
            … (1 unchanged)
          ]
      """)
  }

  @Test func elementsWithIDsAreComparedByThem() {
    expect(
      difference([Row(id: 1), Row(id: 2)], [Row(id: 1), Row(id: 2, name: "y")]),
      """
          [
            … (1 unchanged)
            [1]: Row(
        −     name: "x"
        +     name: "y"
              … (1 unchanged)
            )
          ]
      """)
    expect(
      difference([Row(id: 1), Row(id: 2)], [Row(id: 2), Row(id: 1)]),
      """
          [
            … (1 unchanged)
        +   [1]: id 1 (moved from [0])
          ]
      """)
  }

  @Test func identifiedArraysByIDWithMoves() {
    expect(
      difference(
        Model(rows: [Row(id: 1), Row(id: 2), Row(id: 3)]),
        Model(rows: [Row(id: 3), Row(id: 1), Row(id: 2, name: "y"), Row(id: 4)])),
      """
          Model(
            rows: [
        +     [0]: id 3 (moved from [2])
              … (1 unchanged)
              [2]: Row(
        −       name: "x"
        +       name: "y"
                … (1 unchanged)
              )
        +     [3]: Row(
        +       id: 4,
        +       name: "x"
        +     )
            ]
            … (5 unchanged)
          )
      """)
  }

  @Test func setsAndDictionariesInStableOrder() {
    expect(
      difference(
        Model(tags: ["c", "a", "b"], ages: ["x": 1, "y": 2, "z": 3]),
        Model(tags: ["b", "d", "c"], ages: ["y": 3, "z": 3, "w": 4])),
      """
          Model(
            tags: Set([
        −     "a"
        +     "d"
              … (2 unchanged)
            ])
            ages: [
        +     "w": 4
        −     "x": 1
        −     "y": 2
        +     "y": 3
              … (1 unchanged)
            ]
            … (4 unchanged)
          )
      """)
  }

  @Test func textLineByLine() {
    expect(
      difference("one\ntwo\nthree", "one\n2\nthree"),
      #"""
          """
            … (1 unchanged)
        −   two
        +   2
            … (1 unchanged)
          """
      """#)
  }

  @Test func aTextThatComesKeepsItsEmptyLines() {
    expect(
      difference(Model(title: nil), Model(title: "one\n\nthree")),
      #"""
          Model(
        −   title: nil
        +   title: """
        +   one
        +   \#("")
        +   three
        +   """
            … (5 unchanged)
          )
      """#)
  }

  @Test func valuesThatLookTheSame() {
    expect(
      difference(Hidden(number: .nan), Hidden(number: .nan)),
      """
          Hidden(
        −   number: nan
        +   number: nan
          )
      """)
  }

  @Test func describesOnOneLine() {
    #expect(describe(Choice.none) == ".none")
    #expect(describe(Choice.row(Row(id: 1))) == #".row(Row(id: 1, name: "x"))"#)
    #expect(describe([1: "a"]) == #"[1: "a"]"#)
    #expect(describe(Model.self) == "Model.self")
  }

  private func expect(
    _ actual: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(actual == expected, sourceLocation: sourceLocation)
  }
}
