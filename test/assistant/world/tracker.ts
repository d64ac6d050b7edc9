import { ago, customers, day } from '#test/assistant/world/company.ts';
import type { Seed } from '#test/emulators/tracker/seed.ts';
import type { Item, Workspace } from '#test/emulators/tracker/workspace.ts';

const states = ['Triage', 'Backlog', 'Todo', 'In Progress', 'In Review', 'Done', 'Canceled'];
const problems = ['Export stops', 'Slow search', 'Wrong total', 'Missing label', 'Login loops', 'Mail bounces'];

/** Fills the tracker: three teams whose states have the same names, five users of whom two are called Chris, 120 issues. */
export function fillTracker(space: Workspace, { ann, bob, eng, ops, website, issue }: Seed): void {
  const [, chris, dana] = [
    person(space, 'Chris', 'Abel'),
    person(space, 'Chris', 'Baker'),
    person(space, 'Dana', 'Cole'),
  ];
  const design = space.add('Team', {
    key: 'DES',
    name: 'Design',
    displayName: 'Design',
    cyclesEnabled: true,
    timezone: 'Europe/Berlin',
    memberIds: [ann.id, bob.id],
  });
  const teams = [eng, ops, design];
  for (const team of teams) addStates(space, team);
  const rollout = space.add('Project', {
    name: 'Nordlicht rollout',
    description: 'Terminals for Nordlicht Logistik',
    slugId: 'b7c8d9',
    url: 'https://tracker.example/acme/project/nordlicht-rollout',
    statusId: website['statusId'],
    leadId: bob.id,
    teamIds: [eng.id, ops.id],
    initiativeIds: [],
  });
  const feature = space.add('IssueLabel', { name: 'Feature', color: '#26b5ce', isGroup: false, teamId: null });
  const bug = space.all('IssueLabel').find((label) => label['name'] === 'Bug');
  space.change('Issue', issue, { title: 'Fix login of the portal' });
  for (let at = 0; at < 119; at += 1) {
    const team = teams[at % 3] ?? eng;
    const assignee = [ann, bob, chris, null, dana][at % 5];
    const customer = customers[at % customers.length]?.name ?? '';
    space.add('Issue', {
      number: team === eng ? at / 3 + 2 : Math.floor(at / 3) + 1,
      teamId: team.id,
      title: `${problems[at % 6] ?? ''} for ${customer}`,
      description: `Seen at ${customer} in release ${at % 4}.${at % 7}.`,
      priority: at % 5,
      stateId: stateOf(space, team, stateAt(at))?.id,
      assigneeId: assignee?.id ?? null,
      creatorId: ann.id,
      projectId: at % 8 === 0 ? rollout.id : null,
      labelIds: at % 2 === 0 ? [String(bug?.id)] : [feature.id],
      // Nothing of Engineering that is due has nobody.
      dueDate: at % 6 === 1 ? day((at % 20) - 5) : null,
      createdAt: ago(60 - at * 0.5),
      completedAt: stateAt(at) === 5 ? ago((60 - at * 0.5) * 0.4) : null,
      updatedAt: ago(Math.max(0.5, (60 - at * 0.5) * 0.4)),
    });
  }
  space.add('Document', { title: 'Release checklist', content: '# Checklist\n\n- notes', projectId: website.id });
}

/** Nothing is in triage; eleven issues are in review. */
const stateAt = (at: number) => (at % 11 === 5 ? 4 : ([1, 2, 3, 5, 2, 3, 6][at % 7] ?? 1));

function person(space: Workspace, first: string, last: string): Item {
  const name = `${first} ${last}`;
  const displayName = `${first}${last.charAt(0)}`.toLowerCase();
  const email = `${first}.${last}@example.com`.toLowerCase();
  return space.add('User', { name, displayName, email, active: true, admin: false, guest: false });
}

function addStates(space: Workspace, team: Item): void {
  const types = ['triage', 'backlog', 'unstarted', 'started', 'started', 'completed', 'canceled'];
  for (const [position, name] of states.entries()) {
    if (stateOf(space, team, position) !== undefined) continue;
    space.add('WorkflowState', { name, type: types[position], position, color: '#bec2c8', teamId: team.id });
  }
}

function stateOf(space: Workspace, team: Item, position: number): Item | undefined {
  return space.all('WorkflowState').find((state) => state['teamId'] === team.id && state['name'] === states[position]);
}
