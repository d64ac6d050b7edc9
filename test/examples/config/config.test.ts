import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPortolan, type Portolan } from '#bootstrap/package/index.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import config, { notes } from '#test/examples/config/portolan.config.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { admin, post, serverSettings } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

describe('the configuration of docs/extending.md', () => {
  let portolan: Portolan;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portolan-config-'));
    const settings = serverSettings(dataDir, { HELP_DESK_URL: 'http://127.0.0.1:1' });
    portolan = await createPortolan({ ...config, settings, logger: openLogger('silent') });
    await portolan.listen();
  });
  afterAll(async () => {
    await portolan.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stores users in a file, and lets them sign in (CONF-002)', async () => {
    const { users } = JSON.parse(await readFile(join(dataDir, 'users.json'), 'utf8'));
    const [{ user }] = users;
    expect(user).toMatchObject({ id: 1, email: admin.email, isAdmin: true });
    expect(user.permissions).toContain('help_desk');
    const browser = await signedInAt(portolan.baseUrl, admin);
    expect(await (await browser.get('/page')).text()).toContain('Help desk');
  });

  it('runs its own and the built-in reactions on its sink (CONF-009, CONF-010)', async () => {
    expect((await post(portolan.baseUrl, trackerDelivery(issuePayload(Date.now())))).status).toBe(200);
    await expect.poll(() => notes.paths, { timeout: 60_000 }).toHaveLength(2);
    expect(notes.paths).toEqual([expect.stringMatching(/^Issues\//), expect.stringMatching(/^New\/Issue /)]);
  });
});
