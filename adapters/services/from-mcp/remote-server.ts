import type { RemoteOffer } from '#adapters/contracts/remote-offers.ts';
import type { ListedTools, RemoteConnector, RemoteFailure, RemoteReach } from '#adapters/contracts/remote-sessions.ts';
import { blankRecord } from '#adapters/services/credentials/blank-record.ts';
import type {
  RemoteDefinition,
  RemoteProvider,
  RemoteSending,
} from '#adapters/services/definitions/remote-definition.ts';
import { type OpenSession, PersonSession } from '#adapters/services/from-mcp/person-session.ts';
import { outcomeOfFailure, outcomeOfResult } from '#adapters/services/from-mcp/remote-answers.ts';
import { type RemoteRows, remoteRows } from '#adapters/services/from-mcp/remote-rows.ts';
import type { SessionSlots } from '#adapters/services/from-mcp/session-slots.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { RemotePins } from '#application/remote-servers/remote-pins.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { isGrantedFor } from '#domain/remote-servers/granted-for.ts';
import { changedKinds, type PinnedList, type UsableTool, usableTools } from '#domain/remote-servers/pinned-list.ts';
import { digestOfTool } from '#domain/remote-servers/remote-tool.ts';
import { remoteUri } from '#domain/remote-servers/remote-uri.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What a remote server is made of. */
export type RemoteServerDependencies = Readonly<{
  definition: RemoteDefinition;
  /** How it is reached, as the settings have it. */
  reach: RemoteReach;
  connector: RemoteConnector;
  pins: Pick<RemotePins, 'find' | 'noteListing'>;
  /** The sessions of all servers of its kind. */
  slots: SessionSlots;
  logger: Logger;
  /** Is called with what a 401 or 403 says in `WWW-Authenticate`. */
  challenged?: ((place: Readonly<{ userId: number; service: string }>, challenge: string) => void) | undefined;
  idleMs?: number;
}>;

/** How long a session is kept while nothing runs in it, in ms. */
const usualIdleMs = 300_000;
/** The waits before a server that could not be listed, or reached, is tried again, in ms: each twice the one before. */
const leastWaitMs = 1_000;
const mostWaitMs = 60_000;

const changedTool = (title: string, name: string): string =>
  `${title} has changed its tool ${name} since it was accepted. An administrator has to look at the change first.`;

/** The wait after so many failed attempts besides the first, in ms. */
const waitMs = (attempt: number): number => Math.min(mostWaitMs, leastWaitMs * 2 ** Math.min(attempt, 16));

/** A remote MCP server in this process: its accepted tools as operations, and the sessions of the people who use it. */
export class RemoteServer implements RemoteProvider {
  readonly definition: RemoteDefinition;
  readonly #dependencies: RemoteServerDependencies;
  readonly #sessions = new Map<number, PersonSession>();
  #rows: RemoteRows;
  #usable: readonly UsableTool[] = [];
  readonly #versions = { tools: 0, prompts: 0, resources: 0 };
  /** The names that it listed last in this process; null before. Counts where all people see the same tools. */
  #listed: ReadonlySet<string> | null = null;
  #leftOut: ListedTools['leftOut'] = [];
  /** Failed attempts to open a session in a row, and until when none is made, by the monotonic clock. */
  #failures = 0;
  #restsUntil = 0;
  #retry: NodeJS.Timeout | null = null;
  /** Whether it is being asked for its tools in the background, until it has answered. */
  #isAsking = false;
  #isStopped = false;

  constructor(dependencies: RemoteServerDependencies) {
    this.definition = dependencies.definition;
    this.#dependencies = dependencies;
    this.#rows = remoteRows(dependencies.definition, []);
  }

  get current(): OperationTable {
    return this.#rows.table;
  }

  /** Another number after each change of its tools, of its prompts, and of its resources. */
  get versions(): Readonly<Record<'tools' | 'prompts' | 'resources', number>> {
    return this.#versions;
  }

  /** What it offers besides tools. */
  get offer(): RemoteOffer {
    return this.#rows.offers;
  }

  /** The tools that `workspace_search` asks, by their operations. */
  get searched(): OperationTable {
    const { searched } = this.definition;
    const isSearched = ([, row]: readonly [string, OperationTable[string]]) => {
      const one = row.kind === 'request' ? this.#rows.tools.get(row) : undefined;
      return one !== undefined && (one.isSearched || searched.includes(one.tool.name));
    };
    return Object.fromEntries(Object.entries(this.current).filter(isSearched));
  }

  /** The tools of its last listing that are left out here, and why. */
  get leftOut(): ListedTools['leftOut'] {
    return this.#leftOut;
  }

  /** Loads what is known of its tools. One that needs no connection is asked for them, in the background. */
  async start(): Promise<void> {
    await this.load();
    if (this.definition.connection === 'none') void this.#listFirst();
  }

  /**
   * Loads what is known of its tools, after another server or an administrator changed it. A tool that was accepted
   * elsewhere, and that it has not listed here yet, has it asked again, in the background.
   */
  async load(): Promise<void> {
    const list = await this.#dependencies.pins.find(this.definition.key);
    if (list === null) return;
    this.#use(list);
    const [isShared, listed] = [this.definition.connection === 'none', this.#listed];
    const lacksSome = listed !== null && usableTools(list).some(({ tool }) => !listed.has(tool.name));
    if (isShared && lacksSome) void this.#listFirst();
  }

  /** Ends all sessions. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async send(sending: RemoteSending): Promise<Outcome> {
    const done = await this.#call(sending);
    if (done.ok) return done.value;
    // Nothing was done: the server has forgotten the session, such as over a restart.
    const again = done.failure.reason === 'session_lost' ? await this.#call(sending) : done;
    return again.ok ? again.value : this.#failed(sending.record, again.failure);
  }

  async #call({ record, row, inputs, call }: RemoteSending): Promise<Result<Outcome, RemoteFailure>> {
    const { title, key } = this.definition;
    const { tools, offers, items } = this.#rows;
    const act = offers.acts.get(row);
    const name = act?.itemOf(inputs) ?? tools.get(row)?.tool.name ?? '';
    const usable = items.get(name);
    const { signal = new AbortController().signal, departure, onProgress, onQuestion } = call;
    const called = await this.#within(record, async ({ session, digests }): Promise<Result<Outcome, RemoteFailure>> => {
      const digest = digests.get(name);
      if (usable === undefined || digest === undefined) return ok(failed('gone', `${title} has no such tool now.`));
      if (digest !== digestOfTool(usable.tool)) return ok(failed('forbidden', changedTool(title, name)));
      if (signal.aborted || departure?.begin() === false) return ok(failed('unavailable', 'The call was cancelled.'));
      const until = departure?.cut ?? signal;
      if (act !== undefined) return act.ask(session, inputs, until);
      const answer = await session.call({ name, input: inputs, signal: until, onProgress, ask: onQuestion });
      const addressOf = offers.templates === null ? undefined : (uri: string) => remoteUri(key, uri);
      return answer.ok ? ok(outcomeOfResult(title, answer.value, addressOf)) : answer;
    });
    return called.ok ? called.value : called;
  }

  async probe(record: TokenRecord): Promise<Outcome> {
    const probed = await this.list(record);
    return probed.ok ? succeeded(null) : this.#failed(record, probed.failure);
  }

  /** Opens a session, has the server list its tools, and returns what is known of them then. */
  async list(record: TokenRecord): Promise<Result<PinnedList | null, RemoteFailure>> {
    const session = this.#sessionFor(record);
    const listed = session.ok ? await session.value.list() : session;
    return listed.ok ? ok(await this.#dependencies.pins.find(this.definition.key)) : listed;
  }

  #failed({ userId, service }: TokenRecord, failure: RemoteFailure): Outcome {
    const { challenge } = failure;
    if (challenge !== undefined) this.#dependencies.challenged?.({ userId, service }, challenge);
    return outcomeOfFailure(this.definition.title, failure);
  }

  async #listFirst(attempt = 0): Promise<void> {
    if (attempt === 0 && this.#isAsking) return;
    this.#isAsking = true;
    const record = blankRecord(this.definition.key);
    const listed = await this.list(record).catch(unavailable);
    void this.#sessions.get(record.userId)?.close();
    this.#isAsking = !listed.ok && !this.#isStopped;
    if (listed.ok || this.#isStopped) return;
    const { reason, message: error } = listed.failure;
    // The log says it once; a server may be away for days.
    if (attempt === 0) {
      this.#dependencies.logger.warn(
        { service: this.definition.key, reason, error },
        'A remote MCP server could not be asked for its tools; will retry',
      );
    }
    this.#retry = setTimeout(() => void this.#listFirst(attempt + 1), waitMs(attempt)).unref();
  }

  /** Works in the session of the connection's user. */
  async #within<Made>(
    record: TokenRecord,
    work: (open: OpenSession) => Promise<Made>,
  ): Promise<Result<Made, RemoteFailure>> {
    const session = this.#sessionFor(record);
    return session.ok ? session.value.run(work) : session;
  }

  /** The session of the connection's user; a failure says why there is none now. */
  #sessionFor(record: TokenRecord): Result<PersonSession, RemoteFailure> {
    const { reach } = this.#dependencies;
    if (reach.kind === 'http' && !isGrantedFor(record, reach.url) && this.definition.connection === 'oauth') {
      const message = 'It is at another address than the one that its tokens were granted for. Connect it again.';
      return err({ reason: 'unauthorized', message, sent: 'no' });
    }
    const leftMs = this.#restsUntil - performance.now();
    if (this.#isStopped) return err({ reason: 'unavailable', message: 'The server is stopping.', sent: 'no' });
    if (leftMs > 0 && !this.#sessions.has(record.userId)) {
      return err({
        reason: 'unavailable',
        message: `It could not be reached, and is tried again in ${Math.ceil(leftMs / 1000)} s.`,
        sent: 'no',
      });
    }
    return ok(this.#sessionOf(record));
  }

  #sessionOf({ userId, accessToken }: TokenRecord): PersonSession {
    const known = this.#sessions.get(userId);
    if (known !== undefined && !known.isEnded && known.credentials === accessToken) return known;
    void known?.close();
    const { slots, connector, reach, idleMs = usualIdleMs } = this.#dependencies;
    const bearer = this.definition.connection === 'none' ? '' : accessToken;
    const made: PersonSession = new PersonSession(accessToken, {
      slots,
      open: async (signal, onListChanged) => {
        const onResourcesChanged = () => {
          this.#versions.resources += 1;
        };
        const opened = await connector.open(reach, { bearer: () => bearer, onListChanged, onResourcesChanged, signal });
        this.#noteAttempt(opened.ok || opened.failure.reason !== 'unavailable');
        return opened;
      },
      onListed: (listed) => this.#noteListing(listed),
      onEnd: () => {
        if (this.#sessions.get(userId) === made) this.#sessions.delete(userId);
      },
      idleMs,
      now: () => performance.now(),
    });
    this.#sessions.set(userId, made);
    return made;
  }

  #noteAttempt(isReached: boolean): void {
    this.#failures = isReached ? 0 : this.#failures + 1;
    this.#restsUntil = isReached ? 0 : performance.now() + waitMs(this.#failures - 1);
  }

  async #noteListing({ tools, leftOut }: ListedTools): Promise<Result<void, RemoteFailure>> {
    const { key, acceptsFirst } = this.definition;
    this.#listed = new Set(tools.map(({ name }) => name));
    this.#leftOut = leftOut;
    if (leftOut.length > 0)
      this.#dependencies.logger.warn({ service: key, leftOut }, 'Tools of a remote MCP server are left out');
    const noted = await this.#dependencies.pins.noteListing(key, tools, { acceptsFirst });
    if (!noted.ok)
      return err({ reason: 'unavailable', message: 'Its tools could not be noted. Try again.', sent: 'no' });
    this.#use(noted.value);
    return ok(undefined);
  }

  #use(list: PinnedList): void {
    const isShared = this.definition.connection === 'none';
    const isListed = ({ tool }: UsableTool) => (isShared ? this.#listed?.has(tool.name) === true : true);
    const usable = usableTools(list).filter(isListed);
    const changed = changedKinds(this.#usable, usable);
    if (changed.size === 0) return;
    this.#usable = usable;
    this.#rows = remoteRows(this.definition, usable);
    if (changed.has('tool')) this.#versions.tools += 1;
    if (changed.has('prompt')) this.#versions.prompts += 1;
    if (changed.has('template') || changed.has('resources')) this.#versions.resources += 1;
  }
}

/** What is known of its tools could not be read or written, such as while the database is down. */
const unavailable = (error: unknown): Result<never, RemoteFailure> =>
  err({ reason: 'unavailable', message: messageOf(error), sent: 'no' });
