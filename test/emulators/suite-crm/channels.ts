import { plain } from '#test/emulators/suite-crm/query-text.ts';
import {
  type Asked,
  done,
  failing,
  listIn,
  nothing,
  type Outcome,
  ok,
  type Reply,
  refusal,
  refused,
  written,
} from '#test/emulators/suite-crm/reply.ts';
import type { Change, CrmState } from '#test/emulators/suite-crm/state.ts';

const hourMs = 60 * 60 * 1000;
const maxMs = 7 * 24 * hourMs;
const eventOf = { insert: 'create', update: 'edit', delete: 'delete' } as const;

/** A notification channel as the emulator keeps it. */
export type Channel = Readonly<{
  id: string;
  events: readonly string[];
  url: string;
  token: string | null;
  expiresAt: number;
}>;

/** A notification that was sent, and the status that came back; null when nobody answered. */
export type Delivery = Readonly<{ channel: string; body: Readonly<Record<string, unknown>>; status: number | null }>;

/** Notification channels: opened for seven days at most, notified of changes until they end, with their token echoed. */
export class Channels {
  readonly deliveries: Delivery[] = [];
  readonly #state: CrmState;
  readonly #channels = new Map<string, Channel>();
  readonly #apiDomain: () => string;
  readonly #underWay = new Set<Promise<void>>();

  constructor(state: CrmState, apiDomain: () => string) {
    this.#state = state;
    this.#apiDomain = apiDomain;
    state.onChange((change) => this.#publish(change));
  }

  /** The channels that have not ended. */
  open(): readonly Channel[] {
    return [...this.#channels.values()].filter(({ expiresAt }) => expiresAt > this.#state.clock.now());
  }

  add(channel: Channel): void {
    this.#channels.set(channel.id, channel);
  }

  clear(): void {
    this.#channels.clear();
  }

  /** Resolves when every delivery that began has been answered or has failed. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  create(asked: Asked): Reply {
    const wanted = listIn(asked.body, 'watch');
    if (wanted === null)
      return failing(refusal('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'watch' }));
    const isNew = asked.method === 'POST';
    const outcomes = wanted.map((channel) => {
      const id = plain(channel['channel_id']) || this.#state.id();
      const isOpen = this.open().some((open) => open.id === id);
      if (!isNew && !isOpen)
        return refused(refusal('NOT_SUBSCRIBED', 'the channel is not subscribed', { channel_id: id }));
      return this.#keep(id, channel);
    });
    return written('watch', outcomes, isNew ? 201 : 200);
  }

  list({ query }: Asked): Reply {
    const wanted = query.get('channel_id');
    const open = this.open().filter(({ id }) => wanted === null || wanted === id);
    if (open.length === 0) return nothing;
    const watch = open.flatMap((channel) =>
      this.#eventsOf(channel).map((event) => ({
        ...event,
        events: channel.events.filter((name) => name.startsWith(`${event.resource_name}.`)),
        notify_url: channel.url,
        token: channel.token,
      })),
    );
    return ok({ watch, info: { page: 1, per_page: 200, count: watch.length, more_records: false } });
  }

  remove({ query }: Asked): Reply {
    const ids = query.get('channel_ids')?.split(',') ?? [];
    const outcomes = ids.map((id) =>
      this.#channels.delete(id)
        ? done('Successfully unsubscribed', { channel_id: id, resource_uri: '', resource_id: '' })
        : refused(refusal('NOT_SUBSCRIBED', 'the channel is not subscribed', { channel_id: id })),
    );
    return written('watch', outcomes, 200);
  }

  #keep(id: string, asked: Readonly<Record<string, unknown>>): Outcome {
    const now = this.#state.clock.now();
    const events = Array.isArray(asked['events']) ? asked['events'].map(String) : [];
    const token = asked['token'] === undefined ? null : plain(asked['token']);
    const expiry = asked['channel_expiry'];
    const expiresAt = expiry === undefined ? now + hourMs : Date.parse(plain(expiry));
    const fault = (api_name: string) => refused(refusal('INVALID_DATA', 'invalid data', { api_name }));
    if (!URL.canParse(plain(asked['notify_url']))) return fault('notify_url');
    if (token !== null && token.length > 50) return fault('token');
    if (Number.isNaN(expiresAt) || expiresAt <= now || expiresAt > now + maxMs) return fault('channel_expiry');
    const unknown = events.find((event) => !this.#state.isModule(event.split('.')[0] ?? ''));
    if (events.length === 0 || unknown !== undefined) return fault('events');
    const channel: Channel = { id, events, url: plain(asked['notify_url']), token, expiresAt };
    this.#channels.set(id, channel);
    return done('Successfully subscribed for actions-watch of the given module', { events: this.#eventsOf(channel) });
  }

  #eventsOf({ id, events, expiresAt }: Channel) {
    return events.map((event) => {
      const module = event.split('.')[0] ?? '';
      return {
        channel_expiry: this.#state.clock.iso(expiresAt),
        resource_uri: `${this.#apiDomain()}/crm/v8/${module}`,
        resource_id: '1',
        resource_name: module,
        channel_id: id,
      };
    });
  }

  #publish({ module, operation, ids, values }: Change): void {
    const names = [`${module}.${eventOf[operation]}`, `${module}.all`];
    for (const channel of this.open().filter(({ events }) => events.some((event) => names.includes(event)))) {
      const body = {
        server_time: this.#state.clock.now(),
        affected_values: ids.map((id) => ({ record_id: id, values })),
        query_params: {},
        module,
        resource_uri: `${this.#apiDomain()}/crm/v8/${module}`,
        ids,
        affected_fields: ids.map((id) => ({ [id]: Object.keys(values) })),
        operation,
        channel_id: channel.id,
        token: channel.token,
      };
      const sending = this.#send(channel, body).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  async #send(channel: Channel, body: Delivery['body']): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const status = await fetch(channel.url, { method: 'POST', headers, body: JSON.stringify(body) })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => null);
    this.deliveries.push({ channel: channel.id, body, status });
  }
}
