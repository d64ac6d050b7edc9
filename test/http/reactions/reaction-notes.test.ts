import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { notesOf, post, serverFolder, settled, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;

beforeAll(async () => {
  folder = await serverFolder();
  await put('Reactions/won.md', won);
  await put('Reactions/off.md', won.replace('reaction: on ', 'reaction: off').replace(/note: .*/, 'note: Never.md'));
  server = await startServer(folder.path);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const won = `---
reaction: on                      # on, off, dry (shows what it would do, does nothing)
when: sales_crm.updated.deal      # an event, several, or a schedule: "schedule: 0 17 * * 5" with a time zone
if: deal.status == "won" and previous.status != "won"
note: Weekly/{{ occurredAt | date: "%G-W%V" }}.md
under: Won
once: "{{ deal.id }}"
do:
  - tracker.issues.create: { team: Onboarding, title: "Onboard {{ deal.title }}" }
---
- **{{ deal.title }}**, {{ deal.value }} {{ deal.currency }} ({{ links.note }})
`;

async function put(path: string, text: string): Promise<void> {
  const file = join(folder.path, 'vault', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const noteText = (path: string) => readFile(join(folder.path, 'vault', path), 'utf8').catch(() => '');

async function deliver(
  data: Readonly<Record<string, unknown>>,
  previous: Readonly<Record<string, unknown>>,
): Promise<void> {
  const answer = await post(server.baseUrl, salesCrmDelivery(dealPayload(data, previous)));
  expect(answer.status).toBe(200);
  await settled(server.baseUrl);
}

it('a reaction writes its line into the note, next to the built-in ones, once and inert (WRITE-001)', async () => {
  await deliver({ id: 7, title: 'Acme <% evil %>', status: 'won', value: 500, currency: 'EUR' }, { status: 'open' });
  const text = await noteText('Weekly/2026-W03.md');
  expect(text).toMatch(
    /^## Won\n- \*\*Acme \\<\\% evil \\%\\>\*\*, 500 EUR \(\[\[Deals\/Acme.*\]\]\) \^evt-[0-9a-f]{16}\n$/m,
  );
  await deliver({ id: 7, title: 'Acme', status: 'won', value: 600 }, { status: 'open' });
  expect(await noteText('Weekly/2026-W03.md')).toBe(text);
});

it('a reaction whose condition is false writes nothing (WRITE-002)', async () => {
  const before = await noteText('Weekly/2026-W03.md');
  await deliver({ id: 8, title: 'Open', status: 'open' }, { status: 'won' });
  await deliver({ id: 9, title: 'Won before', status: 'won' }, { status: 'won', value: 3 });
  expect(await noteText('Weekly/2026-W03.md')).toBe(before);
  expect(Object.keys(await notesOf(folder.path)).length).toBeGreaterThan(0);
});

it('a note says whether it is valid, and is read again when it changes (WRITE-003)', async () => {
  await expect.poll(() => noteText('Reactions/off.md'), { timeout: 30_000 }).toContain('\nreaction_status: ok\n');
  // Its path is no valid YAML, and is understood: nothing else in it is changed.
  const said = won.replace(/^---\n-/m, 'reaction_status: "ok"\n---\n-');
  await expect.poll(() => noteText('Reactions/won.md'), { timeout: 30_000 }).toBe(said);
  await put(
    'Reactions/bad.md',
    won
      .replace(/note: .*/, 'note: Bad.md')
      .replace('deal.title', 'deel.title')
      .replace('under:', 'unter:'),
  );
  await expect
    .poll(() => noteText('Reactions/bad.md'), { timeout: 30_000 })
    .toMatch(/^reaction_status: .*line 6: There is no key `unter`; did you mean `under`\? \(and 1 more\)/m);
  await rm(join(folder.path, 'vault', 'Reactions/bad.md'));
});
