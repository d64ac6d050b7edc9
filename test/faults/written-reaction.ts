import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { SignedIn } from '#test/demo/signed-in.ts';

/** Where reactions are written and allowed: the folder of notes, a server, and an administrator in a browser. */
export type ReactionPlace = Readonly<{ notes: string; baseUrl: string; person: SignedIn }>;

const path = 'Reactions/onboard.md';
const page = `/reactions/one?path=${encodeURIComponent(path)}`;
const maxWaitMs = 180_000;

/** Writes a reaction to deals that makes this call, and allows it as an administrator does. */
export async function allowCall(place: ReactionPlace, call: string): Promise<void> {
  const file = join(place.notes, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `---\nreaction: on\nwhen: sales_crm.updated.deal\ndo:\n  - ${call}\n---\n`);
  await until('the calls can be allowed', () => allowWaiting(place));
}

/** Allows the reaction that waits, as an administrator does at `/approvals`; false while none waits. */
async function allowWaiting({ person, baseUrl }: ReactionPlace): Promise<boolean> {
  const listed = z.object({ data: z.array(z.looseObject({ id: z.string(), kind: z.string() })) });
  const { data } = listed.parse(await (await person.fetch('/api/approvals')).json());
  const waiting = data.find((one) => one.kind === 'reaction' && one['path'] === path);
  if (waiting === undefined) return false;
  const headers = { 'content-type': 'application/json', origin: baseUrl };
  const body = JSON.stringify({ decision: 'allow' });
  return (await person.fetch(`/api/approvals/${waiting.id}`, { method: 'POST', headers, body })).ok;
}

/** The page of the reaction. */
export async function reactionPage({ person }: Pick<ReactionPlace, 'person'>): Promise<string> {
  return (await person.fetch(page)).text();
}

/** Sends the form with that action on the reaction's page; with `decision` the one that has it. */
export async function submitReaction(
  { person, baseUrl }: Omit<ReactionPlace, 'notes'>,
  action: string,
  decision = '',
): Promise<boolean> {
  const html = await reactionPage({ person });
  const forms = html.split('<form').filter((part) => part.includes(`action="/reactions/${action}"`));
  const form = forms.find((part) => decision === '' || part.includes(`value="${decision}"`)) ?? '';
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl };
  const init = { method: 'POST', headers, body: body.toString(), redirect: 'manual' } as const;
  return (await person.fetch(`/reactions/${action}`, init)).status === 303;
}

/** Waits until it is so; throws when it does not come to it. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > maxWaitMs) throw new Error(`It did not come to this: ${what}.`);
    await delay(200);
  }
}
