import type { Issue, IssueEvent } from '#domain/events/tracker-event.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import { inlineText, linkTo, webAddress } from '#domain/notes/markdown-text.ts';
import { quotedMarkdown } from '#domain/notes/quoted-markdown.ts';
import { type NoteTemplate, newNote } from '#domain/notes/templates.ts';
import { issueHistory } from '#domain/reactions/issue-history.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry, type HistoryEntry } from '#domain/reactions/step.ts';

/** The frontmatter key of an issue's id (REACT-005). */
export const issueIdKey = 'tracker_issue_id';

/**
 * Issue created or changed → its note gets its ids and current values in the frontmatter, and a history line for what
 * changed. A missing note is created from the template. The description is only written at creation: after that the
 * text below the frontmatter belongs to the users.
 */
export const issueChanged = on('tracker', ['issue.create', 'issue.update'], (event, { templates }) => {
  const frontmatter = { [issueIdKey]: event.record.id, ...issueFrontmatter(event.issue) };
  return [
    {
      do: 'note',
      record: event.record,
      idKey: issueIdKey,
      frontmatter,
      history: historyOf(event),
      occurredAt: event.occurredAt,
      create: newIssueNote(templates.issue, event.issue, frontmatter),
    },
  ];
});

/**
 * Builds the frontmatter of an issue's note (REACT-005): ids under `tracker_…` (`tracker_priority` is 0 none to 4 low),
 * and readable values under plain keys.
 */
function issueFrontmatter(issue: Issue): Frontmatter {
  return {
    tracker_project_id: issue.project?.id ?? null,
    tracker_assignee_id: issue.assignee?.id ?? null,
    tracker_priority: issue.priority,
    identifier: issue.identifier,
    title: issue.title,
    status: issue.state,
    assignee: issue.assignee?.name ?? null,
    project: issue.project?.name ?? null,
    priority: issue.priorityName,
    labels: issue.labels,
    url: webAddress(issue.url),
  };
}

function newIssueNote(template: NoteTemplate, issue: Issue, frontmatter: Frontmatter) {
  const { identifier, title } = issue;
  const untitled = `Issue ${issue.id}`;
  const texts = {
    identifier: inlineText(identifier ?? ''),
    title: inlineText(title ?? ''),
    link: linkTo(identifier || title || untitled, issue.url),
    description: quotedMarkdown(issue.description ?? ''),
  };
  return newNote(template, { frontmatter, names: { identifier, title }, untitled, texts });
}

function historyOf(event: IssueEvent): readonly HistoryEntry[] {
  const { text, identity } = issueHistory(event);
  return text === '' ? [] : [datedEntry('History', event, text, identity)];
}
