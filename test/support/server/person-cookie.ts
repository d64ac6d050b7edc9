import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqlSessions } from '#adapters/persistence/sql-sessions.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { withStored } from '#test/support/server/stored-users.ts';

/** The cookie of somebody who is signed in at a running server on SQLite, for users whose password is not known. */
export async function personCookie(dataDir: string, userId: number): Promise<string> {
  const secret = (await readFile(join(dataDir, 'secret_key_base'), 'utf8')).trim();
  return withStored(dataDir, async ({ users, database }) => {
    const beginSession = new BeginSession({
      sessions: new SqlSessions(database),
      tokens: new JweSessionTokens([deriveKey(secret, 'session')]),
      random: systemRandom,
      clock: systemClock,
      audience: null,
    });
    const user = await users.find(userId);
    if (user === null) throw new Error(`There is no user ${userId}`);
    return `user=${(await beginSession.run(user, { begunBy: 'login', userAgent: '' })).token}`;
  });
}
