import type { Clock } from '#application/ports/clock.ts';

/** An open store: the port that is judged, and how to end it. `close` is called once, whatever happened to the store. */
export type Opened<Port> = Readonly<{ port: Port; close(): Promise<void> }>;

/** What a store is opened with: the clock that its times are judged by, and how many entries a bounded store holds. */
export type OpenOptions = Readonly<{ clock: Clock; max: number }>;

/**
 * What a store can do. What it cannot do is printed as skipped, and judged by a clause of its own where that is possible:
 * a store that is said to forget must forget.
 */
export type Supports = Readonly<{
  /** Whether what was stored is there when the store is opened again. Needs `reopen`. */
  durable: boolean;
  /** Whether several processes can share the store. Needs `beside`. */
  processes: boolean;
  /** Whether its times are those of the clock it is given; true when not stated. */
  clock?: boolean;
}>;

/** An adapter to judge. `Handle` is whatever its `open` returns, so that the other functions find what they need in it. */
export type Subject<Port, Handle extends Opened<Port> = Opened<Port>> = Readonly<{
  /** The name that stands in the titles: 'redis'. */
  name: string;
  /** Opens an empty store, for one test. */
  open(options: OpenOptions): Promise<Handle>;
  /** Ends the store as the end of a process does, and opens again what it stored; `opened` is not closed afterwards. */
  reopen?(opened: Handle, options: OpenOptions): Promise<Handle>;
  /** Opens the same store a second time, as another process does. */
  beside?(opened: Handle, options: OpenOptions): Promise<Handle>;
  /** Returns everything that the store has written outside of the process: the bytes of its files, the values of its rows. */
  raw?(opened: Handle): Promise<string | Uint8Array>;
  supports: Supports;
}>;
