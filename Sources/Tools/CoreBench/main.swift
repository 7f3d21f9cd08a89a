import Composable
import ComposableTesting

// Measures the cases of the table in `docs/performance.md`, by the same names. An argument limits
// it to cases whose names contain that text.

let table = Table(filter: CommandLine.arguments.dropFirst().first)

table.printHeader(unit: "ns")
await measureSending(table)
await measureLists(table)
await measureEffects(table)
await measureTesting(table)
print()
table.printHeader(unit: "bytes")
await measureMemory(table)
