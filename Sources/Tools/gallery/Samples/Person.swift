/// A person in the gallery's lists.
struct Person: Equatable, Sendable {
  let name: String
  let field: String
  let born: Int

  static let samples = [
    Person(name: "Ada Lovelace", field: "Analysis", born: 1815),
    Person(name: "Alan Turing", field: "Computability", born: 1912),
    Person(name: "Annie Easley", field: "Rocketry", born: 1933),
    Person(name: "Barbara Liskov", field: "Languages", born: 1939),
    Person(name: "Charles Babbage", field: "Engines", born: 1791),
    Person(name: "Donald Knuth", field: "Algorithms", born: 1938),
    Person(name: "Edsger Dijkstra", field: "Algorithms", born: 1930),
    Person(name: "Frances Allen", field: "Compilers", born: 1932),
    Person(name: "Grace Hopper", field: "Compilers", born: 1906),
    Person(name: "Hedy Lamarr", field: "Radio", born: 1914),
    Person(name: "John Backus", field: "Languages", born: 1924),
    Person(name: "Karen Jones", field: "Linguistics", born: 1935),
    Person(name: "Katherine Johnson", field: "Orbits", born: 1918),
    Person(name: "Margaret Hamilton", field: "Spaceflight", born: 1936),
    Person(name: "Mary Somerville", field: "Astronomy", born: 1780),
    Person(name: "Niklaus Wirth", field: "Languages", born: 1934),
    Person(name: "Radia Perlman", field: "Networks", born: 1951),
    Person(name: "Tony Hoare", field: "Languages", born: 1934),
    Person(name: "山田 花子", field: "Wide letters", born: 1950),
  ]
}
