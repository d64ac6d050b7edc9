import { describe, expect, it } from 'vitest';
import { formerCookiesUntil } from '#bootstrap/start/former-cookies.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

const weekMs = 604_800_000;
const now = 1_800_000_000_000;

async function open(...emails: readonly string[]) {
  const stores = { users: new MemoryUsers(), serverFacts: new MemoryServerFacts() };
  for (const email of emails) await stores.users.add({ email, passwordHash: '', permissions: [], isAdmin: true });
  return stores;
}

describe('cookies from before sessions were stored (SESS-023)', () => {
  it('are accepted for 7 days after the first start with users, whenever the server starts later', async () => {
    const stores = await open('ada@example.com');
    expect(await formerCookiesUntil(stores, now)).toBe(now + weekMs);
    expect(await formerCookiesUntil(stores, now + 100 * weekMs)).toBe(now + weekMs);
  });

  it('are never accepted by a server that started without users, because it issued none', async () => {
    const stores = await open();
    expect(await formerCookiesUntil(stores, now)).toBeLessThan(now);
    await stores.users.add({ email: 'ada@example.com', passwordHash: '', permissions: [], isAdmin: true });
    expect(await formerCookiesUntil(stores, now)).toBeLessThan(now);
  });
});
