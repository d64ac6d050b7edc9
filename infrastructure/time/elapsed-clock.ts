/**
 * Returns a monotonic clock in ms that keeps running while the process or machine is suspended. It advances by
 * whichever of the system's two clocks advanced further, since the wall clock may be set back, and the monotonic one
 * may stop during suspension.
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
