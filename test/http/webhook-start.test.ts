import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartFault } from '#bootstrap/first-start.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhook-senders.ts';
import { notesOf, post, serverFolder, settled, startServer } from '#test/support/webhook-server.ts';

describe('the templates of a server', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  beforeEach(async () => {
    folder = await serverFolder();
  });
  afterEach(() => folder.remove());

  it('are copied at first start, and new notes are made from what the team made of them', async () => {
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
      /^tags: \["crm"\]\n---\n# Ours: Sample deal\n\n## Talks\n\n## History\n+- 2026/m,
    );
  });

  it('that are bad keep it from starting, with file and line', async () => {
    await mkdir(join(folder.path, 'templates'));
    await writeFile(join(folder.path, 'templates', 'deal.md'), '---\npath: "{title}.md"\n---\n\n{amount}\n');
    const starting = startServer(folder.path);
    await expect(starting).rejects.toThrow(StartFault);
    await expect(starting).rejects.toThrow(/deal\.md:5: \{amount\} is not known here; there are \{id\}, \{title\}/);
  });
});
