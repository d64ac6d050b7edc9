import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedVault, startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { freePort } from '#test/kit/free-port.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { figures, notesOf, post, serverFolder, settled, startServer } from '#test/support/webhooks/webhook-server.ts';

describe('while the vault is down', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  let vault: EmbeddedVault | undefined;

  beforeEach(async () => {
    folder = await serverFolder();
  });
  afterEach(async () => {
    await server?.stop();
    await vault?.close();
    await folder.remove();
  });

  it('deliveries are still acknowledged, and take effect in order when it is back', async () => {
    const port = await freePort();
    const apiKey = 'the key of the vault';
    const url = `http://127.0.0.1:${port}`;
    server = await startServer(folder.path, { VAULT_URL: url, VAULT_API_KEY: apiKey });
    const statuses = ['new', 'open', 'won', 'lost'];
    const deals = [1, 2, 3, 4, 5, 6];
    for (const [turn, status] of statuses.entries()) {
      for (const id of deals) {
        const payload = dealPayload({ id, title: `Deal ${id}`, status }, {}, `2026-01-15T08:0${turn}:00Z`);
        const response = await post(server.baseUrl, salesCrmDelivery(payload));
        expect(response.status).toBe(200);
      }
    }
    await failing(server.baseUrl);
    expect(await notesOf(folder.path).catch(() => ({}))).toEqual({});

    const notes = `${folder.path}/vault`;
    const logger = openLogger('silent');
    vault = await startEmbeddedVault({
      folder: notes,
      listen: { host: '127.0.0.1', port, apiKey },
      clock: systemClock,
      logger,
    });
    await settled(server.baseUrl);
    const after = await notesOf(folder.path);
    expect(Object.keys(after)).toEqual(deals.map((id) => `Deals/Deal ${id}.md`));
    for (const text of Object.values(after)) {
      expect(text).toMatch(/^status: "?lost"?$/m);
      expect(text.match(/08:0\d UTC/g)).toEqual(['08:00 UTC', '08:01 UTC', '08:02 UTC', '08:03 UTC']);
    }
  });
});

/** Resolves when a delivery has failed at least once. */
async function failing(baseUrl: string): Promise<void> {
  const name = 'portolan_webhook_tries_total{service="sales_crm",result="retry"}';
  await expect.poll(async () => (await figures(baseUrl, name))[name] ?? 0).toBeGreaterThan(0);
}
