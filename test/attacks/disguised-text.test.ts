import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { metricsToken, post, settled } from '#test/support/webhooks/webhook-server.ts';

// Characters that reverse, hide or imitate what a person decides by.

/** Overrides and isolates of direction, what has no width, tags, and what terminals obey. */
const disguise = '\u202egpj.\u2066\u200b\u00ad\u2060\ufeff\u{e0041}\u061c\u3164\u001b[2J';
const unseen = /[\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]|(?![\t\n])\p{Cc}/u;

const reaction = 'Pay\u202eetihw.md';

let target: Target;
let person: PlainBrowser;
beforeAll(async () => {
  target = await openTarget({ METRICS_TOKEN: metricsToken });
  person = await signedInAt(target.origin, ada);
  const folder = join(target.dataDir, 'vault', 'Reactions');
  await mkdir(folder, { recursive: true });
  const text = `---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: "Made \u202e{{ deal.title }}.md"\n---\n{{ deal.title }}\n`;
  await writeFile(join(folder, reaction), text);
  const isRead = async () => expect(await readFile(join(folder, reaction), 'utf8')).toContain('reaction_status: ok');
  await vi.waitFor(isRead, { timeout: 60_000, interval: 50 });
  await writeFile(join(target.dataDir, 'vault', 'Plan\u202e\u200bfdp.md'), `text ${disguise}`);
  const token = await grantToken(target.origin, person, {
    name: `Good ${disguise} App`,
    services: ['vault'],
    access: 'read',
  });
  await target.tool(token, 'vault_note_read', { path: 'Plan\u202e\u200bfdp.md' });
  await target.tool(token, 'vault_note_read', { path: `No${disguise}.md` });
  expect(
    (await post(target.origin, salesCrmDelivery(dealPayload({ id: 7, title: `Acme ${disguise} Ltd` })))).status,
  ).toBe(200);
  await settled(target.origin);
  await vi.waitFor(async () => expect((await page('/activity')).includes('Plan')).toBe(true), { timeout: 30_000 });
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
});

/** What a page shows, without what its forms send back and where its links lead. */
async function page(path: string): Promise<string> {
  const answer = await person.get(path);
  expect([200, 404]).toContain(answer.status);
  return (await answer.text()).replaceAll(/ (?:value|href|action)="[^"]*"/g, '');
}

it.each([
  ['the name of an app, at the list of apps', '/apps', 'Good'],
  ['the name of an app, in the activity', '/activity', 'Good'],
  ['the name of a note, in the activity', '/activity', 'Plan'],
  ['the name and text of a note', `/activity/note?path=${encodeURIComponent('Plan\u202e\u200bfdp.md')}`, 'Plan'],
  ['a path without a note', `/activity/note?path=${encodeURIComponent(`No${disguise}.md`)}`, 'No'],
  ['the title of a deal, at its delivery', '/deliveries/1', 'Acme'],
  ['the outcome of a delivery', '/deliveries', 'Made'],
  ['the name of a reaction', '/reactions', 'Pay'],
  ['the text of a reaction', `/reactions/one?path=${encodeURIComponent(`Reactions/${reaction}`)}`, 'Pay'],
])('characters that disguise text are made visible on a page: %s (PAGE-024)', async (_, path, shown) => {
  const text = await page(path);
  expect(text.includes(shown)).toBe(true);
  expect(unseen.exec(text)?.[0].codePointAt(0)?.toString(16)).toBeUndefined();
});

it('characters that disguise text are made visible in the name of an app on the consent page (PAGE-024)', async () => {
  const client = await registered(target, { client_name: `Good ${disguise} App`, redirect_uris: [callback] });
  const text = await page(authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' }));
  expect(text.includes('Good')).toBe(true);
  expect(unseen.exec(text)?.[0].codePointAt(0)?.toString(16)).toBeUndefined();
});
