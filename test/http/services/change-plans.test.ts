import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Success } from '#domain/operations/outcome.ts';
import { type ChangeInputs, changeInputs } from '#test/support/services/change-inputs.ts';
import { type ChangeStage, openStage, type StageName, stages } from '#test/support/services/change-stages.ts';

/** Answers of every form in which what was made is named. */
const answers: readonly unknown[] = [
  { id: '1', recipient_id: '2', uuid: '3' },
  [{ code: 'SUCCESS', status: 'success', details: { id: '1', Modified_Time: '2026-01-01T00:00:00+00:00' } }],
];
const answered = answers.map((data): Success => ({ ok: true, data }));
const names = Object.keys(stages).filter((name): name is StageName => Object.hasOwn(stages, name));
const services = ['sales_crm', 'signing', 'suite_crm', 'tracker'] as const;

describe.each(names)('every change of the %s', (name) => {
  let stage: ChangeStage;
  let inputs: ChangeInputs;

  beforeAll(async () => {
    stage = await openStage(name);
    const service = services.find((one) => name.startsWith(one)) ?? 'tracker';
    inputs = await changeInputs[service](stage.changes);
  });
  afterAll(() => stage.close());

  it('is planned before anything is sent, with what it changes and whether it can be taken back (UNDO-020, UNDO-026)', async () => {
    const operations = Object.entries(stage.provider.operations).filter(([, { effect }]) => effect !== 'read');
    expect(operations.map(([operation]) => operation).filter((operation) => inputs[operation] === undefined)).toEqual(
      [],
    );
    const before = JSON.stringify(stage.state());
    const sent = stage.changing.length;
    const faults: string[] = [];
    for (const [operation, row] of operations) {
      const input = inputs[operation] ?? {};
      const plan = await stage.changes.dry(operation, input);
      if ('ok' in plan) {
        const isLacking = plan.message.includes('has no such operation');
        // What a vendor cannot make is not there to be changed.
        const isMissing = input['id'] === 'none' && plan.reason === 'not_found';
        if (!isLacking && !isMissing) faults.push(`${operation}: ${plan.reason}: ${plan.message}`);
        continue;
      }
      const isReversible = answered.some((answer) => plan.undo(answer) !== null);
      if (plan.differences.length === 0) faults.push(`${operation} has no difference`);
      if (plan.irreversible === null && !isReversible) faults.push(`${operation} does not say how it is taken back`);
      const isLacking = row.kind === 'recipe' && row.lacks !== undefined;
      if (isLacking) faults.push(`${operation} is planned, and the vendor has no such operation`);
    }
    expect(faults).toEqual([]);
    expect(stage.changing.slice(sent)).toEqual([]);
    expect(JSON.stringify(stage.state())).toBe(before);
  });
});
