import { SessionRow } from '#adapters/persistence/schema/sessions.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the sessions of persons in the database. */
export class SqlSessions implements Sessions {
  readonly #sessions;

  constructor(database: Database) {
    this.#sessions = new Table(database, SessionRow);
  }

  begin(session: PersonSession): Promise<void> {
    return this.#sessions.insert(session);
  }

  find(id: string): Promise<PersonSession | null> {
    return this.#sessions.find({ id });
  }

  list(userId: number): Promise<readonly PersonSession[]> {
    return this.#sessions.list({ userId }, { begunAt: 'desc', id: 'asc' });
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await this.#sessions.update({ id, expiresAt: { $lt: expiresAt } }, { expiresAt });
  }

  async noteSeen(id: string, at: number): Promise<void> {
    const isLater = [{ lastSeenAt: null }, { lastSeenAt: { $lt: at } }];
    await this.#sessions.update({ id, $or: isLater }, { lastSeenAt: at });
  }

  async end(userId: number, id: string): Promise<boolean> {
    return (await this.#sessions.delete({ id, userId })) === 1;
  }

  endAll(userId: number): Promise<number> {
    return this.#sessions.delete({ userId });
  }

  prune(before: number): Promise<number> {
    return this.#sessions.deleteBefore('expiresAt', before);
  }
}
