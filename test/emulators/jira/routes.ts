import { JqlError, parseJql } from '#test/emulators/jira/jql.ts';
import {
  ann,
  boards,
  type Comment,
  customFields,
  hiddenAddresses,
  type Issue,
  issueTypes,
  people,
  priorities,
  projects,
  queried,
  type Sprint,
  statuses,
  workflow,
} from '#test/emulators/jira/site.ts';
import type { Webhooks } from '#test/emulators/jira/webhooks.ts';

/** An answer; a body of undefined is none. */
export type Answer = Readonly<{ status: number; headers?: Readonly<Record<string, string>>; body?: unknown }>;

/** A request as a route sees it. */
export type Asked = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
  isApp: boolean;
}>;

type Route = Readonly<{ method: string; path: RegExp; answer: (asked: Asked, parts: readonly string[]) => Answer }>;
type Members = Readonly<Record<string, unknown>>;

/** A failure as Jira words it. */
export const bad = (status: number, message: string, errors: Members = {}): Answer => ({
  status,
  body: { errorMessages: message === '' ? [] : [message], errors },
});
const good = (body: unknown): Answer => ({ status: 200, body });
const missing = bad(404, 'Issue does not exist or you do not have permission to see it.');

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

function pageOf(values: readonly unknown[], query: URLSearchParams, most = 100): Answer {
  const startAt = Number(query.get('startAt') ?? 0);
  const maxResults = Math.min(most, Number(query.get('maxResults') ?? 50));
  const shown = values.slice(startAt, startAt + maxResults);
  return good({
    startAt,
    maxResults,
    total: values.length,
    isLast: startAt + shown.length >= values.length,
    values: shown,
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function isDocument(value: unknown): boolean {
  const { type, version, content } = members(value);
  return type === 'doc' && version === 1 && Array.isArray(content);
}

const plainFields = [
  'summary',
  'duedate',
  'labels',
  'customfield_10016',
  'customfield_10026',
  'customfield_10020',
  'customfield_10015',
];

/** The issues, boards and people of one site, and the requests that reach them. */
export class Site {
  readonly issues: Issue[] = [];
  /** The links between issues: what the inward one does to the outward one. */
  readonly relations: Readonly<{ type: string; inward: string; outward: string }>[] = [];
  readonly sprints: Sprint[] = [
    {
      id: 1,
      name: 'Warm-up',
      state: 'closed',
      originBoardId: 1,
      startDate: '2026-10-01T09:00:00.000Z',
      endDate: '2026-10-15T09:00:00.000Z',
      completeDate: '2026-10-15T09:00:00.000Z',
    },
    {
      id: 2,
      name: 'Polish',
      state: 'active',
      originBoardId: 1,
      startDate: '2026-11-10T09:00:00.000Z',
      endDate: '2026-11-24T09:00:00.000Z',
      goal: 'Shine',
    },
    { id: 3, name: 'Later', state: 'future', originBoardId: 1 },
  ];
  readonly #webhooks: Webhooks;
  readonly #url: () => string;
  #ids = 10_000;
  #counts: Record<string, number> = {};

  constructor(webhooks: Webhooks, url: () => string) {
    this.#webhooks = webhooks;
    this.#url = url;
  }

  answer(asked: Asked): Answer {
    for (const { method, path, answer } of this.#routes) {
      const found = path.exec(asked.path);
      if (found !== null && method === asked.method) return answer(asked, found.slice(1).map(decodeURIComponent));
    }
    return bad(404, `null for uri: ${asked.path}`);
  }

  find(key: string): Issue | undefined {
    return this.issues.find((issue) => issue.id === key || issue.key.toLowerCase() === key.toLowerCase());
  }

  /** Adds an issue, as a person on the site's pages would. */
  add(projectKey: string, type: string, fields: Members, status = '2'): Issue {
    const project = projects.find(({ key, id }) => key === projectKey || id === projectKey) ?? projects[0];
    const count = (this.#counts[project.key] ?? 0) + 1;
    this.#counts[project.key] = count;
    const now = new Date(this.#webhooks.now()).toISOString().replace('Z', '+0000');
    const issue: Issue = {
      id: this.#id(),
      key: `${project.key}-${count}`,
      project: project.id,
      type,
      status,
      fields: { priority: priorities[2], labels: [], created: now, updated: now, ...fields },
      comments: [],
      links: [],
      isArchived: false,
    };
    this.issues.push(issue);
    this.#tell('jira:issue_created', issue);
    return issue;
  }

  #id(): string {
    this.#ids += 1;
    return String(this.#ids);
  }

  /** An issue as Jira answers it, with the fields that were asked for. */
  shown(issue: Issue, asked: readonly string[]): Members {
    const typed = (id: string) => issueTypes.find((type) => type.id === id);
    const brief = (one: Issue) => ({
      id: one.id,
      key: one.key,
      fields: {
        summary: one.fields['summary'],
        status: statuses.find(({ id }) => id === one.status),
        issuetype: typed(one.type),
      },
    });
    const parent = this.issues.find(({ id }) => id === issue.fields['parent']);
    const sprint = this.sprints.find(({ id }) => id === issue.fields['customfield_10020']);
    const all: Members = {
      description: null,
      assignee: null,
      duedate: null,
      resolutiondate: null,
      ...issue.fields,
      status: statuses.find(({ id }) => id === issue.status),
      project: projects.find(({ id }) => id === issue.project),
      issuetype: typed(issue.type),
      creator: ann,
      subtasks: this.issues.filter(({ fields }) => fields['parent'] === issue.id).map(brief),
      ...(parent === undefined ? { parent: undefined } : { parent: brief(parent) }),
      customfield_10020: sprint === undefined ? null : [sprint],
    };
    const fields = asked.includes('*all')
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)));
    return { id: issue.id, key: issue.key, self: `${this.#url()}/rest/api/3/issue/${issue.id}`, fields };
  }

  #tell(webhookEvent: string, issue: Issue, more: Members = {}): void {
    const shown = this.shown(issue, ['*all']);
    this.#webhooks.publish(
      webhookEvent,
      {
        webhookEvent,
        user: ann,
        issue: { ...shown, self: `https://acme.atlassian.net/rest/api/2/issue/${issue.id}` },
        ...more,
      },
      (jql) => {
        const { test } = parseJql(jql);
        return test(queried(issue, this.sprints, this.issues));
      },
    );
  }

  readonly #routes: readonly Route[] = [
    { method: 'GET', path: /^\/rest\/api\/3\/myself$/, answer: () => good(ann) },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/user$/,
      answer: ({ query }) => {
        const found = people.find(({ accountId }) => accountId === query.get('accountId'));
        return found === undefined
          ? bad(404, 'Specified user does not exist or you do not have required permissions')
          : good(found);
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/user\/search$/,
      answer: ({ query }) => {
        const wanted = (query.get('query') ?? '').toLowerCase();
        return good(
          people.filter(
            (one) =>
              hiddenAddresses[wanted] === one.accountId ||
              one.emailAddress?.startsWith(wanted) === true ||
              one.displayName.toLowerCase().includes(wanted),
          ),
        );
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/users\/search$/,
      answer: ({ query }) => good(people.slice(Number(query.get('startAt')))),
    },
    { method: 'GET', path: /^\/rest\/api\/3\/user\/assignable\/search$/, answer: () => good(people) },
    { method: 'GET', path: /^\/rest\/api\/3\/project\/search$/, answer: ({ query }) => pageOf(projects, query) },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/project\/([^/]+)\/statuses$/,
      answer: () => good(issueTypes.map(({ id, name, subtask }) => ({ id, name, subtask, self: '', statuses }))),
    },
    { method: 'GET', path: /^\/rest\/api\/3\/status$/, answer: () => good(statuses) },
    { method: 'GET', path: /^\/rest\/api\/3\/issuetype$/, answer: () => good(issueTypes) },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/issue\/createmeta\/([^/]+)\/issuetypes$/,
      answer: () => good({ startAt: 0, maxResults: 50, total: issueTypes.length, issueTypes }),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/field$/,
      answer: () =>
        good([
          { id: 'summary', name: 'Summary', custom: false, schema: { type: 'string', system: 'summary' } },
          ...customFields,
        ]),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/priority\/search$/,
      answer: ({ query, isApp }) => (isApp ? lacksScope : pageOf(priorities, query)),
    },
    { method: 'GET', path: /^\/rest\/api\/3\/priority$/, answer: () => good(priorities) },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/label$/,
      answer: ({ query }) => pageOf([...new Set(this.issues.flatMap(({ fields }) => fields['labels']))], query, 1_000),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/search\/jql$/,
      answer: ({ query }) => this.#search({ ...Object.fromEntries(query), fields: ['id'] }),
    },
    { method: 'POST', path: /^\/rest\/api\/3\/search\/jql$/, answer: ({ body }) => this.#search(body) },
    { method: 'POST', path: /^\/rest\/api\/3\/issue$/, answer: ({ body }) => this.#create(body) },
    {
      method: 'PUT',
      path: /^\/rest\/api\/3\/issue\/(archive|unarchive)$/,
      answer: ({ body }, [how]) => this.#archive(body, how === 'archive'),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/issue\/([^/]+)$/,
      answer: ({ query }, [key = '']) =>
        this.#with(key, (issue) => good(this.shown(issue, (query.get('fields') ?? '*all').split(',')))),
    },
    {
      method: 'PUT',
      path: /^\/rest\/api\/3\/issue\/([^/]+)$/,
      answer: ({ body }, [key = '']) => this.#with(key, (issue) => this.#edit(issue, body)),
    },
    {
      method: 'DELETE',
      path: /^\/rest\/api\/3\/issue\/([^/]+)$/,
      answer: (_, [key = '']) =>
        this.#with(key, (issue) => {
          this.issues.splice(this.issues.indexOf(issue), 1);
          this.#tell('jira:issue_deleted', issue);
          return { status: 204 };
        }),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/transitions$/,
      answer: (_, [key = '']) => this.#with(key, (issue) => good({ transitions: stepsFrom(issue) })),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/transitions$/,
      answer: ({ body }, [key = '']) => this.#with(key, (issue) => this.#move(issue, body)),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/,
      answer: ({ query }, [key = '']) =>
        this.#with(key, (issue) => {
          const startAt = Number(query.get('startAt') ?? 0);
          const newest = query.get('orderBy') === '-created' ? issue.comments.toReversed() : issue.comments;
          return good({
            startAt,
            total: newest.length,
            comments: newest
              .slice(startAt, startAt + Number(query.get('maxResults') ?? 50))
              .map((comment) => this.#comment(issue, comment)),
          });
        }),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/comment\/list$/,
      answer: ({ body }) => {
        const ids = Array.isArray(body['ids']) ? body['ids'].map(String) : [];
        return good({
          values: this.issues.flatMap((issue) =>
            issue.comments.filter(({ id }) => ids.includes(id)).map((comment) => this.#comment(issue, comment)),
          ),
        });
      },
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/,
      answer: ({ body }, [key = '']) =>
        this.#with(key, (issue) => {
          if (!isDocument(body['body'])) return bad(400, '', { comment: 'Comment body is not valid!' });
          const now = new Date(this.#webhooks.now()).toISOString();
          const comment: Comment = { id: this.#id(), author: ann, body: body['body'], created: now, updated: now };
          issue.comments.push(comment);
          this.#tell('comment_created', issue, { comment: this.#comment(issue, comment) });
          return { status: 201, body: this.#comment(issue, comment) };
        }),
    },
    {
      method: 'PUT',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/comment\/(\d+)$/,
      answer: ({ body }, [key = '', id]) =>
        this.#with(key, (issue) => {
          const comment = issue.comments.find((one) => one.id === id);
          if (comment === undefined || !isDocument(body['body']))
            return bad(comment === undefined ? 404 : 400, 'Can not find a comment for the id.');
          comment.body = body['body'];
          return good(this.#comment(issue, comment));
        }),
    },
    {
      method: 'DELETE',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/comment\/(\d+)$/,
      answer: (_, [key = '', id]) =>
        this.#with(key, (issue) => {
          issue.comments = issue.comments.filter((one) => one.id !== id);
          return { status: 204 };
        }),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/remotelink$/,
      answer: (_, [key = '']) => this.#with(key, ({ links }) => good(links)),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/issue\/([^/]+)\/remotelink$/,
      answer: ({ body }, [key = '']) =>
        this.#with(key, (issue) => {
          const globalId = String(body['globalId']);
          const known = issue.links.find((link) => link.globalId === globalId);
          const link = known ?? { id: Number(this.#id()), globalId, object: null };
          link.object = body['object'];
          if (known === undefined) issue.links.push(link);
          return { status: known === undefined ? 201 : 200, body: { id: link.id, self: '' } };
        }),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/issueLink$/,
      answer: ({ body: { type, inwardIssue, outwardIssue } }) => {
        const name = textOf(members(type)['name']);
        if (!['Blocks', 'Duplicate', 'Relates'].includes(name)) return bad(404, `No issue link type named '${name}'.`);
        const named = (issue: unknown) => textOf(members(issue)['key'] ?? members(issue)['id']);
        return this.#with(named(inwardIssue), ({ key: inward }) =>
          this.#with(named(outwardIssue), ({ key: outward }) => {
            this.relations.push({ type: name, inward, outward });
            return { status: 201 };
          }),
        );
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/agile\/1\.0\/board$/,
      answer: ({ query }) =>
        pageOf(
          boards
            .filter(({ project }) => project === (query.get('projectKeyOrId') ?? project))
            .map(({ id, name, type }) => ({ id, name, type })),
          query,
          50,
        ),
    },
    {
      method: 'GET',
      path: /^\/rest\/agile\/1\.0\/board\/(\d+)\/sprint$/,
      answer: ({ query }, [id]) =>
        id === '2'
          ? bad(400, 'The board does not support sprints')
          : pageOf(
              this.sprints.filter(({ originBoardId }) => String(originBoardId) === id),
              query,
              50,
            ),
    },
    {
      method: 'POST',
      path: /^\/rest\/agile\/1\.0\/sprint$/,
      answer: ({ body }) => {
        const sprint: Sprint = { id: this.sprints.length + 1, name: '', state: 'future', originBoardId: 1, ...body };
        this.sprints.push(sprint);
        return { status: 201, body: sprint };
      },
    },
    {
      method: 'POST',
      path: /^\/rest\/agile\/1\.0\/sprint\/(\d+)$/,
      answer: ({ body }, [id]) => {
        const sprint = this.sprints.find((one) => String(one.id) === id);
        return sprint === undefined ? bad(404, 'Sprint does not exist') : good(Object.assign(sprint, body));
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/3\/webhook$/,
      answer: ({ query, isApp }) => (isApp ? pageOf(this.#webhooks.listed(), query) : noApp),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/3\/webhook$/,
      answer: ({ body, isApp }) => (isApp ? good(this.#webhooks.register(body)) : noApp),
    },
    {
      method: 'PUT',
      path: /^\/rest\/api\/3\/webhook\/refresh$/,
      answer: ({ body, isApp }) => (isApp ? good(this.#webhooks.refresh(body)) : noApp),
    },
    {
      method: 'DELETE',
      path: /^\/rest\/api\/3\/webhook$/,
      answer: ({ body, isApp }) => {
        if (!isApp) return noApp;
        this.#webhooks.remove(body);
        return { status: 202 };
      },
    },
  ];

  #with(key: string, act: (issue: Issue) => Answer): Answer {
    const issue = this.find(key);
    return issue === undefined ? missing : act(issue);
  }

  #comment(issue: Issue, comment: Comment): Members {
    return { ...comment, self: `${this.#url()}/rest/api/3/issue/${issue.id}/comment/${comment.id}` };
  }

  #search(body: Members): Answer {
    try {
      const { test, orderBy } = parseJql(String(body['jql']));
      const found = this.issues.filter((issue) => !issue.isArchived && test(queried(issue, this.sprints, this.issues)));
      const timeOf = (issue: Issue) => Date.parse(String(issue.fields[orderBy]));
      const sorted = found.toSorted((one, other) => timeOf(other) - timeOf(one) || Number(other.id) - Number(one.id));
      const start =
        body['nextPageToken'] === undefined
          ? 0
          : Number(Buffer.from(textOf(body['nextPageToken']), 'base64url').toString());
      const end = start + Number(body['maxResults'] ?? 50);
      const asked = Array.isArray(body['fields']) ? body['fields'].map(String) : [];
      const next =
        end < sorted.length ? { nextPageToken: Buffer.from(String(end)).toString('base64url') } : { isLast: true };
      return good({ issues: sorted.slice(start, end).map((issue) => this.shown(issue, asked)), ...next });
    } catch (error) {
      if (error instanceof JqlError) return bad(400, error.message);
      throw error;
    }
  }

  /** The stored values of fields as they are sent; a text tells which field is at fault, and why. */
  #values(fields: Members): Record<string, unknown> | Answer {
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const { id, key, accountId } = members(value);
      if (name === 'description') {
        if (value !== null && !isDocument(value))
          return bad(400, '', {
            description: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
          });
        values[name] = value;
      } else if (name === 'priority') values[name] = priorities.find((one) => one.id === id);
      else if (name === 'assignee') {
        const person = people.find((one) => one.accountId === accountId);
        if (value !== null && person === undefined) return bad(400, '', { assignee: 'The user does not exist.' });
        values[name] = person ?? null;
      } else if (name === 'parent') {
        const parent = this.find(String(id ?? key));
        if (parent === undefined) return bad(400, '', { parent: 'Could not find issue by id or key.' });
        values[name] = parent.id;
      } else if (name === 'labels' && Array.isArray(value) && value.some((label) => /\s/.test(String(label)))) {
        return bad(400, '', { labels: "The label can't contain spaces." });
      } else if (plainFields.includes(name)) values[name] = value;
      else
        return bad(400, '', {
          [name]: `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`,
        });
    }
    return values;
  }

  #create(body: Members): Answer {
    const { project, issuetype, ...fields } = members(body['fields']);
    const { id, key } = members(project);
    const known = projects.find((one) => one.id === id || one.key === key);
    const type = issueTypes.find((one) => one.id === members(issuetype)['id']);
    if (known === undefined || type === undefined)
      return bad(
        400,
        '',
        known === undefined ? { project: 'Specify a valid project ID or key' } : { issuetype: 'Specify an issue type' },
      );
    if (typeof fields['summary'] !== 'string')
      return bad(400, '', { summary: 'You must specify a summary of the issue.' });
    const values = this.#values(fields);
    if (isAnswer(values)) return values;
    const issue = this.add(known.key, type.id, values);
    return { status: 201, body: { id: issue.id, key: issue.key, self: '' } };
  }

  #edit(issue: Issue, body: Members): Answer {
    const values = this.#values(members(body['fields']));
    if (isAnswer(values)) return values;
    const update = members(body['update']);
    const before = { ...issue.fields };
    Object.assign(issue.fields, values);
    const labels = Array.isArray(issue.fields['labels']) ? issue.fields['labels'].map(String) : [];
    for (const step of Array.isArray(update['labels']) ? update['labels'] : []) {
      const { add, remove } = members(step);
      issue.fields['labels'] =
        add === undefined ? labels.filter((label) => label !== remove) : [...labels, textOf(add)];
    }
    if (update['parent'] !== undefined) delete issue.fields['parent'];
    this.#changed(
      issue,
      Object.keys(values).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(values[name])),
    );
    return { status: 204 };
  }

  #move(issue: Issue, body: Members): Answer {
    const step = stepsFrom(issue).find(({ id }) => id === members(body['transition'])['id']);
    if (step === undefined)
      return bad(
        400,
        'It seems that you have tried to perform a workflow operation that is not valid for the current state of this issue.',
      );
    issue.status = step.to.id;
    issue.fields['resolutiondate'] =
      step.to.statusCategory.key === 'done' ? new Date(this.#webhooks.now()).toISOString() : null;
    this.#changed(issue, ['status']);
    return { status: 204 };
  }

  #changed(issue: Issue, names: readonly string[]): void {
    issue.fields['updated'] = new Date(this.#webhooks.now()).toISOString().replace('Z', '+0000');
    const items = names.map((name) => ({ field: name, fieldId: name, fieldtype: 'jira', from: null, to: null }));
    this.#tell('jira:issue_updated', issue, { issue_event_type_name: 'issue_generic', changelog: { id: '1', items } });
  }

  #archive(body: Members, isArchived: boolean): Answer {
    const keys = Array.isArray(body['issueIdsOrKeys']) ? body['issueIdsOrKeys'].map(String) : [];
    const found = keys.flatMap((key) => this.find(key) ?? []);
    for (const issue of found) issue.isArchived = isArchived;
    return good({ numberOfIssuesUpdated: found.length, errors: {} });
  }
}

/** It is for apps with the right to configure Jira. */
const lacksScope: Answer = { status: 401, body: { code: 401, message: 'Unauthorized; scope does not match' } };
const noApp = bad(403, 'The caller is not an app that may use dynamic webhooks.');

const isAnswer = (value: Record<string, unknown> | Answer): value is Answer =>
  typeof value['status'] === 'number' && 'body' in value;

function stepsFrom({ status }: Issue) {
  return (workflow[status] ?? []).flatMap((to, index) => {
    const next = statuses.find(({ id }) => id === to);
    return next === undefined
      ? []
      : [{ id: String(11 + index * 10), name: `To ${next.name}`, isAvailable: true, to: next }];
  });
}
