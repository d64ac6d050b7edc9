import { createHmac, randomUUID } from 'node:crypto';
import type { RecordKind } from '#test/emulators/tracker/types.ts';
import type { Change, Item, Workspace } from '#test/emulators/tracker/workspace.ts';

/** The names of the headers of a delivery, by dialect. */
const headerNames = {
  neutral: {
    signature: 'Tracker-Signature',
    delivery: 'Tracker-Delivery',
    event: 'Tracker-Event',
    agent: 'Tracker-Webhook',
  },
  linear: {
    signature: 'Linear-Signature',
    delivery: 'Linear-Delivery',
    event: 'Linear-Event',
    agent: 'Linear-Webhook',
  },
} as const;

/** What events are about, and the same in the vendor's dialect. */
const resourceTypes: Partial<Readonly<Record<RecordKind, string>>> = {
  Issue: 'Issues',
  Comment: 'Issue comments',
  Attachment: 'Issue attachments',
  IssueLabel: 'Issue labels',
  Project: 'Projects',
  ProjectUpdate: 'Project updates',
  Document: 'Documents',
  Initiative: 'Initiatives',
  InitiativeUpdate: 'Initiative updates',
  Cycle: 'Cycles',
  User: 'Users',
};

/** One try to deliver an event; `status` is what was answered, null when nothing was. */
export type Delivery = Readonly<{
  id: string;
  webhookId: string;
  url: string;
  event: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  status: number | null;
}>;

const timeoutMs = 5_000;
/** The first try and three more, after 1 minute, 1 hour and 6 hours. */
const tries = 4;

/** Sends changes to the registered addresses, signed; a webhook whose deliveries keep failing is switched off. */
export class Deliveries {
  readonly sent: Delivery[] = [];
  readonly #space: Workspace;
  readonly #dialect: keyof typeof headerNames;
  readonly #failed = new Map<
    string,
    { webhook: Item; event: string; payload: Readonly<Record<string, unknown>>; tries: number }
  >();
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(space: Workspace, dialect: keyof typeof headerNames) {
    this.#space = space;
    this.#dialect = dialect;
    space.onChange((change) => this.#onChange(change));
  }

  /** Waits until all deliveries so far are done. */
  async settled(): Promise<void> {
    let waited: Promise<unknown> | null = null;
    while (waited !== this.#underWay) {
      waited = this.#underWay;
      await waited;
    }
  }

  /** The next try of what failed, as after a minute, an hour or six hours. */
  async retryFailed(): Promise<void> {
    for (const [id, { webhook, event, payload }] of this.#failed) await this.#send(id, webhook, event, payload);
  }

  #onChange({ action, kind, item, before }: Change): void {
    const words = resourceTypes[kind];
    if (words === undefined || (kind === 'Comment' && item['issueId'] == null)) return;
    const webhooks = this.#space.all('Webhook').filter((webhook) => {
      const types: readonly unknown[] = Array.isArray(webhook['resourceTypes']) ? webhook['resourceTypes'] : [];
      const isForTeam = webhook['allPublicTeams'] === true || this.#teamOf(kind, item) === webhook['teamId'];
      return webhook['enabled'] === true && isForTeam && (types.includes(kind) || types.includes(words));
    });
    // The payload is made now: what changes later is another event.
    const payload = this.#payloadOf({ action, kind, item, before });
    for (const webhook of webhooks) {
      const id = randomUUID();
      this.#underWay = this.#underWay.then(() => this.#send(id, webhook, kind, payload));
    }
  }

  #teamOf(kind: RecordKind, item: Item): unknown {
    if (kind === 'Comment' || kind === 'Attachment') return this.#space.find('Issue', item['issueId'])?.['teamId'];
    return item['teamId'];
  }

  #payloadOf({ action, kind, item, before }: Change): Readonly<Record<string, unknown>> {
    const actor = this.#space.find('User', this.#space.viewerId);
    const data = dataOf(this.#space, kind, item);
    return {
      action,
      actor: actor === null ? null : { id: actor.id, name: actor['name'], email: actor['email'], type: 'user' },
      createdAt: item.updatedAt,
      data,
      url: data['url'] ?? null,
      type: kind,
      organizationId: this.#space.organizationId,
      ...(before === null ? {} : { updatedFrom: before }),
    };
  }

  async #send(id: string, webhook: Item, event: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const names = headerNames[this.#dialect];
    const webhookTimestamp = Date.now();
    const body = JSON.stringify({ ...payload, webhookTimestamp, webhookId: webhook.id });
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': names.agent,
      [names.delivery]: id,
      [names.event]: event,
      [names.signature]: createHmac('sha256', String(webhook['secret'])).update(body).digest('hex'),
      ...(this.#dialect === 'linear' ? { 'Linear-Timestamp': String(webhookTimestamp) } : {}),
    };
    const url = String(webhook['url']);
    const status = await posted(url, headers, body);
    this.sent.push({ id, webhookId: webhook.id, url, event, body, headers, status });
    const failures = (this.#failed.get(id)?.tries ?? 0) + 1;
    if (status === 200) this.#failed.delete(id);
    else if (failures < tries) this.#failed.set(id, { webhook, event, payload, tries: failures });
    else {
      this.#failed.delete(id);
      webhook['enabled'] = false;
    }
  }
}

async function posted(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

const short: Partial<Readonly<Record<string, readonly string[]>>> = {
  state: ['id', 'name', 'type', 'color'],
  assignee: ['id', 'name', 'email', 'url'],
  team: ['id', 'key', 'name'],
  project: ['id', 'name', 'url'],
  cycle: ['id', 'number', 'name'],
  issue: ['id', 'title', 'identifier', 'url'],
  user: ['id', 'name', 'email', 'url'],
};

/** A record as a payload has it: its members and ids, its related records in short, what follows from it. */
function dataOf(space: Workspace, kind: RecordKind, item: Item): Readonly<Record<string, unknown>> {
  const data: Record<string, unknown> = { ...item };
  if (kind === 'Issue') {
    for (const name of ['identifier', 'url', 'priorityLabel']) data[name] = space.leaf(kind, item, name);
    data['labels'] = space.connection(kind, item, 'labels').map((label) => ({
      id: label.id,
      name: label['name'],
      color: label['color'],
      parentId: label['parentId'] ?? null,
    }));
  }
  for (const [name, members = []] of Object.entries(short)) {
    const relatedKind = relatedKinds[name];
    const related = item[`${name}Id`] == null ? null : space.related(kind, item, name);
    if (related === null || relatedKind === undefined) continue;
    data[name] = Object.fromEntries(members.map((member) => [member, space.leaf(relatedKind, related, member)]));
  }
  return data;
}

const relatedKinds: Readonly<Record<string, RecordKind>> = {
  state: 'WorkflowState',
  assignee: 'User',
  team: 'Team',
  project: 'Project',
  cycle: 'Cycle',
  issue: 'Issue',
  user: 'User',
};
