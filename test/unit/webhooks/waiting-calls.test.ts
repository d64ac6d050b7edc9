import { expect, it } from 'vitest';
import { openGate } from '#application/ports/connection-gate.ts';
import { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import { ApplyReactionSteps } from '#application/reactions/apply-reaction-steps.ts';
import { NoteRuns } from '#application/reactions/note-runs.ts';
import { ServiceHealth } from '#application/webhooks/service-health.ts';
import { Slots } from '#application/webhooks/slots.ts';
import { WorkOnEntry, type WorkOnEntryDependencies } from '#application/webhooks/work-on-entry.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { CallStep, Step, WriteStep } from '#domain/reactions/step.ts';
import { err, ok } from '#domain/shared/result.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { createStep, noInbox } from '#test/support/webhooks/reaction-call.ts';
import { startAt } from '#test/support/webhooks/webhook-harness.ts';

const { record } = createStep;
const call = (by: string, name: string): CallStep => ({ ...createStep, by, name, key: `${by} ${name}` });
const write = (by: string): WriteStep => ({ do: 'write', record, by, path: `${by}.md`, frontmatter: {}, entry: null });

/** Works on one delivery with these steps; how the attempt ended. */
async function work(
  steps: readonly Step[],
  applySteps: WorkOnEntryDependencies['applySteps'],
  log = new MemoryReactionLog(),
) {
  const clock = new SettableClock(startAt);
  const inbox = new MemoryWebhookInbox(clock);
  const entry = { service: 'sales_crm', deliveryId: 'd', orderKey: 'k', event: 'e', body: '{}' } as const;
  await inbox.keep([entry]);
  const [claimed] = await inbox.claim({ owner: 'a', leaseMs: 1_000, limit: 1 });
  if (claimed === undefined) throw new Error('Nothing to work on.');
  const slots = new Slots();
  slots.take(claimed, { from: 'sales_crm', calls: null });
  const worker = new WorkOnEntry({
    plan: { run: async () => ({ kind: 'steps', steps, said: null }) },
    applySteps,
    runs: new NoteRuns({ log, clock }),
    gate: openGate,
    health: new ServiceHealth(clock, () => 0.5),
    slots,
    names: neutralNames,
    clock,
    chance: () => 0.5,
    onAnswer: async () => {},
  });
  return worker.run(claimed, { isHeld: () => true });
}

/** Works on one delivery whose calls of these operations fail; which steps were applied, and how the attempt ended. */
async function workOn(steps: readonly Step[], failing: ReadonlyMap<string, Failure>) {
  const applied: string[] = [];
  const run = async (step: Step) => {
    const name = 'by' in step ? `${step.by} ${step.do === 'call' ? step.name : step.do}` : step.do;
    applied.push(name);
    const failure = step.do === 'call' ? failing.get(step.name) : undefined;
    return failure === undefined ? ok({ line: name, result: 'ran' as const }) : err(failure);
  };
  return { ending: await work(steps, { run }), applied };
}

it('a call that waits stops its own reaction only: the others run, and the delivery is retried (WRITE-024)', async () => {
  const steps = [write('a'), call('a', 'one'), call('a', 'two'), write('b'), call('b', 'two'), write('c')];
  const waits = failed('unavailable', 'It was begun and has not ended yet.', { retryAfterMs: 5_000 });
  const { ending, applied } = await workOn(steps, new Map([['one', waits]]));
  expect(applied).toEqual(['a write', 'a one', 'b write', 'b two', 'c write']);
  expect(ending).toMatchObject({
    kind: 'retry',
    error: 'unavailable: It was begun and has not ended yet.',
    calls: null,
  });
  expect(ending.kind === 'retry' && ending.delayMs).toBeGreaterThanOrEqual(5_000);
});

it('the first of several waiting calls gives the reason (WRITE-024)', async () => {
  const failing = new Map([
    ['one', failed('unavailable', 'First.')],
    ['two', failed('unavailable', 'Second.')],
  ]);
  const { ending, applied } = await workOn([call('a', 'one'), call('b', 'two'), call('c', 'three')], failing);
  expect(applied).toEqual(['a one', 'b two', 'c three']);
  expect(ending).toMatchObject({ kind: 'retry', error: 'unavailable: First.' });
});

it('a call that waits for an administrator stops nothing: its delivery is done, so its record continues (WRITE-024)', async () => {
  const log = new MemoryReactionLog();
  await log.approve({ digest: createStep.digest, reaction: 'a', by: 'ada', at: 0 });
  const caller = { call: async () => failed('unavailable', 'No answer.', { sent: 'unknown' }) };
  const clock = new SettableClock(startAt);
  const written: string[] = [];
  const steps = new ApplyReactionSteps({
    write: {
      run: async ({ path }) => {
        written.push(path);
        return ok({ line: `wrote ${path}`, result: 'ran' as const });
      },
    },
    call: new ApplyCallStep({ ...noInbox, log, caller, clock }),
    log,
    clock,
  });
  const apply = {
    run: (step: Step) => ('by' in step ? steps.run(step) : Promise.resolve(ok({ line: '', result: 'ran' as const }))),
  };
  const ending = await work([call('a', 'one'), write('a'), write('b')], apply, log);
  expect(written).toEqual(['a.md', 'b.md']);
  expect(ending).toMatchObject({
    kind: 'done',
    isFaulty: true,
    outcome: expect.stringMatching(/^a: fault: It is unknown.*wrote b\.md$/),
  });
  expect(await log.calls({ state: 'unknown', limit: 9 })).toHaveLength(1);
  expect(await log.counts()).toMatchObject([
    { reaction: 'a', runs: 1, faults: 1 },
    { reaction: 'b', runs: 1, faults: 0 },
  ]);
  expect(await log.runsOf(1)).toMatchObject([
    { reaction: 'a', result: 'failed' },
    { reaction: 'b', result: 'ran' },
  ]);
});

it('records for each reaction what came of it: waits, not reached, given up (WRITE-036)', async () => {
  const log = new MemoryReactionLog();
  const down = failed('unavailable', 'No answer.');
  const run = async (step: Step) => (step.do === 'write' ? err(down) : ok({ line: 'made', result: 'once' as const }));
  const steps = [call('a', 'one'), write('b'), call('c', 'one')];
  expect(await work(steps, { run }, log)).toMatchObject({ kind: 'retry' });
  expect(await log.runsOf(1)).toMatchObject([
    { reaction: 'a', result: 'once', outcome: 'made' },
    { reaction: 'b', result: 'waits', outcome: 'not reached: unavailable: No answer.' },
    { reaction: 'c', result: 'waits', outcome: 'not reached: unavailable: No answer.' },
  ]);
  const refused = async (step: Step) => (step.do === 'write' ? err(failed('rejected', 'No.')) : run(step));
  expect(await work(steps, { run: refused }, log)).toMatchObject({ kind: 'dead' });
  expect(await log.runsOf(1)).toMatchObject([{ result: 'once' }, { result: 'failed' }, { result: 'failed' }]);
});
