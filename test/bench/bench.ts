/** One measured load: what is asked, of whom. */
export type Load = Readonly<{
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The body of the request of that number, where each is another; `body` stands for them at the bare server. */
  bodyOf?: (sent: number) => string;
  /** The process that answers, whose processor time is read; not read when not given. */
  pid?: number;
}>;

/**
 * A load with its baseline in the same run, both of the median round. `spread` is how much of the baseline's best round its
 * worst one lacked, from 0 to 1: where it is large, the machine had other work and the ratio says little.
 */
export type Row = Readonly<{ load: string; target: Figures; bare: Figures; ratio: number; spread: number }>;

/**
 * What a load came to: requests a second, latencies in ms, and processor time of the answering process for each in ms; null where
 * that is not known.
 */
export type Figures = Readonly<{
  perSecond: number;
  p50: number | null;
  p99: number | null;
  cpuMs: number | null;
  failed: number;
}>;

/** What is measured: its address and process, the headers that sign a client in, and how to end it. */
export type Target = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  pid?: number;
  close(): Promise<void>;
}>;

/** What a bench is given. */
export type BenchTools = Readonly<{
  /** The running edge, over a tool that answers at once. */
  target: Pick<Target, 'url' | 'headers' | 'pid'>;
  /** Measures a load of the target in turns with `beside`; with a bare echo of the same bytes when that is not given. */
  compare(name: string, load: Load, beside?: Pick<Target, 'url' | 'pid'>): Promise<Row>;
}>;

/** A measured size with its baseline in the same run; null where the system does not report it. */
export type Figure = Readonly<{ figure: string; unit: string; value: number | null; baseline: number | null }>;

/** A table of a bench's own. */
export type Grid = Readonly<{ head: readonly string[]; lines: readonly (readonly string[])[] }>;

/** A bench: one file in `test/bench/benches` that exports `bench`. `measure` gives what is no load, `grid` what has a table of its own. */
export type Bench = Readonly<{
  name: string;
  run(tools: BenchTools): Promise<readonly Row[]>;
  measure?(): Promise<readonly Figure[]>;
  grid?(): Promise<Grid>;
}>;
