import { z } from 'zod';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A server on the database, by a name that tells an administrator which one it is, and the services it was started with. */
export type StartedServer = Readonly<{ name: string; services: readonly ServiceKey[] }>;

const topic = 'started';
/** The maximum number of other servers that are remembered; the one that was heard of longest ago is forgotten. */
const maxServers = 100;
const messageSchema = z.object({
  name: z.string().max(300),
  services: z.array(z.string().max(100)).max(1_000),
  isAnswer: z.boolean(),
});

/** The remote MCP servers with which each server on the database was started, as they say to each other. */
export class StartedWith {
  readonly #others: OtherServers;
  readonly #own: StartedServer;
  readonly #known = new Map<string, StartedServer>();

  constructor(others: OtherServers, own: StartedServer) {
    this.#others = others;
    this.#own = own;
  }

  /** Says it to all others, who answer; also after messages may have been missed. */
  start(): void {
    this.#others.subscribe(topic, (body, from) => {
      const said = messageSchema.safeParse(body);
      if (!said.success) return;
      const { name, services, isAnswer } = said.data;
      this.#note(from, { name, services });
      if (!isAnswer) this.#say(from);
    });
    this.#others.onMissed(() => this.#say());
    this.#say();
  }

  /** Returns the servers that run now, this one first. */
  async servers(): Promise<readonly StartedServer[]> {
    for (const id of this.#known.keys()) if (await this.#others.isGone(id)) this.#known.delete(id);
    return [this.#own, ...this.#known.values()];
  }

  #say(to?: string): void {
    this.#others.publish(topic, { ...this.#own, isAnswer: to !== undefined }, to);
  }

  #note(id: string, server: StartedServer): void {
    this.#known.delete(id);
    this.#known.set(id, server);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxServers && oldest !== undefined) this.#known.delete(oldest);
  }
}
