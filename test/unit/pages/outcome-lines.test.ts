import { describe, expect, it } from 'vitest';
import { eventText, outcomeLines } from '#adapters/http/webhooks/outcome-lines.ts';

describe('the lines of a delivery’s result', () => {
  it.each([
    ['updated Deals/Acme & Co.md: status, History', 'updated ', 'Deals/Acme & Co.md', ': status, History'],
    ['Reactions/Won.md: created Weekly/2026-W48.md', 'Reactions/Won.md: created ', 'Weekly/2026-W48.md', ''],
  ])('%s has a link to its note (PAGE-027)', (line, before, note, after) => {
    const href = `/activity/note?path=${encodeURIComponent(note)}`;
    expect(outcomeLines(line)).toEqual([{ before, note, href, after }]);
  });

  it.each(['no reaction', 'Reactions/Won.md: fault: there is no team “Onboarding”', 'My Reactions/Won.md', 'kept .md'])(
    '%s has none (PAGE-027)',
    (line) => {
      expect(outcomeLines(line)).toEqual([{ before: line, note: '', href: null, after: '' }]);
    },
  );

  it('are one for each step, and none for nothing (PAGE-027)', () => {
    expect(outcomeLines('created A.md; updated B.md').map(({ note }) => note)).toEqual(['A.md', 'B.md']);
    expect(outcomeLines('')).toEqual([]);
  });

  it.each([
    ['updated.deal', 'Deal updated'],
    ['document_state_changed', 'Document state changed'],
    ['Issue.create', 'Issue create'],
    ['jira:issue_updated', 'Jira issue updated'],
    ['', ''],
  ])('name the event %j as %j', (event, text) => {
    expect(eventText(event)).toBe(text);
  });
});
