import type { OtherServers } from '#application/ports/other-servers.ts';

type Hearing = (body: unknown, from: string) => void;

/** Servers that hear each other at once; `told` counts what they said. */
export class Town {
  readonly #ears: (readonly [server: string, topic: string, listener: Hearing])[] = [];
  told = 0;

  join(serverId: string): OtherServers {
    return {
      serverId,
      isAlone: () => false,
      isHearing: () => true,
      isGone: async () => false,
      settled: async () => undefined,
      publish: (topic, body) => {
        this.told += 1;
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
