import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openCluster } from '#test/support/server/cluster.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

const answers = z.looseObject({
  result: z.looseObject({
    isError: z.boolean().default(false),
    structuredContent: z.looseObject({}).optional(),
    content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
  }),
});
const listed = z.object({
  changes: z.array(z.looseObject({ id: z.string(), operation: z.string(), undo: z.string() })),
});
const asked = z.looseObject({ approval: z.looseObject({ id: z.string() }) });
const deal = z.looseObject({ id: z.union([z.number(), z.string()]), value: z.number() });

/** The time over which the kills are spread: longer than a change and its requests take. */
const spreadMs = 200;

/** Changes, and what takes them back, in servers that are killed. */
export const undo: readonly FaultRow[] = [
  {
    subject: 'undo',
    fault: 'killed at a change',
    holds: 'What was changed can be taken back a minute later, whenever the server was killed (UNDO-061)',
    run: (extent) => killed(extent, 'change'),
  },
  {
    subject: 'undo',
    fault: 'killed at taking back',
    holds: 'Taking back can be tried a minute later, and leaves the record as it was before the change (UNDO-061)',
    run: (extent) => killed(extent, 'undo'),
  },
  {
    subject: 'undo',
    fault: 'killed at deleting notes',
    holds: 'Each note is whole: where it was or in the trash, from which it is taken back (VER-006)',
    run: killedAtDeleting,
  },
  {
    subject: 'undo',
    fault: 'killed in a program',
    holds: 'What the program wrote is taken back as one a minute later, and nothing else (PROG-006)',
    run: killedInProgram,
  },
  {
    subject: 'undo',
    fault: 'killed at a change that was allowed',
    holds: 'It is made at most once: allowed again it is made, and an unknown outcome is said to be one (ASK-005)',
    run: killedAllowing,
  },
  {
    subject: 'undo',
    fault: 'two servers take one change back at once',
    holds: 'One of them does (UNDO-052)',
    run: together,
  },
];

type Caller = (
  name: string,
  args: object,
) => Promise<Readonly<{ isError: boolean; data: Readonly<Record<string, unknown>> }>>;

const callerAt =
  (origin: string, token: string): Caller =>
  async (name, args) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { result } = answers.parse(await (await post(origin, message, { person: token })).json());
    // A long answer is sent once, as text.
    const data = result.structuredContent ?? z.looseObject({}).parse(JSON.parse(result.content[0].text));
    return { isError: result.isError, data };
  };

const made = async (call: Caller) =>
  deal.parse((await call('sales_crm_deal_create', { title: 'Crane', value: 900 })).data).id;
const amountOf = async (call: Caller, id: unknown) => deal.parse((await call('sales_crm_deal_get', { id })).data).value;
const latestUpdate = async (call: Caller) =>
  listed
    .parse((await call('workspace_undo', { dry: true })).data)
    .changes.find(({ operation }) => operation === 'sales_crm.deals.update');

async function killed({ kills }: Extent, at: 'change' | 'undo'): Promise<Measured> {
  await using stand = await openStand();
  const call = callerAt(stand.baseUrl, stand.token);
  const problems: string[] = [];
  let changes = 0;
  for (let round = 0; round < kills; round += 1) {
    const id = await made(call);
    const changing = async () => call('sales_crm_deal_update', { id, value: 1_200 });
    if (at === 'undo') await changing();
    const before = at === 'undo' ? await latestUpdate(call) : undefined;
    const work = at === 'undo' ? call('workspace_undo', { activity: before?.id ?? '' }) : changing();
    const ended = work.catch(() => null);
    // From before its first statement to after its last request.
    await delay(((round + 0.5) / kills) * spreadMs);
    await stand.server().end('SIGKILL');
    await ended;
    minuteLater(stand);
    await stand.start();
    const isChanged = (await amountOf(call, id)) === 1_200;
    const change = await latestUpdate(call);
    if (isChanged) {
      changes += 1;
      const { isError, data } = await call('workspace_undo', { activity: change?.id ?? '' });
      if (isError) problems.push(`Round ${round}: ${JSON.stringify(data)}`);
    }
    const left = await amountOf(call, id);
    if (left !== 900) problems.push(`Round ${round} leaves ${left}.`);
  }
  return {
    load: `${kills} kills, ${changes} changes left to take back`,
    acknowledged: kills,
    lost: problems.length,
    doubled: 0,
    recoveredAfterMs: null,
    problems,
  };
}

const notesARound = 24;

async function killedAtDeleting({ kills }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const call = callerAt(stand.baseUrl, stand.token);
  const folder = join(stand.dataDir, 'vault');
  const problems: string[] = [];
  let deleted = 0;
  for (let round = 0; round < kills; round += 1) {
    const paths = Array.from({ length: notesARound }, (_, number) => `Round ${round}/Note ${number}.md`);
    const textOf = (path: string) => `${path}\n${'line\n'.repeat(2_000)}`;
    await mkdir(join(folder, `Round ${round}`), { recursive: true });
    for (const path of paths) await writeFile(join(folder, path), textOf(path));
    const acknowledged: string[] = [];
    const deleting = paths.map(async (path) => {
      const answer = await call('vault_note_delete', { path }).catch(() => null);
      if (answer?.isError === false) acknowledged.push(path);
    });
    await delay(((round + 0.5) / kills) * spreadMs);
    await stand.server().end('SIGKILL');
    await Promise.all(deleting);
    minuteLater(stand);
    await stand.start();
    const inTrash = await textsIn(join(folder, '.trash'));
    for (const path of paths) {
      const isThere = (await readFile(join(folder, path), 'utf8').catch(() => '')) === textOf(path);
      if (isThere === inTrash.has(textOf(path))) problems.push(`${path} is ${isThere ? 'in both places' : 'lost'}.`);
      if (isThere && acknowledged.includes(path)) problems.push(`${path} is there, and was said to be deleted.`);
    }
    deleted += inTrash.size;
    await call('workspace_undo', { since: new Date(0).toISOString() });
    for (const path of paths) {
      const text = await readFile(join(folder, path), 'utf8').catch(() => null);
      if (text !== textOf(path)) problems.push(`${path} was not taken back.`);
    }
    await rm(join(folder, '.trash'), { recursive: true, force: true });
  }
  return {
    load: `${kills} kills at ${notesARound} deletions each, ${deleted} of them done`,
    acknowledged: kills * notesARound,
    lost: problems.length,
    doubled: 0,
    recoveredAfterMs: null,
    problems,
  };
}

/** The texts of all files below a folder. */
async function textsIn(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Set(await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'))));
}

async function killedAllowing({ kills }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const place = { origin: stand.baseUrl };
  const browser = await signedInAt(stand.baseUrl, ada);
  const careful = callerAt(stand.baseUrl, await grantToken(stand.baseUrl, browser, { name: 'Careful', ask: 'change' }));
  const plain = callerAt(stand.baseUrl, stand.token);
  const states: Record<string, number> = {};
  const problems: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const args = { id: await made(plain), value: 1_200 };
    const { approval } = asked.parse((await careful('sales_crm_deal_update', args)).data);
    const allow = () => sendJson(place, browser, ['POST', `/api/approvals/${approval.id}`, { decision: 'allow' }]);
    const ended = allow().catch(() => null);
    await delay(((round + 0.5) / kills) * spreadMs);
    await stand.server().end('SIGKILL');
    await ended;
    await stand.start();
    const fetched = async () => {
      const { isError, data } = await careful('sales_crm_deal_update', { ...args, approval: approval.id });
      return isError ? String(data['reason']) : 'done';
    };
    const before = await amountOf(plain, args.id);
    const state = await fetched();
    states[state] = (states[state] ?? 0) + 1;
    if (state === 'approval_required') await allow();
    else if ((await amountOf(plain, args.id)) !== before) problems.push(`Round ${round} is made again by asking.`);
    const isMade = (await amountOf(plain, args.id)) === args.value;
    const isKnown = state === 'approval_required' || state === 'done';
    if (isKnown && !(isMade && (await fetched()) === 'done'))
      problems.push(`Round ${round} is ${state}, and not made.`);
    if (!isKnown && state !== 'unavailable') problems.push(`Round ${round} is ${state}.`);
  }
  return {
    load: `${kills} kills, left ${JSON.stringify(states)}`,
    acknowledged: kills,
    lost: problems.length,
    doubled: 0,
    recoveredAfterMs: null,
    problems,
  };
}

/** Has all changes be a minute older, and all leases end, since the server is killed. */
function minuteLater({ dataDir }: Stand): void {
  const database = new DatabaseSync(join(dataDir, 'portolan.sqlite'));
  database.exec('update kept_changes set at = at - 61000; update leases set until = 0');
  database.close();
}

async function together({ isShort }: Extent): Promise<Measured> {
  await using cluster = await openCluster({ servers: 2, env: { RATE_LIMITS: 'off' } });
  await cluster.services.connectByKeys(await cluster.signIn());
  const token = await accessToken({ origin: cluster.baseUrl });
  const callers = cluster.servers.map(({ origin }) => callerAt(origin, token));
  const [first] = callers;
  if (first === undefined) throw new Error('There is no server.');
  const rounds = isShort ? 5 : 40;
  const problems: string[] = [];
  let doubled = 0;
  for (let round = 0; round < rounds; round += 1) {
    const id = await made(first);
    await first('sales_crm_deal_update', { id, value: 1_200 });
    const change = await latestUpdate(first);
    const all = await Promise.all(callers.map((call) => call('workspace_undo', { activity: change?.id ?? '' })));
    const done = all.filter(({ isError }) => !isError).length;
    doubled += Math.max(0, done - 1);
    if (done !== 1) problems.push(`Round ${round}: ${done} servers took it back: ${JSON.stringify(all)}`);
    if ((await amountOf(first, id)) !== 900) problems.push(`Round ${round} was not taken back.`);
  }
  return {
    load: `${rounds} changes, 2 servers each`,
    acknowledged: rounds,
    lost: 0,
    doubled,
    recoveredAfterMs: null,
    problems,
  };
}

/** A program that writes notes is cut off by a kill: each of its changes is known, and they are taken back. */
async function killedInProgram({ kills }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const call = callerAt(stand.baseUrl, stand.token);
  const problems: string[] = [];
  let written = 0;
  for (let round = 0; round < kills; round += 1) {
    const folder = join(stand.dataDir, 'vault', `Round ${round}`);
    const notesThere = async () => (await readdir(folder).catch(() => [])).length;
    const code = `for (let n = 0; n < 400; n += 1) await portolan.vault.note_write({ path: 'Round ${round}/' + n + '.md', content: 'n' })`;
    const ended = call('workspace_run', { code }).catch(() => null);
    for (let waited = 0; waited < 500 && (await notesThere()) === 0; waited += 1) await delay(20);
    await delay(((round + 0.5) / kills) * spreadMs);
    await stand.server().end('SIGKILL');
    await ended;
    written += await notesThere();
    minuteLater(stand);
    await stand.start();
    // At most 50 changes are taken back by one call.
    for (let more = 0; more < 10 && (await notesThere()) > 0; more += 1) {
      await call('workspace_undo', { since: new Date(0).toISOString() });
    }
    const left = await notesThere();
    if (left > 0) problems.push(`Round ${round} leaves ${left} notes.`);
  }
  if (written === 0) problems.push('No program had written anything when it was cut off.');
  return {
    load: `${kills} kills in programs, ${written} notes written until then`,
    acknowledged: kills,
    lost: problems.length,
    doubled: 0,
    recoveredAfterMs: null,
    problems,
  };
}
