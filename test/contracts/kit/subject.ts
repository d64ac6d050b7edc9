import type { Clock } from '#application/ports/clock.ts';

/** An open store: the port under test, and how to close it. `close` is called once, whatever happened to the store. */
export type Opened<Port> = Readonly<{ port: Port; close(): Promise<void> }>;

/** What a store is opened with: the clock that it must use, and the capacity of a bounded store. */
export type OpenOptions = Readonly<{ clock: Clock; max: number }>;

/**
 * The abilities of a store. Clauses for a missing ability are reported as skipped; where possible another clause tests its absence: a
 * store that is not durable must be empty when it is reopened.
 */
export type Supports = Readonly<{
  /** Whether stored data survives closing and reopening. Requires `reopen`. */
  durable: boolean;
  /** Whether several processes can share the store. Requires `beside`. */
  processes: boolean;
  /** Whether it takes its times from the given clock; true by default. */
  clock?: boolean;
}>;

/** An adapter under test. `Handle` is the type that `open` returns and the other functions receive. */
export type Subject<Port, Handle extends Opened<Port> = Opened<Port>> = Readonly<{
  /** The name shown in test titles: 'redis'. */
  name: string;
  /** Opens an empty store, for one test. */
  open(options: OpenOptions): Promise<Handle>;
  /** Closes the store as the end of a process would, and opens the same data again; `opened` is not closed afterwards. */
  reopen?(opened: Handle, options: OpenOptions): Promise<Handle>;
  /** Opens the same store a second time, as another process would. */
  beside?(opened: Handle, options: OpenOptions): Promise<Handle>;
  /** Returns everything that the store has written outside the process: the bytes of its files, the values of its rows. */
  raw?(opened: Handle): Promise<string | Uint8Array>;
  supports: Supports;
}>;
