import type { OtherServers } from '#application/ports/other-servers.ts';

type Hearing = (body: unknown, from: string) => void;

/** Servers that hear each other at once; `sent` counts their messages. */
export class Town {
  readonly #ears: (readonly [server: string, topic: string, listener: Hearing])[] = [];
  sent = 0;

  join(serverId: string): OtherServers {
    return {
      serverId,
      isAlone: () => false,
      isHearing: () => true,
      isGone: async () => false,
      settled: async () => undefined,
      publish: (topic, body) => {
        this.sent += 1;
        for (const [server, of, listener] of this.#ears)
          if (of === topic && server !== serverId) listener(body, serverId);
      },
      subscribe: (topic, listener) => {
        this.#ears.push([serverId, topic, listener]);
        return () => undefined;
      },
      onMissed: () => () => undefined,
    };
  }
}
