import { randomUUID } from 'node:crypto';
import { missing } from '#test/emulators/tracker/faults.ts';
import { kinds, type RecordKind } from '#test/emulators/tracker/types.ts';

/** A record as it is kept: relations are ids (`stateId`), several of them lists of ids (`labelIds`). */
export type Item = Record<string, unknown> & { id: string; createdAt: string; updatedAt: string };

/** What was done to a record; `before` has the members that changed, as they were. */
export type Change = Readonly<{
  action: 'create' | 'update' | 'remove';
  kind: RecordKind;
  item: Item;
  before: Readonly<Record<string, unknown>> | null;
}>;

const priorities = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];

const ids = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** All records of the emulated tracker, in memory, and what follows from them. */
export class Workspace {
  /** Who is asking; set for each request. */
  viewerId = '';
  /** Whether a second webhook for one address is refused. */
  hasUniqueUrls = false;
  readonly organizationId = randomUUID();
  readonly #tables = new Map<RecordKind, Map<string, Item>>(kinds.map((kind) => [kind, new Map()]));
  readonly #listeners: ((change: Change) => void)[] = [];
  #lastTime = 0;

  now(): number {
    return Date.now();
  }

  /** A time that no record has yet, so that what was made later is later. */
  stamp(): string {
    this.#lastTime = Math.max(this.now(), this.#lastTime + 1);
    return new Date(this.#lastTime).toISOString();
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  all(kind: RecordKind): readonly Item[] {
    return [...(this.#tables.get(kind)?.values() ?? [])];
  }

  find(kind: RecordKind, id: unknown): Item | null {
    const table = this.#tables.get(kind);
    const direct = table?.get(String(id));
    if (direct !== undefined) return direct;
    if (kind !== 'Issue') return null;
    return this.all('Issue').find((issue) => this.leaf('Issue', issue, 'identifier') === id) ?? null;
  }

  require(kind: RecordKind, id: unknown): Item {
    const item = this.find(kind, id);
    if (item === null) throw missing(kind);
    return item;
  }

  add(kind: RecordKind, members: Readonly<Record<string, unknown>>): Item {
    const time = this.stamp();
    const id = typeof members['id'] === 'string' ? members['id'] : randomUUID();
    const item: Item = { createdAt: time, updatedAt: time, archivedAt: null, ...members, id };
    this.#tables.get(kind)?.set(id, item);
    this.#publish({ action: 'create', kind, item, before: null });
    return item;
  }

  change(kind: RecordKind, item: Item, members: Readonly<Record<string, unknown>>): Item {
    const changed = Object.entries(members).filter(([name, value]) => item[name] !== value);
    const before = Object.fromEntries(changed.map(([name]) => [name, item[name] ?? null]));
    const updatedAt = item.updatedAt;
    Object.assign(item, Object.fromEntries(changed), { updatedAt: this.stamp() });
    this.#publish({ action: 'update', kind, item, before: { ...before, updatedAt } });
    return item;
  }

  remove(kind: RecordKind, item: Item): void {
    this.#tables.get(kind)?.delete(item.id);
    this.#publish({ action: 'remove', kind, item, before: null });
  }

  /** A plain field, which may follow from others. */
  leaf(kind: RecordKind, item: Item, name: string): unknown {
    return this.#derived(kind, item)[name]?.() ?? item[name] ?? null;
  }

  /** The record that a field is; null when there is none. */
  related(kind: RecordKind, item: Item, name: string): Item | null {
    if (kind === 'Team' && name === 'activeCycle') {
      return this.#cyclesOf(item).find((cycle) => this.leaf('Cycle', cycle, 'isActive') === true) ?? null;
    }
    if (kind === 'Team' && name === 'defaultIssueState') {
      return (
        this.all('WorkflowState').find((state) => state['teamId'] === item.id && state['type'] === 'backlog') ?? null
      );
    }
    const id = item[`${name}Id`];
    const kindOf: Readonly<Record<string, RecordKind>> = {
      state: 'WorkflowState',
      assignee: 'User',
      creator: 'User',
      lead: 'User',
      owner: 'User',
      user: 'User',
      team: 'Team',
      project: 'Project',
      projectMilestone: 'ProjectMilestone',
      cycle: 'Cycle',
      issue: 'Issue',
      relatedIssue: 'Issue',
      initiative: 'Initiative',
      status: 'ProjectStatus',
      parent: kind,
    };
    const related = kindOf[name];
    return id == null || related === undefined ? null : this.find(related, id);
  }

  /** The records that a connection holds. */
  connection(kind: RecordKind, item: Item, name: string): readonly Item[] {
    const backwards: Readonly<Record<string, readonly [RecordKind, string]>> = {
      'Team.states': ['WorkflowState', 'teamId'],
      'Issue.children': ['Issue', 'parentId'],
      'Issue.attachments': ['Attachment', 'issueId'],
      'Issue.comments': ['Comment', 'issueId'],
      'Project.projectMilestones': ['ProjectMilestone', 'projectId'],
    };
    const back = backwards[`${kind}.${name}`];
    if (back !== undefined) return this.all(back[0]).filter((other) => other[back[1]] === item.id);
    if (kind === 'Initiative' && name === 'projects') {
      return this.all('Project').filter((project) => ids(project['initiativeIds']).includes(item.id));
    }
    const forwards: Readonly<Record<string, readonly [RecordKind, string]>> = {
      'Team.members': ['User', 'memberIds'],
      'Issue.labels': ['IssueLabel', 'labelIds'],
      'Project.teams': ['Team', 'teamIds'],
      'Project.accessibleTeams': ['Team', 'teamIds'],
      'Project.members': ['User', 'memberIds'],
      'Project.labels': ['ProjectLabel', 'labelIds'],
      'Project.initiatives': ['Initiative', 'initiativeIds'],
    };
    const forward = forwards[`${kind}.${name}`];
    if (forward === undefined) return [];
    return ids(item[forward[1]]).flatMap((id) => this.find(forward[0], id) ?? []);
  }

  #publish(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  #cyclesOf(team: Item): readonly Item[] {
    const cycles = this.all('Cycle').filter((cycle) => cycle['teamId'] === team.id);
    return cycles.sort((left, right) => String(left['startsAt']).localeCompare(String(right['startsAt'])));
  }

  #derived(kind: RecordKind, item: Item): Readonly<Record<string, () => unknown>> {
    if (kind === 'Issue') return this.#ofIssue(item);
    if (kind === 'Cycle') return this.#ofCycle(item);
    if (kind === 'User') return { isMe: () => item.id === this.viewerId };
    if (kind === 'Team') {
      return { issueCount: () => this.all('Issue').filter((issue) => issue['teamId'] === item.id).length };
    }
    if (kind === 'Project') return { priorityLabel: () => priorities[Number(item['priority'] ?? 0)] };
    return {};
  }

  #ofIssue(issue: Item): Readonly<Record<string, () => unknown>> {
    const identifier = () => `${String(this.find('Team', issue['teamId'])?.['key'])}-${String(issue['number'])}`;
    const slug = () =>
      String(issue['title'])
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-');
    return {
      identifier,
      priorityLabel: () => priorities[Number(issue['priority'] ?? 0)],
      url: () => `https://tracker.example/acme/issue/${identifier()}/${slug()}`,
      branchName: () => `${identifier().toLowerCase()}-${slug()}`,
    };
  }

  #ofCycle(cycle: Item): Readonly<Record<string, () => unknown>> {
    const startsAt = Date.parse(String(cycle['startsAt']));
    const endsAt = Date.parse(String(cycle['endsAt']));
    const now = this.now();
    const team = this.find('Team', cycle['teamId']);
    const all = team === null ? [] : this.#cyclesOf(team);
    const future = all.filter((other) => Date.parse(String(other['startsAt'])) > now);
    const past = all.filter((other) => Date.parse(String(other['endsAt'])) <= now);
    return {
      isActive: () => startsAt <= now && now < endsAt,
      isFuture: () => startsAt > now,
      isPast: () => endsAt <= now,
      isNext: () => future[0]?.id === cycle.id,
      isPrevious: () => past.at(-1)?.id === cycle.id,
    };
  }
}
