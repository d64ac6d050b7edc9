/** How much processor time is measured at once, in ms: some systems count it in steps of 4 ms. */
const measuredMs = 8;

/** What is too little to be measured, in ms: what grows with its square takes 2 s of the largest text from outside, 1 MiB. */
const leastMs = 2;

/** How often something is run at most to be measured. */
const mostRuns = 1_024;

/** How often a growth is measured at most: the least counts, so that no neighbour and no collection of garbage does. */
const rounds = 5;

const smallest = 8_192;

/** The processor time of this thread for one run, in ms. */
function costOf(run: () => unknown): number {
  // Twice as many runs each time: one may be counted as none.
  for (let runs = 1; ; runs *= 2) {
    const all = once(() => {
      for (let index = 0; index < runs; index += 1) run();
    });
    if (all >= measuredMs || runs >= mostRuns) return all / runs;
  }
}

function once(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * How many times more work four times the input is: about 4 where work grows as its input does, 16 where it grows with its square. The
 * least of up to five rounds, which end as soon as one is at most `enough`, and of another five from there on.
 */
export function costOfGrowth<Input>(
  run: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  enough = 6,
): number {
  const growth = growthFrom(smallest, run, inputOf, enough);
  // What grows with its square goes on to do so; what a cache or a collection of garbage made of it does not.
  return growth <= enough ? growth : Math.min(growth, growthFrom(4 * smallest, run, inputOf, enough));
}

function growthFrom<Input>(
  size: number,
  run: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  enough: number,
): number {
  const [small, large] = [inputOf(size), inputOf(4 * size)];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && least > enough; round += 1) {
    const cost = once(() => run(large));
    // A large input that costs little needs no comparison.
    if (cost < leastMs) return 1;
    least = Math.min(
      least,
      cost /
        Math.max(
          costOf(() => run(small)),
          leastMs / 16,
        ),
    );
  }
  return least;
}
