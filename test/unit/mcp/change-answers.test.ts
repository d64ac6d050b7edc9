import { describe, expect, it } from 'vitest';
import { changedValues, withoutGivenTexts } from '#adapters/mcp/results/change-answers.ts';

const long = `Long text. ${'x'.repeat(600)}`;

describe('the answer of a change', () => {
  it('leaves out a long text that the call gave, wherever it is (TOOL-017)', () => {
    const answer = { id: 'a', content: `${long}\n`, parts: [{ text: long }], title: 'Short' };
    expect(withoutGivenTexts(answer, { title: 'Short', body: { content: long } })).toEqual({
      id: 'a',
      content: '(as given, 612 characters)',
      parts: [{ text: '(as given, 611 characters)' }],
      title: 'Short',
    });
  });

  it('keeps long texts that are not those of the call', () => {
    const answer = { content: `${long}, and what was there before`, other: [null, 1, long.slice(1)] };
    expect(withoutGivenTexts(answer, { content: long })).toEqual(answer);
  });
});

describe('one of many changes', () => {
  const description = 'x'.repeat(300);

  it('answers what names the record, and the values given (WORK-024)', () => {
    const issue = { id: '1', identifier: 'ENG-1', title: 'A', state: { name: 'Done' }, assignee: null, description };
    expect(changedValues(issue, { issue: 'ENG-1', state: 'Done', assigneeId: null })).toEqual({
      identifier: 'ENG-1',
      title: 'A',
      state: { name: 'Done' },
      assignee: null,
    });
    expect(changedValues({ stage_id: 2, description }, { id: 1, stage: 'Won' })).toEqual({ stage_id: 2 });
  });

  it.each([[{ path: 'a.md', count: 3 }], [{ description }], ['text'], [null], [['a']]])(
    'answers %j as it is',
    (data) => {
      expect(changedValues(data, { path: 'a.md' })).toEqual(data);
    },
  );
});
