import type { McpSession, McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import type { Clock } from '#application/ports/clock.ts';

type Kept = McpSession & Readonly<{ usedAt: number }>;

/** MCP sessions in memory: for one user so many, for all so many, and each for `idleMs` after its last use. */
export class MemoryMcpSessions implements McpSessions {
  readonly #clock: Clock;
  readonly #bounds: Readonly<{ perUser: number; all: number; idleMs: number }>;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock, bounds: Readonly<{ perUser: number; all: number; idleMs: number }>) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  async open(id: string, { userId, state }: McpSession): Promise<readonly string[]> {
    for (const known of this.#kept.keys()) if (this.#find(known) === null) this.#kept.delete(known);
    this.#kept.set(id, { userId, state, usedAt: this.#clock.now() });
    const others = [...this.#kept].filter(([other]) => other !== id).toSorted(([, a], [, b]) => b.usedAt - a.usedAt);
    const own = others.filter(([, session]) => session.userId === userId).slice(this.#bounds.perUser - 1);
    const ended = new Set([...own, ...others.slice(this.#bounds.all - 1)].map(([other]) => other));
    for (const other of ended) this.#kept.delete(other);
    return [...ended];
  }

  async find(id: string): Promise<McpSession | null> {
    const found = this.#find(id);
    return found === null ? null : { userId: found.userId, state: found.state };
  }

  async change(id: string, before: string, after: string): Promise<boolean> {
    const found = this.#find(id);
    if (found?.state !== before) return false;
    this.#kept.set(id, { ...found, state: after });
    return true;
  }

  async use(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const found = this.#find(id);
      if (found !== null) this.#kept.set(id, { ...found, usedAt: this.#clock.now() });
    }
  }

  async end(id: string, userId: number): Promise<boolean> {
    return this.#find(id)?.userId === userId && this.#kept.delete(id);
  }

  #find(id: string): Kept | null {
    const found = this.#kept.get(id);
    return found === undefined || found.usedAt <= this.#clock.now() - this.#bounds.idleMs ? null : found;
  }
}
