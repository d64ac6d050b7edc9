// One process of several over one database, for tests of renewal: asks for the token of user 1 at the sales CRM as often as it
// is asked, all at once, when a line comes in. Arguments: database address, token address, callers, and 'crash' to be killed
// after the provider has answered and before anything is stored. Prints `ready`, then what it got as JSON.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { cachedConnections } from '#adapters/stores/cached-stores.ts';
import { sealedConnections } from '#adapters/stores/sealed-stores.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { ActiveUsers } from '#test/doubles/active-users.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { testBox } from '#test/support/persistence/test-database.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { salesCrmOAuth } from '#test/support/services/vendors.ts';

const [url = '', tokenUrl = '', callers = '1', mode = ''] = process.argv.slice(2);
const database = await openDatabase({ url, entities, migrations });
const http = new HttpClient();
const connections = sealedConnections(new MikroOrmConnections(database), testBox);
if (mode === 'crash') {
  connections.replace = async () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  };
}
const facts = salesCrmOAuth('neutral', { authorizeUrl: null, tokenUrl });
const accessTokens = new AccessTokens({
  connections: cachedConnections(connections),
  grants: new HttpProviderGrants(
    new Map([['sales_crm', { name: neutralNames.of('sales_crm'), facts, app: { ...app, scopes: null } }]]),
    http,
    systemClock,
  ),
  leases: new SqlLeases(database),
  users: new ActiveUsers(),
  clock: systemClock,
  random: systemRandom,
  logger: openLogger('silent'),
  names: neutralNames,
  pause: (ms) => delay(ms),
});

process.stdout.write('ready\n');
await once(process.stdin, 'data');
const found = await Promise.all(Array.from({ length: Number(callers) }, () => accessTokens.find(1, 'sales_crm')));
const got = [...new Set(found.map((result) => (result.ok ? result.value.accessToken : result.failure.message)))];
process.stdout.write(`${JSON.stringify(got)}\n`);
http.close();
await database.close();
process.stdin.destroy();
