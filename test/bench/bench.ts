/** One measured load: what is asked, of whom. */
export type Load = Readonly<{
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
}>;

/** A load beside the same bytes answered by bare node:http. */
export type Row = Readonly<{ load: string; target: Figures; bare: Figures; ratio: number }>;

/** What a load came to: requests a second, and latencies in milliseconds. */
export type Figures = Readonly<{ perSecond: number; p50: number; p99: number; failed: number }>;

/** What is measured: its address, the headers that sign a client in, and how to end it. */
export type Target = Readonly<{ url: string; headers: Readonly<Record<string, string>>; close(): Promise<void> }>;

/** What a bench is given. */
export type BenchTools = Readonly<{
  /** The running edge, over a tool that answers at once. */
  target: Readonly<{ url: string; headers: Readonly<Record<string, string>> }>;
  /** Measures a load of the target beside a bare echo of the same bytes, in turns. */
  compare(name: string, load: Load): Promise<Row>;
}>;

/** A bench: one file in `test/bench/benches` that exports `bench`. */
export type Bench = Readonly<{ name: string; run(tools: BenchTools): Promise<readonly Row[]> }>;
