/**
 * Makes a clock in ms that never goes back, and that runs on while the process, or the machine below it, stands still: of the
 * system's two clocks the one counts that says that more time has passed, since a wall clock may be set back and the other may
 * stop with the machine.
 */
export function elapsedClock(
  clocks: Readonly<{ steady: () => number; wall: () => number }> = { steady: () => performance.now(), wall: Date.now },
): () => number {
  let elapsed = 0;
  let [steady, wall] = [clocks.steady(), clocks.wall()];
  return () => {
    const [steadyNow, wallNow] = [clocks.steady(), clocks.wall()];
    elapsed += Math.max(steadyNow - steady, wallNow - wall, 0);
    [steady, wall] = [steadyNow, wallNow];
    return elapsed;
  };
}
