/** What a stage tool receives besides its arguments. */
export type StageCall = Readonly<{ signal: AbortSignal; progress(done: number, total: number): void }>;

/** What a stage tool answers: its text, or that it failed. */
export type StageAnswer = Readonly<{ text: string; isError?: boolean }>;

/** A tool that the server offers while its transport is tested. */
export type StageTool = Readonly<{
  name: string;
  description: string;
  inputSchema: Readonly<{ type: 'object'; properties: Readonly<Record<string, object>> }>;
  run(args: Readonly<Record<string, unknown>>, call: StageCall): Promise<StageAnswer>;
}>;

type Event = 'running' | 'released' | 'aborted';

/** How long to wait for an event, in ms. */
const patienceMs = 30_000;

/** The tools behind a transport under test, and a record of their calls. */
export class Stage {
  /** The names of the tools that have run, in order. */
  readonly ran: string[] = [];
  readonly #happened = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  readonly tools: readonly StageTool[] = [
    this.#tool('echo', 'Answers its text', { text: { type: 'string' } }, async ({ text }) => ({ text: String(text) })),
    this.#tool('wait', 'Waits until it is released', { as: { type: 'string' } }, ({ as }, call) =>
      this.#wait(String(as), call),
    ),
    this.#tool('count', 'Counts to three', {}, async (_, { progress }) => {
      for (const done of [1, 2, 2, 3]) progress(done, 3);
      return { text: 'counted' };
    }),
    this.#tool('fail', 'Fails', {}, async () => ({ text: 'It failed, as it always does', isError: true })),
    this.#tool('break', 'Throws', {}, () => Promise.reject(new Error('an inner word'))),
  ];

  /** Resolves when the waiting call runs. */
  running(as: string): Promise<void> {
    return this.#when(as, 'running');
  }

  /** Resolves when the waiting call was cancelled. */
  aborted(as: string): Promise<void> {
    return this.#when(as, 'aborted');
  }

  /** Lets the waiting call finish. */
  release(as: string): void {
    this.#happens(as, 'released');
  }

  async #wait(as: string, { signal }: StageCall): Promise<StageAnswer> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#happens(as, 'running');
    const ended = await Promise.race([
      this.#when(as, 'released').then(() => 'released'),
      aborted.then(() => 'aborted'),
    ]);
    if (ended === 'aborted') this.#happens(as, 'aborted');
    return { text: ended };
  }

  #tool(
    name: string,
    description: string,
    properties: Readonly<Record<string, object>>,
    run: StageTool['run'],
  ): StageTool {
    return {
      name,
      description,
      inputSchema: { type: 'object', properties },
      run: (args, call) => {
        this.ran.push(name);
        return run(args, call);
      },
    };
  }

  #happens(as: string, event: Event): void {
    const key = `${event} ${as}`;
    this.#happened.add(key);
    for (const resolve of this.#waiting.get(key) ?? []) resolve();
    this.#waiting.delete(key);
  }

  #when(as: string, event: Event): Promise<void> {
    const key = `${event} ${as}`;
    if (this.#happened.has(key)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The call "${as}" was not ${event}`)), patienceMs);
      timer.unref();
      const known = this.#waiting.get(key) ?? [];
      known.push(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#waiting.set(key, known);
    });
  }
}
