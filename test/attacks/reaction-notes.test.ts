import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { hostileReactions } from '#test/attacks/hostile-reactions.ts';
import { isLong } from '#test/support/form.ts';
import { type HeldLoop, measureLoop, referenceMs } from '#test/support/measures/held-loop.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

// Everybody with the right to the vault, and each of their apps, writes into the folder of reactions.

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let loop: HeldLoop;

const plain = '---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: Log.md\n---\nText\n';
const file = (name: string) => join(folder.path, 'vault', 'Reactions', name);
const isRead = async (name: string) => (await readFile(file(name), 'utf8')).includes('reaction_status: ok');
async function read(name: string): Promise<void> {
  while (!(await isRead(name))) await delay(50);
}

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  server = await startServer(folder.path);
  await writeFile(file('first.md'), plain);
  await read('first.md');
  loop = measureLoop();
});
afterAll(async () => {
  loop.stop();
  await server.stop();
  await folder.remove();
});

/** How long the loop was held at most, in ms of CPU time of a machine with nothing else to do. */
const held = () => loop.maxMs() / Math.max(1, referenceMs() / 25);

it.each(hostileReactions)('a note with $name delays no request (WRITE-031)', async ({ name, text }) => {
  loop.reset();
  await writeFile(file(`${name}.md`), text);
  // Notes are read in the order of their paths.
  await writeFile(file(`${name} and then.md`), plain);
  await read(`${name} and then.md`);
  expect(held()).toBeLessThan(100);
});

// What a pattern that tries again at each blank takes hours for: texts that are right as a whole.
const blanks = ' '.repeat(30_000);
const slow: readonly (readonly [string, string, string])[] = [
  ['blanks in a value', `set:\n  a: "{{${blanks}deal.title }}b"\n`, 'Text'],
  ['blanks in a value alone', `set:\n  a: "{{${blanks}deal.title${blanks}}}"\n`, 'Text'],
  ['blanks after a mark of code', '', `\`${blanks}{{ deal.title }}`],
  ['marks of code', '', `${'<'.repeat(20_000)}${'` '.repeat(10_000)}{{ deal.title }}`],
  ['an indented fence', '', `${blanks}\`\`\n${'1. '.repeat(10_000)}{{ deal.title }}`],
  // Which does not parse, so that it never runs.
  ['open quotes in a condition', `if: deal.title != ${'\\"'.repeat(450)}\n`, 'Text'],
];

describe('a text that makes a pattern slow', () => {
  const statusOf = async (name: string) =>
    /reaction_status: (.*)/.exec(await readFile(file(`${name}.md`), 'utf8'))?.[1] ?? 'none';

  it.each(slow)('is read as fast as others: %s (WRITE-030)', async (name, lines, body) => {
    const head = `reaction: on\nwhen: sales_crm.updated.deal\nnote: "Ran/${name}.md"\n`;
    await writeFile(file(`${name}.md`), `---\n${head}${lines}---\n${body}\n`);
    await vi.waitFor(async () => expect(await statusOf(name)).not.toBe('none'), { timeout: 60_000, interval: 50 });
    expect(await statusOf(name)).not.toContain('set aside');
  });

  it('is filled in as fast as others, also with such a value (WRITE-030)', async () => {
    const title = `Acme ${'` '.repeat(2_000)}${' '.repeat(10_000)}<%`;
    await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 7, title })));
    await settled(server.baseUrl);
    const aside = await Promise.all(slow.map(async ([name]) => (await statusOf(name)).includes('set aside')));
    expect(aside).not.toContain(true);
    const ran = await readdir(join(folder.path, 'vault', 'Ran'));
    expect(ran.toSorted()).toEqual(
      slow
        .slice(0, -1)
        .map(([name]) => `${name}.md`)
        .toSorted(),
    );
  });
});

it('all hostile notes together do not delay a start (WRITE-031)', async () => {
  await server.stop();
  server = await startServer(folder.path);
  loop.reset();
  const page = await fetch(`${server.baseUrl}/reactions`, { headers: { cookie: await signIn(server.baseUrl) } });
  expect(await page.text()).toContain('unknown keys');
  expect(held()).toBeLessThan(100);
});

it('a very large number of notes does not delay a start (WRITE-031)', async () => {
  const count = isLong ? 900 : 100;
  loop.reset();
  for (let index = 0; index < count; index += 1) await writeFile(file(`z ${index + 1_000}.md`), plain);
  await read(`z ${count + 999}.md`);
  expect(held()).toBeLessThan(100);
});
