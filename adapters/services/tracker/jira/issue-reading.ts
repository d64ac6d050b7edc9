import { z } from 'zod';
import { parsed } from '#adapters/services/answers/read-answers.ts';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';
import {
  askedFields,
  isoTime,
  issueOf,
  type OwnFields,
  ownFields,
  person,
  siteOf,
  type TrackerIssue,
} from '#adapters/services/tracker/jira/fields.ts';
import type { Send } from '#adapters/services/tracker/jira/requests.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** Reads an issue; null in `own` asks for the site's own fields as well. */
export async function readIssue(
  send: Send,
  issue: string,
  context: RecipeContext,
  known: OwnFields | null = null,
): Promise<Outcome<TrackerIssue>> {
  const own = known === null ? await ownFields(send) : succeeded(known);
  if (!own.ok) return own;
  const read = await send('issue', { issue, fields: askedFields(own.data, 'description', 'subtasks', 'creator') });
  if (!read.ok) return read;
  const found = issueOf(read.data, own.data, siteOf(context));
  return found === null
    ? failed('unavailable', 'The tracker answered with something that is no issue.')
    : succeeded(found);
}

const comment = z
  .looseObject({
    id: z.string(),
    body: z.unknown().optional(),
    author: person.nullish().catch(null),
    created: isoTime,
    updated: isoTime,
    self: z.string().catch(''),
  })
  .transform(({ id, body, author, created, updated, self }) => ({
    id,
    body: toMarkdown(body) ?? '',
    user: author ?? null,
    parent: null,
    issueId: /\/issue\/(\d+)\/comment\//.exec(self)?.[1] ?? null,
    createdAt: created,
    updatedAt: updated,
    resolvedAt: null,
  }));

/** Comments, with the addresses of the issue that has them. */
export const commentIn = (issue: string, context: RecipeContext) =>
  comment.transform(({ issueId, ...one }) => {
    const site = siteOf(context);
    return {
      ...one,
      issue: { id: issueId, identifier: issue },
      url: site === null ? null : `${site}/browse/${issue}?focusedCommentId=${one.id}`,
    };
  });

/** The id of the issue that has a comment. */
export async function issueOfComment(send: Send, id: string): Promise<Outcome<string>> {
  const listed = parsed(await send('commentsById', { ids: [Number(id)] }), z.looseObject({ values: z.array(comment) }));
  const issueId = listed.ok ? (listed.data.values[0]?.issueId ?? null) : null;
  if (!listed.ok) return listed;
  return issueId === null ? failed('not_found', `There is no comment "${id.slice(0, 40)}".`) : succeeded(issueId);
}
