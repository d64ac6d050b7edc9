import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { openNoteTemplates } from '#bootstrap/vault/open-sink.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { notesOf, post, serverFolder, settled, startServer } from '#test/support/webhooks/webhook-server.ts';

describe('the templates of a server', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  beforeEach(async () => {
    folder = await serverFolder();
  });
  afterEach(() => folder.remove());

  it('are copied at the first start, and new notes are created from what the team made of them (NOTE-006)', async () => {
    const first = await startServer(folder.path);
    await first.stop();
    expect((await readdir(join(folder.path, 'templates'))).sort()).toEqual(['contract.md', 'deal.md', 'issue.md']);
    const mine = '---\npath: "Sales/{id}.md"\ntags: [crm]\n---\n# Ours: {title}\n\n## Talks\n\n## History\n';
    await writeFile(join(folder.path, 'templates', 'deal.md'), mine);
    const server = await startServer(folder.path);
    await post(server.baseUrl, salesCrmDelivery(dealPayload()));
    await settled(server.baseUrl);
    await server.stop();
    expect((await notesOf(folder.path))['Sales/8.md']).toMatch(
      /^tags:\n {2}- crm\n---\n# Ours: Sample deal\n\n## Talks\n\n## History\n+- 2026/m,
    );
  });

  it('are shared by servers that start at once: each is made once, and read whole (CONF-019)', async () => {
    const shared = join(folder.path, 'shared');
    const opened = await Promise.all(
      Array.from({ length: 12 }, () => openNoteTemplates(readSettings({ TEMPLATES_DIR: shared }))),
    );
    expect(new Set(opened.map((templates) => JSON.stringify(templates))).size).toBe(1);
    expect((await readdir(shared)).sort()).toEqual(['contract.md', 'deal.md', 'issue.md']);
  });

  it('are not in the vault, whose notes are backed up apart from them (CONF-019)', () => {
    const inVault = { VAULT_DIR: folder.path, TEMPLATES_DIR: join(folder.path, 'Templates') };
    expect(() => readSettings(inVault)).toThrow('TEMPLATES_DIR: must not be in the folder of the vault');
  });

  it('prevent the start with file and line if they are invalid (NOTE-007)', async () => {
    await mkdir(join(folder.path, 'templates'));
    await writeFile(join(folder.path, 'templates', 'deal.md'), '---\npath: "{title}.md"\n---\n\n{amount}\n');
    const starting = startServer(folder.path);
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(/deal\.md:5: \{amount\} is not known here; there are \{id\}, \{title\}/);
  });
});

describe('an old delivery', () => {
  it('loses its body and keeps its id, so that it is always recognized (INBOX-008)', async () => {
    const folder = await serverFolder();
    const first = await startServer(folder.path);
    const delivery = salesCrmDelivery(dealPayload());
    await post(first.baseUrl, delivery);
    await settled(first.baseUrl);
    await first.stop();
    const url = `sqlite:${join(folder.path, 'portolan.sqlite')}`;
    const database = await openDatabase({ url, entities, migrations });
    const bodies = () => database.em.fork().execute('select body from webhook_inbox where body is not null');
    expect(await bodies()).toHaveLength(1);
    await database.em.fork().execute('update webhook_inbox set finished_at = ?', [Date.now() - 31 * 86_400_000]);

    const second = await startServer(folder.path);
    await vi.waitUntil(async () => (await bodies()).length === 0, { timeout: 60_000 });
    expect((await post(second.baseUrl, delivery)).status).toBe(200);
    expect(await bodies()).toEqual([]);
    await second.stop();
    await database.close();
    await folder.remove();
  });
});
