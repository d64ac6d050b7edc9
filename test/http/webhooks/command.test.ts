import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { casesOf } from '#test/support/form.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import {
  dealPayload,
  salesCrmDelivery,
  suiteCrmDelivery,
  suiteCrmToken,
} from '#test/support/webhooks/webhook-senders.ts';
import {
  childEnv,
  notesOf,
  post,
  serverFolder,
  serverSettings,
  settled,
  startServer,
} from '#test/support/webhooks/webhook-server.ts';

const execute = promisify(execFile);

describe('npm run webhooks', () => {
  let folder: Awaited<ReturnType<typeof serverFolder>>;
  let server: RunningPortolan;

  beforeAll(async () => {
    folder = await serverFolder();
    server = await startServer(folder.path);
    await post(server.baseUrl, salesCrmDelivery(dealPayload()));
    await post(server.baseUrl, suiteCrmDelivery({ module: 'Deals', operation: 'update', ids: ['7'], api_key: 'x1y2' }));
    await settled(server.baseUrl);
  });
  afterAll(async () => {
    await server.stop();
    await folder.remove();
  });

  async function run(...words: readonly string[]): Promise<Readonly<{ code: number; text: string }>> {
    const env = childEnv(serverSettings(folder.path));
    const program = await testedProgram('bootstrap/cli/webhooks.ts');
    try {
      const { stdout } = await execute(process.execPath, [program, ...words], { env });
      return { code: 0, text: stdout };
    } catch (error) {
      const failed = Object(error);
      return { code: Number(failed.code), text: `${failed.stdout}${failed.stderr}` };
    }
  }

  it('list shows the newest first, with their results (CLI-003)', async () => {
    const { text } = await run('list');
    expect(text.trim().split('\n')).toEqual([
      expect.stringMatching(/^2 {2}ignored {2}.* {2}suite_crm {2}Deals\.edit {2}no reaction to this event$/),
      expect.stringMatching(/^1 {2}done .* {2}sales_crm {2}updated\.deal {2}created Deals\/Sample deal\.md$/),
    ]);
    expect((await run('list', '--state', 'dead')).text).toBe('There are no such deliveries.\n');
  });

  it('show prints everything about one, with secrets masked (CLI-003)', async () => {
    const { text } = await run('show', '2');
    expect(text).toMatch(/^id {12}suite_crm\/sha256:[0-9a-f]{64}\n/);
    expect(text).toContain('"api_key": "•••"');
    expect(text).not.toContain(suiteCrmToken);
  });

  it('dry-run shows what the running server would write (CLI-003)', async () => {
    const before = await notesOf(folder.path);
    await writeFile(join(folder.path, 'vault', 'Deals', 'Sample deal.md'), '---\nsales_crm_deal_id: "8"\n---\nMine.\n');
    const { text } = await run('dry-run', '1');
    expect(text).toContain('set status to "won" in Deals/Sample deal.md');
    expect(text).toContain('append to Deals/Sample deal.md:\n\n## History\n- ');
    expect(text).toMatch(/done: updated Deals\/Sample deal\.md: .*status, value/);
    expect(before['Deals/Sample deal.md']).toContain('status');
    expect((await notesOf(folder.path))['Deals/Sample deal.md']).toBe('---\nsales_crm_deal_id: "8"\n---\nMine.\n');
  });

  it('replay makes the server process it again, and keeps what a person wrote (CLI-003)', async () => {
    expect((await run('replay', '1')).text).toBe('Delivery 1 is waiting again; the server will process it.\n');
    await settled(server.baseUrl);
    const text = (await notesOf(folder.path))['Deals/Sample deal.md'] ?? '';
    expect(text).toMatch(/status: "?won"?/);
    expect(text).toContain('Mine.');
  });

  const mistakes = [
    { words: ['skip', '1'], why: 'its state does not allow this' },
    { words: ['show', '99'], why: 'There is no such delivery' },
    { words: ['replay', 'x'], why: 'It must be a number' },
    { words: ['list', '--state', 'deda'], why: 'There is no state "deda". Did you mean "dead"? There are "pending"' },
    { words: ['list', '--state', 'constructor'], why: 'There is no state "constructor". There are' },
    { words: ['list', '--limit', '1e1'], why: 'It must be a number' },
    { words: ['show', '01'], why: 'It must be a number' },
  ] as const;
  // Each takes a process: in the short form one that the deliveries refuse, and one that the words do.
  it.each(casesOf(mistakes, ({ words: [name] }) => name === 'skip' || name === 'list'))(
    '$words ends with 1 and reports why (CLI-005)',
    async ({ words, why }) => {
      const { code, text } = await run(...words);
      expect(code).toBe(1);
      expect(text).toContain(why);
    },
  );
});
