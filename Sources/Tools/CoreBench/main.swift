import Benching

// Measures the core. An argument limits it to cases whose names contain that text.
Bench.run { bench in
  let table = Table(bench: bench, filter: bench.arguments.first)
  bench.table("the core", in: "ns", "TCA", "floor", "goal", "minimum", "median")
  await measureSending(table)
  await measureLists(table)
  await measureEffects(table)
  await measureTesting(table)
  if !Bench.isCounting {
    bench.table("memory", in: "bytes", "TCA", "floor", "goal", "minimum", "median")
    await measureMemory(table)
  }
  return 0
}
