/// A program that shows the workload, and its name in the table.
struct Contender {
  var name: String
  var program: String
}
