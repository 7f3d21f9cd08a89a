/// A program that shows the workload, by a name.
struct Contender {
  var name: String
  var program: String
}
