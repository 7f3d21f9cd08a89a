import Composable
import ComposableTesting

// The cases of the table in `docs/performance.md`, by the same names. An argument measures only the
// cases whose names contain it.

let table = Table(filter: CommandLine.arguments.dropFirst().first)

table.printHeader(unit: "ns")
await measureSending(table)
await measureLists(table)
await measureEffects(table)
await measureTesting(table)
print()
table.printHeader(unit: "bytes")
await measureMemory(table)
