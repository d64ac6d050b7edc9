/** How much processor time is measured at once, in ms: some systems count it in steps of 4 ms. */
const measuredMs = 20;

/**
 * The processor time of this thread for one run, in ms: of as many as can be measured, and the least of a few, so that no neighbour and no
 * collection of garbage counts.
 */
function costOf(run: () => unknown): number {
  const runs = Math.ceil(measuredMs / Math.max(once(run), 1));
  const all = () => {
    for (let index = 0; index < runs; index += 1) run();
  };
  return Math.min(...Array.from({ length: 3 }, () => once(all))) / runs;
}

function once(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** What is too little to be told from nothing, in ms. */
const leastMs = 2;

/**
 * How many times more work four times the input is: about 4 where work grows as its input does, 16 where it grows with its square.
 */
export function costOfGrowth<Input>(run: (input: Input) => unknown, inputOf: (size: number) => Input): number {
  const size = 16_384;
  const [small, large] = [inputOf(size), inputOf(4 * size)];
  // A large input that costs little needs no comparison.
  if (once(() => run(large)) < 12 * leastMs) return 1;
  return (
    costOf(() => run(large)) /
    Math.max(
      costOf(() => run(small)),
      leastMs,
    )
  );
}
