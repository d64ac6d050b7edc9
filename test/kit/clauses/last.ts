import { filledIn, loginForm } from '#test/kit/browser.ts';
import { equal, eventually, holds, matches, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { dealUpdated, deliver, delivery } from '#test/kit/deliveries.ts';
import { authorizePath, callback } from '#test/kit/kit.ts';
import { form } from '#test/kit/wire.ts';

/** What a server refuses once more than so many requests came from one address in a window. */
async function refusedAfter(
  most: number,
  ask: () => Promise<Readonly<{ status: number; header(name: string): string }>>,
): Promise<void> {
  for (let sent = 1; sent <= most + 1; sent += 1) {
    const answer = await ask();
    if (answer.status !== 429) continue;
    matches(answer.header('retry-after'), /^\d+$/, 'Retry-After');
    return;
  }
  holds(false, `429 after ${most} requests at the latest`, 'none');
}

/** What leaves the target in another state than before: a restart, and limits that are used up. They run when all others are done. */
export const last: readonly Clause[] = [
  contract(
    'SET-015',
    'clients that registered are gone after a restart',
    async (kit) => {
      const client = await kit.newClient();
      loginForm(await kit.get(authorizePath(client)));
      await kit.restart();
      const page = await kit.get(authorizePath(client));
      holds(page.status >= 400, 'an unknown client', page.status);
      equal(page.header('location'), '', 'the location');
    },
    ['login', 'restart'],
  ),
  contract(
    'CODE-008',
    'codes are gone after a restart',
    async (kit) => {
      const code = await kit.code();
      await kit.restart();
      const answer = await kit.exchange(code);
      holds(answer.status >= 400 && answer.status < 500, 'a failure', `${answer.status} ${answer.text}`);
    },
    ['login', 'restart'],
  ),
  contract(
    'CONN-013',
    'connections and sessions outlive a restart, and the refresh token with them',
    async (kit) => {
      const token = await kit.token();
      await kit.restart();
      kit.emulators.cloud.sales_crm.oauth.expire();
      status(await kit.api('GET', '/api/sales_crm/deals/41', undefined, token), 200);
    },
    ['login', 'rest', 'restart', 'service:sales_crm'],
  ),
  portolan(
    'INBOX-010',
    'what was taken before a restart has its effect after it',
    async (kit) => {
      const id = Date.now() % 1_000_000_000;
      const vault = kit.emulator('vault');
      // While the notes cannot be reached, the delivery waits.
      vault.script(({ path }) => path !== '/', ...Array.from({ length: 200 }, () => ({ status: 503, body: {} })));
      status(
        await deliver(
          kit,
          delivery(kit, 'sales_crm', dealUpdated({ id, title: `Restarted ${id}`, status: 'won', value: 1 })),
        ),
        200,
      );
      await kit.restart();
      vault.unscript();
      await eventually(
        'the note',
        () => [...kit.emulators.vault.notes.values()].find((text) => text.includes(`Restarted ${id}`)) ?? null,
        60_000,
      );
    },
    ['login', 'restart', 'service:vault', 'secret:sales_crm'],
  ),
  portolan(
    'REG-015',
    'more than 60 registrations a minute from one address are 429 with Retry-After',
    async (kit) => refusedAfter(60, () => kit.register({ redirect_uris: [callback] })),
    ['limits'],
  ),
  portolan(
    'TOKEN-014',
    'more than 600 requests a minute to /token from one address are 429 with Retry-After',
    async (kit) => refusedAfter(600, () => kit.tokenRequest(form({ grant_type: 'none' }))),
    ['limits'],
  ),
  portolan(
    'AUTH-020',
    'more than 10 failed logins for one e-mail are 429 with Retry-After',
    async (kit) => {
      const browser = kit.browser();
      const page = await browser.get('/login');
      const login = { email: 'nobody-else@kit.example', password: 'wrong' };
      await refusedAfter(10, () => browser.post('/login', filledIn(page, login)));
    },
    ['limits'],
  ),
];
