import Composable
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

  private class Animal: CustomFailureStringConvertible {
    let name = "Ada"
    var descriptionInFailures: String { "an animal" }
  }

  private final class Cat: Animal {
    let lives = 9
  }

  @Test func aTypeSaysHowFailuresShowItsValues() {
    struct Money: CustomFailureStringConvertible, Equatable {
      var cents: Int
      var descriptionInFailures: String { "€\(cents / 100).\(cents % 100)" }
    }
    struct Bill: Equatable {
      var price: Money
      var tip: Money?
    }
    enum Level: CustomFailureStringConvertible, CustomStringConvertible {
      case low
      var description: String { "low!" }
    }
    // The second time, the type is known.
    for _ in 1...2 {
      #expect(
        difference(
          Bill(price: Money(cents: 150)), Bill(price: Money(cents: 150), tip: Money(cents: 25)))
            == """
                ValueTextTests.Bill(
              −   tip: nil
              +   tip: €0.25
                  … (1 unchanged)
                )
            """)
      #expect(describe([Level.low]) == "[low!]")
      #expect(describe([Animal(), Cat()]) == "[an animal, an animal]")
    }
  }

  @Test func keyPathsAreShownAsTheyAreWritten() {
    struct Price: Equatable { var amount = 12.5 }
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
