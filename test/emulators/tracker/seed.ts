import type { Item, Workspace } from '#test/emulators/tracker/workspace.ts';

const dayMs = 86_400_000;

/** What a fresh emulator holds, by the names that tests use. */
export type Seed = Readonly<{ ann: Item; bob: Item; eng: Item; ops: Item; website: Item; issue: Item }>;

/** Two teams with their workflows, people, labels, a project, cycles, an initiative, and a first issue. */
export function seed(space: Workspace): Seed {
  const person = (name: string) =>
    space.add('User', {
      name: `${name} Smith`,
      displayName: name.toLowerCase(),
      email: `${name.toLowerCase()}@example.com`,
      active: true,
      admin: name === 'Ann',
      guest: false,
      url: `https://tracker.example/acme/profiles/${name.toLowerCase()}`,
    });
  const [ann, bob] = [person('Ann'), person('Bob')];
  const team = (key: string, name: string) => addTeam(space, { key, name, memberIds: [ann.id, bob.id] });
  const [eng, ops] = [team('ENG', 'Engineering'), team('OPS', 'Operations')];
  const label = (name: string, teamId: string | null) =>
    space.add('IssueLabel', { name, color: '#eb5757', isGroup: false, teamId });
  const bug = label('Bug', null);
  label('Backend', eng.id);
  label('On call', ops.id);
  const statuses = ['Backlog', 'In Progress', 'Completed'].map((name) =>
    space.add('ProjectStatus', { name, type: name === 'In Progress' ? 'started' : name.toLowerCase() }),
  );
  const initiative = space.add('Initiative', { name: 'Growth', slugId: 'a1b2c3', status: 'Active', ownerId: ann.id });
  const website = space.add('Project', {
    name: 'Website',
    description: 'The new site',
    slugId: 'd4e5f6',
    url: 'https://tracker.example/acme/project/website-d4e5f6',
    color: '#5e6ad2',
    priority: 2,
    progress: 0.25,
    statusId: statuses[1]?.id,
    leadId: ann.id,
    teamIds: [eng.id],
    initiativeIds: [initiative.id],
  });
  addCycles(space, eng);
  const inProgress = space
    .all('WorkflowState')
    .find((state) => state['teamId'] === eng.id && state['name'] === 'In Progress');
  const issue = space.add('Issue', {
    number: 1,
    teamId: eng.id,
    title: 'Fix login',
    description: 'Steps to see it',
    priority: 2,
    stateId: inProgress?.id,
    assigneeId: ann.id,
    creatorId: ann.id,
    projectId: website.id,
    labelIds: [bug.id],
  });
  space.add('Comment', { body: 'Seen it too', issueId: issue.id, userId: bob.id, url: 'https://tracker.example/c/1' });
  return { ann, bob, eng, ops, website, issue };
}

const workflow = [
  ['Triage', 'triage'],
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['Done', 'completed'],
  ['Canceled', 'canceled'],
] as const;

function addTeam(space: Workspace, members: Readonly<Record<string, unknown>>): Item {
  const team = space.add('Team', { displayName: members['name'], cyclesEnabled: true, timezone: 'UTC', ...members });
  for (const [position, [name, type]] of workflow.entries()) {
    space.add('WorkflowState', { name, type, position, color: '#bec2c8', teamId: team.id });
  }
  return team;
}

function addCycles(space: Workspace, team: Item): void {
  const today = Math.floor(space.now() / dayMs) * dayMs;
  for (const [index, offset] of [-21, -7, 7].entries()) {
    space.add('Cycle', {
      number: index + 1,
      name: index === 1 ? 'Polish' : null,
      teamId: team.id,
      startsAt: new Date(today + offset * dayMs).toISOString(),
      endsAt: new Date(today + (offset + 14) * dayMs).toISOString(),
      progress: 0,
    });
  }
}
