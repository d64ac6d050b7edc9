import { GrantRow } from '#adapters/persistence/schema/app-grants.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { AppGrant, GrantChange } from '#domain/oauth/app-grant.ts';
import { allReadScope, fullScope } from '#domain/oauth/grant.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table, type TableRow } from '#infrastructure/database/table.ts';

/** Stores the grants of apps in the database. */
export class SqlGrants implements Grants {
  readonly #grants;

  constructor(database: Database) {
    this.#grants = new Table(database, GrantRow);
  }

  keep(grant: AppGrant): Promise<void> {
    return this.#grants.insert({ ...grant, ...formerAccess(grant.scope) });
  }

  async find(id: string): Promise<AppGrant | null> {
    const row = await this.#grants.find({ id });
    return row === null ? null : grantIn(row);
  }

  async list(userId: number): Promise<readonly AppGrant[]> {
    return (await this.#grants.list({ userId }, { since: 'desc', id: 'asc' })).map(grantIn);
  }

  async noteUse(id: string, at: number): Promise<void> {
    const isLater = [{ lastUsedAt: null }, { lastUsedAt: { $lt: at } }];
    await this.#grants.update({ id, $or: isLater }, { lastUsedAt: at });
  }

  async change(userId: number, id: string, change: GrantChange): Promise<boolean> {
    const former = change.scope === undefined ? {} : formerAccess(change.scope);
    return (await this.#grants.update({ id, userId }, { ...change, ...former })) === 1;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    return (await this.#grants.delete({ id, userId })) === 1;
  }

  prune(before: number): Promise<number> {
    return this.#grants.deleteBefore('since', before);
  }
}

/** What a server reads that knows no scopes of grants: with any service for reading only, it lets the app change none. */
function formerAccess(scope: string): Readonly<{ services: readonly string[] | null; isReadonly: boolean }> {
  const words = scope.split(' ');
  const services = [fullScope, allReadScope].includes(scope) ? null : words.map((word) => word.replace(/:read$/, ''));
  return { services, isReadonly: words.some((word) => word.endsWith(':read')) };
}

/** A row as a grant. One without a scope was stored by such a server: its two columns say what it grants. */
function grantIn({ services, isReadonly, scope, switchedOff, ...row }: TableRow<typeof GrantRow>): AppGrant {
  const suffix = isReadonly ? ':read' : '';
  const former =
    services === null ? `${fullScope}${suffix}` : services.map((service) => `${service}${suffix}`).join(' ');
  return { ...row, scope: scope ?? former, switchedOff: switchedOff ?? [] };
}
