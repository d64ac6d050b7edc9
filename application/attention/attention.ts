import { listConnections } from '#application/connections/list-connections.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { ProviderBudgets } from '#application/ports/provider-budgets.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ReactionApprovals } from '#application/reactions/reaction-approvals.ts';
import { type AttentionItem, type AttentionKind, attentionKinds, isNearlySpent } from '#domain/attention/attention.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

/** The dependencies; `trouble` says why data cannot be stored now, null when it can. */
type AttentionDependencies = Readonly<{
  connections: Pick<Connections, 'list'>;
  approvals: Pick<Approvals, 'list'>;
  /** Null on a server with built-in reactions only. */
  reactions: Pick<ReactionApprovals, 'count'> | null;
  inbox: Pick<WebhookInbox, 'list'>;
  reactionLog: Pick<ReactionLog, 'calls'>;
  registrations: Pick<WebhookRegistrations, 'list'>;
  budgets: ProviderBudgets;
  /** Counts the tools of remote MCP servers that wait to be accepted, by service. */
  waitingTools: () => Promise<readonly Readonly<{ service: ServiceKey; count: number }>[]>;
  trouble: () => string | null;
  clock: Clock;
}>;

/** The maximum number of deliveries and calls that are looked for: more are said to be more. */
const maxSought = 100;
/** How long a count is used for the navigation, in ms, and for how many users. */
const countedMs = 10_000;
const maxCounted = 1_000;
/** How long what concerns the whole server is used, in ms. */
const serverMs = 5_000;
/** How long the webhooks that cannot be registered are used, in ms: all registrations are read for them. */
const webhooksMs = 60_000;
/** How long the tools that wait are used, in ms: all tools of all servers are read for them. */
const toolsMs = 60_000;

type Items = readonly AttentionItem[];
type Read = Readonly<{ at: number; items: Promise<Items> }>;

/**
 * Lists what needs somebody: for each user what is theirs, for administrators also what is the server's. Every part is
 * bounded, and read through an index.
 */
export class Attention {
  readonly #dependencies: AttentionDependencies;
  readonly #counts = new Map<number, Readonly<{ at: number; count: number }>>();
  #server: Read | null = null;
  #webhooks: Read | null = null;
  #tools: Read | null = null;

  constructor(dependencies: AttentionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists what needs the user, by kind. */
  async of(user: User): Promise<Items> {
    if (user.id === guestUserId) return [];
    const parts = await Promise.all([
      this.#connections(user),
      this.#approvals(user),
      ...(user.isAdmin ? [this.#ofServer(), this.#reactions()] : []),
    ]);
    return parts.flat().sort((left, right) => rankOf(left.kind) - rankOf(right.kind));
  }

  /** Counts what needs the user, for the navigation: a count is used for some seconds. */
  async count(user: User): Promise<number> {
    const known = this.#counts.get(user.id);
    if (known !== undefined && this.#now() - known.at < countedMs) return known.count;
    const { length } = await this.of(user);
    this.#remember(user.id, length);
    return length;
  }

  /** Has the tools that wait read again, since some were accepted or changed, on this server or on another one. */
  forgetTools(): void {
    this.#tools = null;
    this.#server = null;
    this.#counts.clear();
  }

  #remember(userId: number, count: number): void {
    this.#counts.delete(userId);
    this.#counts.set(userId, { at: this.#now(), count });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxCounted && oldest !== undefined) this.#counts.delete(oldest);
  }

  async #connections(user: User): Promise<Items> {
    const all = await listConnections(this.#dependencies.connections, user, this.#now());
    const broken = all.filter(({ state }) => state === 'reconnect');
    const working = all.filter(({ state, isTeams }) => state !== 'reconnect' && !isTeams);
    const spent = await Promise.all(working.map(({ service }) => this.#spent(user.id, service)));
    return [
      ...broken.map(({ service, since }) => item('connection', { service, since, page: `/page#${service}` })),
      ...spent.flat(),
    ];
  }

  /** The limits of a provider that are nearly used up, as this server knows them. */
  async #spent(userId: number, service: ServiceKey): Promise<Items> {
    const all = await this.#dependencies.budgets.leftOf(userId, service);
    return all
      .filter(isNearlySpent)
      .map(({ name, points, left }) =>
        item('budget', { service, page: `/page#${service}`, detail: `${name}: ${left} of ${points} left` }),
      );
  }

  async #approvals({ id: userId }: User): Promise<Items> {
    const open = await this.#dependencies.approvals.list({ userId, isWaiting: true, limit: maxSought + 1 });
    const waiting = open.filter(({ expiresAt }) => this.#now() < expiresAt);
    if (waiting.length === 0) return [];
    const since = Math.min(...waiting.map(({ at }) => at));
    return [item('approval', { ...boundedCount(waiting.length), since, page: '/approvals' })];
  }

  async #reactions(): Promise<Items> {
    const { reactions, reactionLog } = this.#dependencies;
    if (reactions === null) return [];
    const limit = maxSought + 1;
    const [count, waiting, unknown] = await Promise.all([
      reactions.count(),
      reactionLog.calls({ state: 'waiting', limit }),
      reactionLog.calls({ state: 'unknown', limit }),
    ]);
    const [first] = unknown;
    const since = waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at));
    return [
      ...(count === 0 ? [] : [item('reaction_approval', { count, since, page: '/approvals' })]),
      ...(first === undefined
        ? []
        : [
            item('reaction_call', {
              ...boundedCount(unknown.length),
              since: Math.min(...unknown.map(({ at }) => at)),
              page: `/reactions/one?path=${encodeURIComponent(first.reaction)}`,
            }),
          ]),
    ];
  }

  #ofServer(): Promise<Items> {
    this.#server = this.#fresh(this.#server, serverMs, () => this.#readServer());
    return this.#server.items;
  }

  async #readServer(): Promise<Items> {
    const { inbox, trouble } = this.#dependencies;
    const limit = maxSought + 1;
    const [dead, faulty, webhooks, tools] = await Promise.all([
      inbox.list({ state: 'dead', limit }),
      inbox.list({ isFaulty: true, limit }),
      this.#webhooksOfAll(),
      this.#waitingTools(),
    ]);
    const reason = trouble();
    return [
      ...(reason === null ? [] : [item('storage', { page: '/setup', detail: reason })]),
      ...ofDeliveries('delivery_failed', dead, '/deliveries?state=dead'),
      ...ofDeliveries('reaction_failed', faulty, '/deliveries?state=faulty'),
      ...webhooks,
      ...tools,
    ];
  }

  #webhooksOfAll(): Promise<Items> {
    this.#webhooks = this.#fresh(this.#webhooks, webhooksMs, async () => {
      const failing = (await this.#dependencies.registrations.list()).filter(
        ({ state, failures }) => state !== 'active' && failures > 0,
      );
      return [...Map.groupBy(failing, ({ service }) => service)].map(([service, lines]) =>
        item('webhook', {
          service,
          count: lines.length,
          since: Math.min(...lines.map(({ since }) => since)),
          page: `/page#${service}`,
          detail: lines[0]?.reason ?? null,
        }),
      );
    });
    return this.#webhooks.items;
  }

  #waitingTools(): Promise<Items> {
    this.#tools = this.#fresh(this.#tools, toolsMs, async () => {
      const waiting = (await this.#dependencies.waitingTools()).filter(({ count }) => count > 0);
      return waiting.map(({ service, count }) =>
        item('remote_tools', { service, count, page: `/setup/servers/${service}` }),
      );
    });
    return this.#tools.items;
  }

  /** Returns what was read if it is recent, else what is read now; a failure is not kept. */
  #fresh(known: Read | null, forMs: number, read: () => Promise<Items>): Read {
    const now = this.#now();
    if (known !== null && now - known.at < forMs) return known;
    const items = read();
    items.catch(() => {
      this.#server = null;
      this.#webhooks = null;
      this.#tools = null;
    });
    return { at: now, items };
  }

  #now(): number {
    return this.#dependencies.clock.now();
  }
}

const rankOf = (kind: AttentionKind): number => attentionKinds.indexOf(kind);

function item(
  kind: AttentionKind,
  { page, ...more }: Pick<AttentionItem, 'page'> & Partial<Omit<AttentionItem, 'kind' | 'page'>>,
): AttentionItem {
  return { kind, service: null, count: 1, isMore: false, since: null, detail: null, page, ...more };
}

const boundedCount = (found: number) => ({ count: Math.min(found, maxSought), isMore: found > maxSought });

/** The deliveries are the newest first. */
function ofDeliveries(kind: AttentionKind, entries: readonly InboxEntry[], page: string): Items {
  if (entries.length === 0) return [];
  const since = Math.min(...entries.map(({ finishedAt, receivedAt }) => finishedAt ?? receivedAt));
  return [item(kind, { ...boundedCount(entries.length), since, page })];
}
