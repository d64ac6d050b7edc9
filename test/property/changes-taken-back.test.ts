import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '#domain/json/json-data.ts';
import { rounds } from '#test/support/form.ts';
import { type ChangeInputs, changeInputs } from '#test/support/services/change-inputs.ts';
import { type ChangeStage, openStage, type StageName, stages } from '#test/support/services/change-stages.ts';
import type { Made } from '#test/support/services/taken-back.ts';

const names = Object.keys(stages).filter((name): name is StageName => Object.hasOwn(stages, name));
const services = ['sales_crm', 'signing', 'suite_crm', 'tracker'] as const;

/** What says when something was changed, or follows from that. */
const times =
  /^(?:update_time|updatedAt|modifiedAt|Modified_Time|updated|lastmodifieddate|hs_lastmodifieddate|startedAt|completedAt|canceledAt|trashed|audit|resolutiondate)$/;

/** A value without times and without what is empty or off. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isObject(value)) return value === '' ? null : value;
  const members = Object.entries(value).filter(([name]) => !times.test(name));
  const kept = members.map(([name, one]) => [name, lasting(one)] as const);
  return Object.fromEntries(
    kept.filter(([, one]) => one !== null && one !== undefined && one !== false && JSON.stringify(one) !== '[]'),
  );
}

const isArchived = (record: unknown): boolean =>
  isObject(record) && (typeof record['archivedAt'] === 'string' || record['isArchived'] === true);

/** The records that are not archived, by kind, in the order of their ids. */
function stateOf(stage: ChangeStage): unknown {
  const kinds = Object.entries(JSON.parse(JSON.stringify(stage.state()))).map(([kind, records]) => [
    kind,
    (Array.isArray(records) ? records : [])
      .filter((record) => !isArchived(record))
      .map((record) => JSON.stringify(lasting(record), Object.keys(flat(record)).toSorted()))
      .toSorted(),
  ]);
  return Object.fromEntries(kinds);
}

/** All names of members, at any depth. */
function flat(value: unknown): Readonly<Record<string, true>> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(flat));
  if (!isObject(value)) return {};
  return Object.assign({}, ...Object.entries(value).map(([name, one]) => ({ [name]: true, ...flat(one) })));
}

async function madeOrNull(stage: ChangeStage, operation: string, inputs: ChangeInputs): Promise<Made | null> {
  const input = inputs[operation];
  if (input === undefined) return null;
  // What cannot be taken back whole is not tried; the plan says so.
  const plan = await stage.changes.dry(operation, input);
  if ('ok' in plan || plan.irreversible !== null) return null;
  return stage.changes.make(operation, input).catch(() => null);
}

describe.each(names)('changes of the %s', (name) => {
  const service = services.find((one) => name.startsWith(one)) ?? 'tracker';

  it('that are taken back in order, the last first, leave all as it was (UNDO-022, UNDO-024, UNDO-025)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 30, maxLength: 30 }), async (picks) => {
        const stage = await openStage(name);
        try {
          const inputs = await changeInputs[service](stage.changes);
          const operations = Object.keys(inputs);
          const before = stateOf(stage);
          const made: Made[] = [];
          for (const pick of picks) {
            const change = await madeOrNull(stage, operations[pick % operations.length] ?? '', inputs);
            if (change !== null) made.push(change);
          }
          for (const change of made.toReversed()) {
            const outcome = await stage.changes.takeBack(change);
            expect(outcome.ok ? '' : `${change.name}: ${outcome.message}`).toBe('');
          }
          expect(stateOf(stage)).toEqual(before);
        } finally {
          await stage.close();
        }
      }),
      { numRuns: rounds(1, 40), endOnFailure: true },
    );
  }, 300_000);
});
