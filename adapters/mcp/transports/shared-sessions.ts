import { z } from 'zod';
import type { McpSession, McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import type { RpcParams, RpcResponse } from '#adapters/mcp/protocol/json-rpc.ts';
import type { HttpSession } from '#adapters/mcp/transports/http-session.ts';
import { merged, restore, stateText } from '#adapters/mcp/transports/session-state.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Where sessions are stored for all servers, and how the servers notify each other of changes. */
export type Sharing = Readonly<{ store: McpSessions; others: OtherServers }>;

/** What one server tells the others about a session. */
const noticeSchema = z.object({
  id: z.string(),
  ended: z.literal(true).optional(),
  /** Its state has changed. */
  state: z.string().optional(),
  /** The client has opened its stream on the sending server. */
  line: z.literal(true).optional(),
  /** The parameters of a cancellation. */
  cancelled: z.record(z.string(), z.unknown()).optional(),
  /** The client's answer to a request of the server named in the id. */
  response: z.object({ id: z.string(), result: z.record(z.string(), z.unknown()).nullable() }).optional(),
});

/** A notice as it is sent. */
export type SessionNotice = z.output<typeof noticeSchema>;

const topic = 'mcp session';

/** Shares sessions of Streamable HTTP among the servers on one database. */
export class SharedSessions {
  readonly #store: McpSessions;
  readonly #others: OtherServers;

  /** `heard` is called with notices from other servers, `missed` when some may have been lost. */
  constructor(
    { store, others }: Sharing,
    { heard, missed }: Readonly<{ heard(notice: SessionNotice): void; missed(): void }>,
  ) {
    this.#store = store;
    this.#others = others;
    others.subscribe(topic, (body) => {
      const notice = noticeSchema.safeParse(body);
      if (notice.success) heard(notice.data);
    });
    others.onMissed(missed);
  }

  /** The prefix of the ids of this server's requests to clients. */
  get idPrefix(): string {
    return `${this.#others.serverId}/`;
  }

  /** Stores a new session; returns the ids of the sessions that it evicted. */
  async open(session: HttpSession): Promise<readonly string[]> {
    const state = stateText(session.channel);
    const ended = await this.#store.open(session.id, { userId: session.userId, state });
    session.stored = state;
    for (const id of ended) this.#tell({ id, ended: true });
    return ended;
  }

  /** Finds a session opened by another server. */
  find(id: string): Promise<McpSession | null> {
    return this.#store.find(id);
  }

  /** Stores the changes of a session, merging concurrent ones, and notifies the others. */
  async save(session: HttpSession): Promise<void> {
    const mine = stateText(session.channel);
    const { id, stored: before } = session;
    if (before === null || mine === before) return;
    // Set before storing, so that concurrent readers of the session see the new state.
    session.stored = mine;
    let expected = before;
    let wanted = mine;
    while (!(await this.#store.change(id, expected, wanted))) {
      const found = await this.#store.find(id);
      if (found === null) return;
      expected = found.state;
      wanted = merged(before, mine, expected);
    }
    this.take(session, wanted);
    this.#tell({ id, state: wanted });
    // The client's next request may reach another server at once.
    await this.#others.settled();
  }

  /** Applies the state stored by another server, unless the session has changes that are not stored yet. */
  hear(session: HttpSession, state: string): void {
    if (session.stored === stateText(session.channel)) this.take(session, state);
  }

  /** Applies a stored state. */
  take(session: HttpSession, state: string): void {
    if (session.stored === state) return;
    restore(session.channel, state);
    session.stored = state;
  }

  /** Removes a session everywhere; false when the user has none with that id. */
  async end(id: string, userId: number): Promise<boolean> {
    const isEnded = await this.#store.end(id, userId);
    if (isEnded) {
      this.#tell({ id, ended: true });
      await this.#others.settled();
    }
    return isEnded;
  }

  /** Records that sessions are in use. Failures are ignored: the next use records it again. */
  async use(ids: readonly string[]): Promise<void> {
    await this.#store.use(ids).catch(() => undefined);
  }

  /** Notifies the others that the session's stream is now on this server. */
  opened(id: string): void {
    this.#tell({ id, line: true });
  }

  /** Forwards a cancellation of a request that is not in flight here. */
  cancel(id: string, params: RpcParams): void {
    if (isObject(params)) this.#tell({ id, cancelled: { requestId: params['requestId'] } });
  }

  /** Forwards a client's answer to the server that asked. */
  answer(id: string, { id: asked, result }: RpcResponse): void {
    if (typeof asked !== 'string') return;
    const [owner = '', ...rest] = asked.split('/');
    if (rest.length === 1 && owner !== this.#others.serverId) {
      this.#tell({ id, response: { id: asked, result } }, owner);
    }
  }

  #tell(notice: SessionNotice, to?: string): void {
    this.#others.publish(topic, notice, to);
  }
}
