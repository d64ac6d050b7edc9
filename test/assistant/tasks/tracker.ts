import { deepEqual, equal, ok } from 'node:assert/strict';
import { says, type Task } from '#test/assistant/task.ts';
import { clockIn, day, momentIn } from '#test/assistant/world/company.ts';
import type { World } from '#test/assistant/world/world.ts';

type Tracker = Pick<World, 'tracker'>;

const stateName = ({ tracker }: Tracker, stateId: unknown) => tracker.find('WorkflowState', stateId)?.['name'];
const issuesIn = ({ tracker }: Tracker, state: string) =>
  tracker.all('Issue').filter((issue) => stateName({ tracker }, issue['stateId']) === state);

/** Tasks about the tracker. */
export const trackerTasks: readonly Task[] = [
  {
    id: 'file-bug',
    ask: 'The scanner app freezes after login. File that as an urgent bug for Engineering, in the running cycle, for Chris Abel.',
    most: { calls: 2, tokens: 1_200 },
    act: async ({ use, mistake }) => {
      const bug = {
        title: 'Scanner app freezes after login',
        team: 'Engineering',
        labels: ['Bug'],
        priority: 'urgent',
        cycle: 'current',
      };
      const refusal = await mistake('tracker_issue_create', { ...bug, assignee: 'Chris' });
      says(refusal, 'chris.abel@example.com', 'chris.baker@example.com');
      const made = await use('tracker_issue_create', { ...bug, assignee: 'chris.abel@example.com' });
      return `Filed as ${made.str('identifier')}.`;
    },
    holds: ({ tracker }, answer) => {
      const issue = tracker.all('Issue').at(-1);
      deepEqual(
        [issue?.['priority'], tracker.find('User', issue?.['assigneeId'])?.['name'], issue?.['labelIds']],
        [1, 'Chris Abel', [tracker.all('IssueLabel').find((label) => label['name'] === 'Bug')?.id]],
      );
      equal(tracker.find('Cycle', issue?.['cycleId'])?.['name'], 'Polish');
      equal(tracker.all('Issue').length, 121);
      says(answer, 'ENG-');
    },
  },
  {
    id: 'count-issues',
    ask: 'How many issues are there that are neither done nor canceled?',
    most: { calls: 2, tokens: 3_500 },
    act: async ({ use }) => {
      const open = { filter: { state: { type: { nin: ['completed', 'canceled'] } } }, fields: ['identifier'] };
      const first = await use('tracker_issues_list', { ...open, first: 100 });
      if (first.str('pagination.next') === '') return String(first.list('data').length);
      const rest = await use('tracker_issues_list', { ...open, first: 100, after: first.str('pagination.next') });
      return String(first.list('data').length + rest.list('data').length);
    },
    holds: (world, answer) => {
      const closed = issuesIn(world, 'Done').length + issuesIn(world, 'Canceled').length;
      says(answer, String(world.tracker.all('Issue').length - closed));
    },
  },
  {
    id: 'nothing-due',
    ask: 'Is anything of Engineering due within two weeks that nobody has taken?',
    most: { calls: 2, tokens: 400 },
    act: async ({ use }) => {
      const due = { team: 'Engineering', assignee: 'none', dueBefore: 'P2W', fields: ['identifier', 'title'] };
      const triage = await use('tracker_issues_list', { ...due, state: 'Triage' });
      const all = await use('tracker_issues_list', due);
      return triage.list('data').length + all.list('data').length === 0 ? 'No.' : `Yes: ${all.text}`;
    },
    holds: ({ tracker, team }, answer) => {
      const due = tracker
        .all('Issue')
        .filter((one) => one['teamId'] === team.eng.id && one['assigneeId'] == null && one['dueDate'] != null);
      equal(due.length, 0);
      ok(/^no\b/i.test(answer) && !/ENG-\d/.test(answer));
    },
  },
  {
    id: 'time-zones',
    ask: 'Plan the next Engineering cycle after the last one, two weeks from 09:00 in Berlin, called Harvest, and a call with Omar Keller tomorrow at 09:00 in Berlin. And what has Operations touched since 18:00 of three days ago in Tokyo?',
    most: { calls: 5, tokens: 2_500 },
    act: async ({ use }) => {
      const cycles = await use('tracker_cycles_list', { team: 'Engineering', when: 'future', fields: ['endsAt'] });
      const ends = cycles.list('data').map((cycle) => cycle.str('endsAt'));
      const start = momentIn('Europe/Berlin', ends.sort().at(-1)?.slice(0, 10) ?? '', '09:00');
      await use('tracker_cycle_create', {
        team: 'Engineering',
        name: 'Harvest',
        startsAt: start.toISOString(),
        endsAt: new Date(start.getTime() + 14 * 86_400_000).toISOString(),
      });
      const time = momentIn('Europe/Berlin', day(1), '09:00').toISOString();
      await use('sales_crm_activity_create', {
        subject: 'Call',
        type: 'call',
        person: 'Omar Keller',
        due_date: time.slice(0, 10),
        due_time: time.slice(11, 16),
      });
      const updatedSince = `${day(-3)}T18:00:00+09:00`;
      const touched = await use('tracker_issues_list', { team: 'Operations', updatedSince, fields: ['identifier'] });
      return touched.text;
    },
    holds: [
      ({ tracker, team }) => {
        const cycles = tracker.all('Cycle').filter((cycle) => cycle['teamId'] === team.eng.id);
        const [before, harvest] = [cycles.at(-2), cycles.at(-1)].map((cycle) =>
          ['startsAt', 'endsAt'].map((end) => new Date(String(cycle?.[end]))),
        );
        equal(cycles.at(-1)?.['name'], 'Harvest');
        equal(clockIn('Europe/Berlin', harvest?.[0]), '09:00');
        ok(Number(harvest?.[0]) - Number(before?.[1]) < 86_400_000);
        equal(Number(harvest?.[1]) - Number(harvest?.[0]), 14 * 86_400_000);
      },
      ({ sales }) => {
        const planned = sales.all('activity').at(-1);
        const time = `${String(planned?.['due_date'])}T${String(planned?.['due_time'])}:00Z`;
        deepEqual([time.slice(0, 10), clockIn('Europe/Berlin', new Date(time))], [day(1), '09:00']);
      },
      ({ tracker, team }, answer) => {
        const since = Date.parse(`${day(-3)}T09:00:00Z`);
        const touched = tracker
          .all('Issue')
          .filter((issue) => issue['teamId'] === team.ops.id && Date.parse(issue['updatedAt']) > since);
        ok(touched.length > 0);
        deepEqual(
          answer.match(/OPS-\d+/g)?.sort(),
          touched.map((issue) => String(tracker.leaf('Issue', issue, 'identifier'))).sort(),
        );
      },
    ],
  },
  {
    id: 'unassign',
    ask: 'Take Dana off everything that is in progress, nobody is to have it for now.',
    most: { calls: 2, tokens: 1_300 },
    act: async ({ use }) => {
      const hers = await use('tracker_issues_list', { assignee: 'Dana', state: 'In Progress', fields: ['identifier'] });
      const items = hers.list('data').map((issue) => ({ issue: issue.str('identifier'), assignee: null }));
      const done = await use('workspace_bulk', { operation: 'tracker_issue_update', items });
      return `${done.list('done').length} issues are free.`;
    },
    holds: (world, answer) => {
      const dana = world.tracker.all('User').find((user) => user['name'] === 'Dana Cole');
      const hers = issuesIn(world, 'In Progress').filter((issue) => issue['assigneeId'] === dana?.id);
      equal(hers.length, 0);
      ok(world.tracker.all('Issue').some((issue) => issue['assigneeId'] === dana?.id));
      says(answer, 'issues are free');
    },
  },
  {
    id: 'my-due-issues',
    mode: '?readonly=1',
    ask: `What do I have to finish before ${day(8)}? Only my own, not what is done.`,
    most: { calls: 1, tokens: 700 },
    act: async ({ use }) => {
      const mine = await use('tracker_issues_list', {
        assignee: 'me',
        dueBefore: day(8),
        filter: { state: { type: { nin: ['completed', 'canceled'] } } },
        fields: ['identifier', 'dueDate'],
      });
      return mine
        .list('data')
        .map((issue) => issue.str('identifier'))
        .sort()
        .join(', ');
    },
    holds: (world, answer) => {
      const mine = world.tracker
        .all('Issue')
        .filter((one) => one['assigneeId'] === world.team.ann.id && one['dueDate'] != null)
        .filter((one) => String(one['dueDate']) < day(8))
        .filter((one) => !['Done', 'Canceled'].includes(String(stateName(world, one['stateId']))))
        .map((one) => String(world.tracker.leaf('Issue', one, 'identifier')));
      ok(mine.length > 1);
      deepEqual(answer.match(/[A-Z]{3}-\d+/g)?.sort(), mine.sort());
    },
  },
  {
    id: 'close-reviewed',
    ask: 'The release is out: set everything that is in review to done, in all teams, and see to it that nothing is left.',
    most: { calls: 3, tokens: 2_500 },
    act: async ({ use }) => {
      const wanted = { state: 'In Review', first: 100, fields: ['identifier'] };
      const reviewed = await use('tracker_issues_list', wanted);
      const items = reviewed.list('data').map((issue) => ({ issue: issue.str('identifier'), state: 'Done' }));
      const done = await use('workspace_bulk', { operation: 'tracker_issue_update', items });
      const left = await use('tracker_issues_list', wanted);
      return `${done.list('done').length} are done, ${left.list('data').length} are left.`;
    },
    holds: (world, answer) => {
      equal(issuesIn(world, 'In Review').length, 0);
      says(answer, '11', '0');
      const today = Date.now() - 600_000;
      const closed = issuesIn(world, 'Done').filter((issue) => Date.parse(String(issue['completedAt'])) > today);
      equal(new Set(closed.map((issue) => issue['teamId'])).size, 3);
      equal(closed.length, 11);
    },
  },
  {
    id: 'relate-issues',
    ask: 'ENG-7 is the same as OPS-3, and it blocks DES-2. And the photo https://photos.example/crane.jpg belongs to ENG-7.',
    most: { calls: 4, tokens: 1_500 },
    act: async ({ use, mistake }) => {
      const link = { issueId: 'ENG-7', relatedIssueId: 'OPS-3' };
      says(await mistake('tracker_issue_link', { ...link, type: 'same' }), 'duplicate');
      await use('tracker_issue_link', { ...link, type: 'duplicate' });
      await use('tracker_issue_link', { ...link, type: 'blocks', relatedIssueId: 'DES-2' });
      const photo = { title: 'Photo of the crane', url: 'https://photos.example/crane.jpg' };
      await use('tracker_attachment_create', { issueId: 'ENG-7', ...photo });
      return 'It is all there.';
    },
    holds: [
      ({ tracker }) => {
        const [from, same, blocked] = ['ENG-7', 'OPS-3', 'DES-2'].map((name) => tracker.find('Issue', name)?.id);
        deepEqual(
          tracker.all('IssueRelation').map((one) => [one['issueId'], one['type'], one['relatedIssueId']]),
          [
            [from, 'duplicate', same],
            [from, 'blocks', blocked],
          ],
        );
      },
      ({ tracker }) => {
        const [photo] = tracker.all('Attachment');
        equal(photo?.['url'], 'https://photos.example/crane.jpg');
        equal(photo?.['issueId'], tracker.find('Issue', 'ENG-7')?.id);
      },
    ],
  },
];
