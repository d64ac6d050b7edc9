import type { Sessions } from '#application/ports/sessions.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The sessions of persons in the memory of this process. */
export class MemorySessions implements Sessions {
  readonly #sessions = new Map<string, PersonSession>();

  async begin(session: PersonSession): Promise<void> {
    this.#sessions.set(session.id, frozenCopy(session));
  }

  async find(id: string): Promise<PersonSession | null> {
    return this.#sessions.get(id) ?? null;
  }

  async list(userId: number): Promise<readonly PersonSession[]> {
    return [...this.#sessions.values()]
      .filter((session) => session.userId === userId)
      .sort((left, right) => right.begunAt - left.begunAt || (left.id < right.id ? -1 : 1));
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.expiresAt >= expiresAt) return;
    this.#sessions.set(id, frozenCopy({ ...session, expiresAt }));
  }

  async noteSeen(id: string, at: number): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined || (session.lastSeenAt ?? at) > at) return;
    this.#sessions.set(id, frozenCopy({ ...session, lastSeenAt: at }));
  }

  async end(userId: number, id: string): Promise<boolean> {
    return this.#sessions.get(id)?.userId === userId && this.#sessions.delete(id);
  }

  async endAll(userId: number): Promise<number> {
    return this.#remove((session) => session.userId === userId);
  }

  async prune(before: number): Promise<number> {
    return this.#remove(({ expiresAt }) => expiresAt < before);
  }

  #remove(isMeant: (session: PersonSession) => boolean): number {
    const meant = [...this.#sessions.values()].filter(isMeant);
    for (const { id } of meant) this.#sessions.delete(id);
    return meant.length;
  }
}
