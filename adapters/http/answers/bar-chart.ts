/** A bar: what it stands for, and how many things there were, of which so many failed. */
export type Bar = Readonly<{ label: string; count: number; failed: number }>;

/** A rectangle of a chart, in its own units. */
type Rectangle = Readonly<{ x: number; y: number; height: number }>;

/** A bar as it is drawn: what was done from the ground up, and what failed on top of it; null for none. */
type DrawnBar = Bar & Readonly<{ x: number; done: Rectangle | null; bad: Rectangle | null }>;

/** A chart of bars: its size and bars in its own units, and the labels below its first, middle and last bar. */
export type BarChart = Readonly<{
  width: number;
  height: number;
  barWidth: number;
  bars: readonly DrawnBar[];
  /** The greatest number of one bar. */
  most: number;
  ticks: readonly string[];
}>;

const height = 100;
const step = 10;
const barWidth = 7;
/** The least height of something that is not nothing. */
const least = 2;

/** Lays a chart out; its bars have room for the highest. */
export function barChart(bars: readonly Bar[]): BarChart {
  const most = Math.max(1, ...bars.map(({ count, failed }) => Math.max(count, failed)));
  const tall = (value: number): number => (value === 0 ? 0 : Math.max(least, Math.round((value / most) * height)));
  const drawn = bars.map((bar, index): DrawnBar => {
    const x = index * step;
    const bad = tall(bar.failed);
    const done = tall(Math.max(0, bar.count - bar.failed));
    return {
      ...bar,
      x,
      done: done === 0 ? null : { x, y: height - Math.min(done, height - bad), height: Math.min(done, height - bad) },
      bad: bad === 0 ? null : { x, y: Math.max(0, height - done - bad), height: bad },
    };
  });
  const ticks = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].flatMap((bar) => bar?.label ?? []);
  return { width: bars.length * step, height, barWidth, bars: drawn, most, ticks };
}
