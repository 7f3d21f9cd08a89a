import Composable
import FoundationEssentials
import Testing

/// How failures show values.
@Suite struct ValueTextTests {
  private final class Node {
    let name: String
    var other: Node?
    var list: [Node] = []
    init(_ name: String) { self.name = name }
  }

  @Test func objectsThatReferToEachOtherEnd() {
    let first = Node("a")
    let second = Node("b")
    first.other = second
    second.other = first
    second.list = [second, first, Node("c")]
    #expect(
      describe(first)
        == """
        ValueTextTests.Node(name: "a", other: ValueTextTests.Node(name: "b", \
        other: ValueTextTests.Node(…), list: [ValueTextTests.Node(…), ValueTextTests.Node(…), \
        ValueTextTests.Node(name: "c", other: nil, list: [])]), list: [])
        """)
  }

  @Test func anObjectThatIsThereTwiceIsShownTwice() {
    let shared = Node("c")
    let first = Node("a")
    first.list = [shared, shared]
    #expect(describe(first).components(of: "name: \"c\"") == 2)
  }

  @Test func theDifferenceOfObjectsThatReferToThemselvesEnds() {
    func ring(_ name: String) -> Node {
      let first = Node("a")
      let second = Node(name)
      first.other = second
      second.other = first
      return first
    }
    #expect(
      difference(ring("b"), ring("c"))
        == """
            ValueTextTests.Node(
              other: ValueTextTests.Node(
          −     name: "b"
          +     name: "c"
                other: ValueTextTests.Node(…)
                … (1 unchanged)
              )
              … (2 unchanged)
            )
        """)
    #expect(difference(ring("b"), ring("b")).contains("Both look the same"))
  }

  @Test func decimalsAndKeyPathsAreShownAsTheyAreWritten() {
    struct Price: Equatable { var amount: Decimal = 12.5 }
    #expect(describe(Decimal(string: "12.50")!) == "12.5")
    #expect(describe(Price()) == "ValueTextTests.Price(amount: 12.5)")
    #expect(describe(\Price.amount) == #"\Price.amount"#)
    #expect(describe(["path": \Price.amount as AnyKeyPath]) == #"["path": \Price.amount]"#)
  }

  @Test func nilInsideAnOptionalIsToldFromNil() {
    #expect(describe(Int??.none as Any) == "nil")
    #expect(describe(Int??.some(nil) as Any) == ".some(nil)")
    #expect(describe(Int???.some(.some(nil)) as Any) == ".some(.some(nil))")
    #expect(describe(Int???.some(.some(1)) as Any) == "1")
    #expect(
      difference([Int??.some(nil)], [Int??.none])
        == """
            [
          −   [0]: .some(nil)
          +   [0]: nil
            ]
        """)
  }

  @Test func aCaseIsNamedEvenIfItsTypeDescribesItself() {
    enum Size: String, CustomStringConvertible, CustomDebugStringConvertible {
      case small, large
      var description: String { "a size" }
      var debugDescription: String { "Size" }
    }
    enum Shape: CustomStringConvertible {
      case point
      case circle(Size)
      var description: String { "a shape" }
    }
    #expect(describe(Size.small) == ".small")
    #expect(describe(Shape.circle(.large)) == ".circle(.large)")
    #expect(describe([Size.small: Shape.point]) == "[.small: .point]")
    #expect(
      difference(Size.small, Size.large)
        == """
          − .small
          + .large
        """)
  }

  @Test func aSharedValueHasTheNameOfTheValue() {
    struct Settings: Equatable, Sendable { var theme = "light" }
    struct State: Equatable, Sendable {
      @Shared(.inMemory("settings")) var settings = Settings()
      @SharedReader(.inMemory("count")) var count = 3
      @SharedReader(.inMemory("reader")) var other = Settings()
      @Presents var sheet: Settings? = Settings()
    }
    #expect(
      describe(State())
        == """
        ValueTextTests.State(settings: ValueTextTests.Settings(theme: "light"), count: 3, \
        other: ValueTextTests.Settings(theme: "light"), \
        sheet: ValueTextTests.Settings(theme: "light"))
        """)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
