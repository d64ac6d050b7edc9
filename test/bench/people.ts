import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';

/** The e-mail of a person that `peopleOf` has added. */
export const emailOf = (id: number): string => `person${id}@example.org`;

/**
 * Adds people to a server's table, with the first user's password and rights, since hashing one for each would take a minute. Returns
 * the ids, also the first user's.
 */
export function peopleOf(folder: string, people: number): readonly number[] {
  const database = new DatabaseSync(join(folder, 'portolan.sqlite'));
  const columns = database.prepare('select * from users where id = 1').get() ?? {};
  const names = Object.keys(columns).filter((name) => name !== 'id');
  const place = names
    .map((name) => (name.startsWith('email') ? "'person' || value || '@example.org'" : name))
    .join(', ');
  database.exec(
    `with recursive numbers (value) as (select 2 union all select value + 1 from numbers where value < ${people})
     insert into users (id, ${names.join(', ')}) select value, ${place} from numbers, users where users.id = 1`,
  );
  database.close();
  return Array.from({ length: people }, (_, index) => index + 1);
}

/** A bearer token for each of these people. */
export async function tokensOf(folder: string, ids: readonly number[]): Promise<readonly string[]> {
  const secret = readFileSync(join(folder, 'secret_key_base'), 'utf8').trim();
  const tokens = new JweSessionTokens([deriveKey(secret, 'session')]);
  return Promise.all(ids.map((userId) => tokens.seal({ userId, issuedAt: Date.now() })));
}
