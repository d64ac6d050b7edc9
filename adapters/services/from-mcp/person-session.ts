import type { ListedTools, RemoteFailure, RemoteSession } from '#adapters/contracts/remote-sessions.ts';
import type { SessionSlots, Slotted } from '#adapters/services/from-mcp/session-slots.ts';
import { digestsOf } from '#domain/remote-servers/remote-item.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** An open session, and the digests of what it lists, by name. */
export type OpenSession = Readonly<{ session: RemoteSession; digests: ReadonlyMap<string, string> }>;

/** What a person's session is made of. */
export type PersonSessionDependencies = Readonly<{
  slots: SessionSlots;
  /** Opens a session; `onListChanged` is called when the server says that its tools changed. */
  open: (signal: AbortSignal, onListChanged: () => void) => Promise<Result<RemoteSession, RemoteFailure>>;
  /** Notes what was listed. */
  onListed: (listed: ListedTools) => Promise<Result<void, RemoteFailure>>;
  /** Is called once, when it has ended. */
  onEnd: () => void;
  idleMs: number;
  /** A monotonic clock in ms. */
  now: () => number;
}>;

/** How long a session may take to open and list its tools, in ms. */
const openingMs = 20_000;

const full: RemoteFailure = {
  reason: 'unavailable',
  message: 'Too many people use such servers at once. Try again in a minute.',
  sent: 'no',
};

/** One person's session with a remote server: opened when it is needed, and closed when it is idle. */
export class PersonSession implements Slotted {
  /** The credentials that it was opened with: other ones need another session. */
  readonly credentials: string;
  readonly #dependencies: PersonSessionDependencies;
  readonly #ending = new AbortController();
  #opening: Promise<Result<OpenSession, RemoteFailure>> | null = null;
  #open: OpenSession | null = null;
  #running = 0;
  #lastUsedAt: number;
  #idle: NodeJS.Timeout | null = null;

  constructor(credentials: string, dependencies: PersonSessionDependencies) {
    this.credentials = credentials;
    this.#dependencies = dependencies;
    this.#lastUsedAt = dependencies.now();
  }

  isBusy = (): boolean => this.#running > 0;
  lastUsedAt = (): number => this.#lastUsedAt;

  /** Whether it can still be used. */
  get isEnded(): boolean {
    return this.#ending.signal.aborted || this.#open?.session.isClosed === true;
  }

  /** Works in the session, which stays open meanwhile. */
  async run<Made>(work: (open: OpenSession) => Promise<Made>): Promise<Result<Made, RemoteFailure>> {
    this.#running += 1;
    if (this.#idle !== null) clearTimeout(this.#idle);
    try {
      this.#opening ??= this.#begin();
      const opened = await this.#opening;
      if (!opened.ok) return opened;
      return ok(await work(this.#open ?? opened.value));
    } finally {
      this.#running -= 1;
      this.#lastUsedAt = this.#dependencies.now();
      if (this.#running === 0 && !this.#ending.signal.aborted) this.#rest();
    }
  }

  /** Has the server list what it offers now, also in a session that is open already. */
  async list(): Promise<Result<void, RemoteFailure>> {
    const wasOpen = this.#open !== null;
    const listed = await this.run(async () => (wasOpen ? this.#list(AbortSignal.timeout(openingMs)) : ok(undefined)));
    return listed.ok ? listed.value : listed;
  }

  /** Ends it; calls that run fail. Idempotent. */
  close = (): Promise<void> => {
    if (this.#ending.signal.aborted) return Promise.resolve();
    this.#ending.abort();
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#dependencies.slots.leave(this);
    this.#dependencies.onEnd();
    return this.#open?.session.close() ?? Promise.resolve();
  };

  #rest(): void {
    if (this.#open?.session.isClosed === true) void this.close();
    else this.#idle = setTimeout(() => void this.close(), this.#dependencies.idleMs).unref();
  }

  async #begin(): Promise<Result<OpenSession, RemoteFailure>> {
    const { slots, open } = this.#dependencies;
    if (!slots.take(this)) {
      void this.close();
      return err(full);
    }
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(openingMs)]);
    const opened = await open(signal, () => void this.#list(AbortSignal.timeout(openingMs)));
    if (!opened.ok) {
      void this.close();
      return opened;
    }
    this.#open = { session: opened.value, digests: new Map() };
    if (this.#ending.signal.aborted) await opened.value.close();
    const listed = await this.#list(signal);
    if (listed.ok) return ok(this.#open);
    void this.close();
    return listed;
  }

  /** Lists what the open session offers. */
  async #list(signal: AbortSignal): Promise<Result<void, RemoteFailure>> {
    if (this.#open === null) return ok(undefined);
    const { session } = this.#open;
    const listed = await session.list(signal);
    if (!listed.ok) return listed;
    this.#open = { session, digests: digestsOf(listed.value.tools) };
    return this.#dependencies.onListed(listed.value);
  }
}
