import Domain
import FoundationEssentials

/// Computes deadlines of set times for `Scripts/compare-set-times`, which compares them with a
/// reference.
///
/// Each line of standard input is `ZONE OPENING LAST FLOOR RULE TIMES…`, in seconds; the answer is
/// `OPENS NEXT`. RULE is `data` for the machine's zone data or `rule` for the rule that would be
/// stored.
@main
struct Main {
  static func main() throws {
    while let line = readLine() {
      let words = line.split(separator: " ")
      let zone = String(words[0])
      guard let data = ZoneData.rules(of: zone),
        let rules = words[4] == "data" ? data : ZoneRules(posix: data.ruleText),
        let opening = Int(words[1]), let last = Double(words[2]), let floor = Double(words[3])
      else {
        print("unknown")
        continue
      }
      let times = try SetTimes(
        parsing: words[5...].joined(separator: " "), zone: zone, opening: .seconds(opening))
      let due = times.due(
        after: Date(timeIntervalSince1970: last), floor: Date(timeIntervalSince1970: floor),
        rules: rules)
      print(due.opens.timeIntervalSince1970, Int(due.date.timeIntervalSince1970))
    }
  }
}
