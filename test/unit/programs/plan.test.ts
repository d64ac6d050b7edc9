import { describe, expect, it } from 'vitest';
import { digestOfPlan, mentionsPlaceholder, PlanLeft, type PlannedCall, withIds } from '#domain/programs/plan.ts';

const planned = (input: unknown, more: Partial<PlannedCall> = {}): PlannedCall => ({
  service: 'tracker',
  operation: 'comments.create',
  effect: 'add',
  input,
  digest: null,
  makes: null,
  ...more,
});
const call = (input: unknown) => ({ service: 'tracker', operation: 'comments.create', input });

describe('what a program only makes', () => {
  it('is found in texts, lists and members, and nowhere else', () => {
    for (const value of ['new:1', 'see new:12.', ['a', { b: 'new:3' }]]) expect(mentionsPlaceholder(value)).toBe(true);
    for (const value of ['new', 'renew:1', 'new:x', 1, null, { 'new:1': 'a' }]) {
      expect(mentionsPlaceholder(value), JSON.stringify(value)).toBe(false);
    }
  });

  it('is replaced by the id as it is, or by its text within a text', () => {
    const ids = new Map<number, string | number>([
      [1, 42],
      [2, 'A-7'],
    ]);
    expect(withIds({ id: 'new:1', list: ['new:2', 'new:3'], text: 'on new:1 and new:2' }, ids)).toEqual({
      id: 42,
      list: ['A-7', 'new:3'],
      text: 'on 42 and A-7',
    });
  });
});

describe('an allowed plan', () => {
  it('has each change once, in any order', () => {
    const left = new PlanLeft([planned({ body: 'a' }), planned({ body: 'b' }), planned({ body: 'a' })]);
    expect(left.take(call({ body: 'b' }))).not.toBeNull();
    expect(left.take(call({ body: 'b' }))).toBeNull();
    expect(left.take(call({ body: 'a' }))).not.toBeNull();
    expect(left.take(call({ body: 'a' }))).not.toBeNull();
    expect(left.take(call({ body: 'a' }))).toBeNull();
  });

  it('knows what is made by the place in the plan', () => {
    const made = planned({ title: 'x' }, { operation: 'issues.make', makes: 1 });
    const left = new PlanLeft([made, planned({ issueId: 'new:1', body: 'a' })]);
    expect(left.take(call({ issueId: 'real', body: 'a' }))).toBeNull();
    expect(left.take({ ...call({ title: 'x' }), operation: 'issues.make' })).toBe(made);
    left.made(made, 'real');
    expect(left.take(call({ issueId: 'other', body: 'a' }))).toBeNull();
    expect(left.take(call({ issueId: 'real', body: 'a' }))).not.toBeNull();
  });

  it('has no change with other inputs, of another operation or service', () => {
    const left = new PlanLeft([planned({ body: 'a', to: ['b'] })]);
    for (const other of [
      call({ body: 'a' }),
      call({ body: 'a', to: ['c'] }),
      { ...call({ body: 'a', to: ['b'] }), operation: 'comments.delete' },
      { ...call({ body: 'a', to: ['b'] }), service: 'vault' },
    ]) {
      expect(left.take(other)).toBeNull();
    }
    expect(left.take(call({ to: ['b'], body: 'a' }))).not.toBeNull();
  });

  it('has another digest when an input or a record is another one', () => {
    const one = digestOfPlan([planned({ body: 'a' }, { digest: 'x' })]);
    expect(digestOfPlan([planned({ body: 'a' }, { digest: 'x' })])).toBe(one);
    expect(digestOfPlan([planned({ body: 'b' }, { digest: 'x' })])).not.toBe(one);
    expect(digestOfPlan([planned({ body: 'a' }, { digest: 'y' })])).not.toBe(one);
    expect(digestOfPlan([])).not.toBe(one);
  });
});
