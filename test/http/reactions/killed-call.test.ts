import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { SqlReactionLog } from '#adapters/persistence/sql-reaction-log.ts';
import { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { casesOf, isLong } from '#test/support/form.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { createStep, noInbox } from '#test/support/webhooks/reaction-call.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-killed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Has a process make the call until it kills itself at that point; what it leaves, and the next process. */
async function killedAt(point: string) {
  const url = `sqlite:${join(folder, `${point}.sqlite`)}`;
  const file = join(folder, `${point}.txt`);
  const script = await testedProgram('test/support/webhooks/reaction-call-process.ts');
  const child = spawn(process.execPath, [script, url, file, point], { stdio: ['ignore', 'inherit', 'inherit'] });
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  const created = (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1;
  const database = await openDatabase({ url, entities, migrations });
  const log = new SqlReactionLog(database);
  const again: string[] = [];
  const next = (laterMs: number) =>
    new ApplyCallStep({
      ...noInbox,
      log,
      caller: {
        call: async ({ name }) => {
          again.push(name);
          return succeeded({ id: 'i-2' });
        },
      },
      clock: { now: () => Date.now() + laterMs },
    }).run(createStep);
  return { created, again, log, next, close: () => database.close() };
}

const points = [
  { point: 'before', created: 0 },
  { point: 'after', created: 1 },
] as const;

it.each(casesOf(points, ({ point }) => point === 'after'))(
  'a call is not repeated, and a person is asked, if the server was killed with -9 $point the service created its record (WRITE-006)',
  async ({ point, created: expected }) => {
    const { created, again, log, next, close } = await killedAt(point);
    expect(created).toBe(expected);
    expect(await next(0)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
    expect(await next(120_000)).toMatchObject({
      ok: true,
      value: { result: 'failed', line: expect.stringContaining('decide on /reactions') },
    });
    expect(await log.calls({ state: 'unknown', limit: 9 })).toMatchObject([
      { key: 'k', reaction: createStep.by, seq: 3 },
    ]);
    expect(again).toEqual([]);
    await close();
  },
);

it.runIf(isLong)(
  'a call is done, and not repeated, if the server was killed with -9 once it was recorded (WRITE-005)',
  async () => {
    const { created, again, next, close } = await killedAt('recorded');
    expect(created).toBe(1);
    expect(await next(0)).toMatchObject({ ok: true, value: { line: 'tracker.issues.create → i-1' } });
    expect(again).toEqual([]);
    await close();
  },
);
