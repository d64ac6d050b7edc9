import { describe, expect, it } from 'vitest';
import type { Issue, IssueChange, IssueEvent, Named } from '#domain/events/tracker-event.ts';
import { issueHistory } from '#domain/reactions/issue-history.ts';

const ann = { id: 'c1', name: 'Ann' };
const bea = { id: 'c2', name: 'Bea' };
const issue: Issue = {
  id: 'a1',
  identifier: 'ENG-7',
  title: 'Fix login',
  description: null,
  url: null,
  project: { id: 'b1', name: 'Auth' },
  assignee: ann,
  priority: 2,
  priorityName: 'High',
  state: 'Done',
  labels: ['Bug', 'Web'],
};

const event = (actor: Named | null, changed: readonly IssueChange[], more: Partial<Issue> = {}): IssueEvent => ({
  service: 'tracker',
  name: 'issue.update',
  record: { service: 'tracker', kind: 'issue', id: 'a1' },
  occurredAt: 0,
  issue: { ...issue, ...more },
  changed,
  actor,
});

describe('the history of an issue says in plain English who did what', () => {
  it.each<[IssueChange, Partial<Issue>, string, string]>([
    ['title', {}, 'Bea renamed it to “Fix login”', 'renamed to “Fix login”'],
    ['title', { title: null }, 'Bea changed the title', 'title changed'],
    ['description', {}, 'Bea changed the description', 'description changed'],
    ['project', {}, 'Bea moved it to the project Auth', 'moved to the project Auth'],
    ['project', { project: { id: 'b1', name: null } }, 'Bea moved it to the project b1', 'moved to the project b1'],
    ['project', { project: null }, 'Bea took it out of its project', 'taken out of its project'],
    ['assignee', {}, 'Bea assigned it to Ann', 'assigned to Ann'],
    ['assignee', { assignee: bea }, 'Bea took it on', 'assigned to Bea'],
    ['assignee', { assignee: null }, 'Bea unassigned it', 'unassigned'],
    ['priority', {}, 'Bea set the priority to High', 'priority set to High'],
    ['priority', { priorityName: null }, 'Bea set the priority to 2', 'priority set to 2'],
    ['priority', { priority: 0, priorityName: 'No priority' }, 'Bea removed the priority', 'priority removed'],
    ['state', {}, 'Bea moved it to Done', 'moved to Done'],
    ['state', { state: null }, 'Bea changed the status', 'status changed'],
    ['labels', {}, 'Bea set the labels to Bug and Web', 'labels set to Bug and Web'],
    ['labels', { labels: [] }, 'Bea removed all labels', 'all labels removed'],
  ])('%s, with %j', (change, more, byBea, byNobody) => {
    expect(issueHistory(event(bea, [change], more)).text).toBe(byBea);
    expect(issueHistory(event(null, [change], more)).text).toBe(byNobody);
  });

  it('joins several changes into one sentence', () => {
    expect(issueHistory(event(bea, ['assignee', 'state', 'priority'])).text).toBe(
      'Bea assigned it to Ann, moved it to Done and set the priority to High',
    );
    expect(issueHistory(event(null, ['assignee', 'state'])).text).toBe('assigned to Ann and moved to Done');
  });

  it('names who created and removed it, if known', () => {
    const textOf = (name: IssueEvent['name'], actor: Named | null) => issueHistory({ ...event(actor, []), name }).text;
    expect([textOf('issue.create', bea), textOf('issue.create', null)]).toEqual(['created by Bea', 'created']);
    expect([textOf('issue.remove', bea), textOf('issue.remove', null)]).toEqual(['removed by Bea', 'removed']);
  });

  it('is empty if nothing relevant changed', () => {
    expect(issueHistory(event(bea, [])).text).toBe('');
  });

  it('is the same event whoever is reported to have caused it', () => {
    const identities = [bea, ann, null].map((actor) => issueHistory(event(actor, ['assignee', 'state'])).identity);
    expect(new Set(identities).size).toBe(1);
    expect(issueHistory(event(bea, ['state'], { state: 'Open' })).identity).not.toBe(
      issueHistory(event(bea, ['state'])).identity,
    );
  });
});
