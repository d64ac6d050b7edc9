import { z } from 'zod';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { LeaseRow } from '#adapters/persistence/schema/leases.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

const fencingSchema = z.array(z.object({ fencing: z.coerce.number() }));

/** The longest that a lease may last, in ms: one that ends later was not stored by this program, or the clock was set back. */
const maxLeaseMs = 86_400_000;

/** Stores leases in the database. Each call is one conditional statement: no lock is held between calls. */
export class SqlLeases implements Leases {
  readonly #database: Database;
  readonly #clock: Clock | null;
  readonly #leases;

  /** Without a clock, the database's time is used. */
  constructor(database: Database, clock: Clock | null = null) {
    this.#database = database;
    this.#clock = clock;
    this.#leases = new Table(database, LeaseRow);
  }

  async acquire(name: string, owner: string, leaseMs: number): Promise<number | null> {
    const now = nowSql(this.#database.kind, this.#clock);
    const rows: unknown = await this.#database.em.fork().execute(
      `insert into leases (name, owner, until, fencing) values (?, ?, ${now} + ${Math.trunc(leaseMs)}, 1)
       on conflict (name) do update set owner = excluded.owner, until = excluded.until,
         fencing = leases.fencing + case when leases.owner = excluded.owner then 0 else 1 end
       where leases.owner = excluded.owner or leases.until <= ${now} or leases.until > ${now} + ${maxLeaseMs}
       returning fencing`,
      [name, owner],
    );
    return fencingSchema.parse(rows)[0]?.fencing ?? null;
  }

  async release(name: string, owner: string): Promise<boolean> {
    // The row is kept, expired, so that the fencing number keeps increasing.
    return (await this.#leases.update({ name, owner }, { owner: '', until: 0 })) === 1;
  }
}
