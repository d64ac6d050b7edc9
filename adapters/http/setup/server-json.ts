import { z } from 'zod';
import { countsOf, type KnownServer, toolDifference } from '#adapters/http/setup/server-pages.ts';
import type { Differences } from '#application/ports/differences.ts';
import { differenceAsJson } from '#domain/changes/shown-difference.ts';
import { effects } from '#domain/operations/effect.ts';
import { maxServerKey, maxServerTitle } from '#domain/remote-servers/added-server.ts';
import type { PinnedList, PinnedTool } from '#domain/remote-servers/pinned-list.ts';
import { digestOfTool, effectOfHints, type RemoteTool } from '#domain/remote-servers/remote-tool.ts';

/** A remote MCP server as an administrator enters it. */
export const newServerSchema = z.strictObject({
  key: z
    .string()
    .trim()
    .max(maxServerKey, { error: `must have at most ${maxServerKey} characters` }),
  title: z.string().trim().min(1, { error: 'must not be empty' }).max(maxServerTitle),
  url: z.string().trim().max(2_048),
  connection: z.enum(['oauth', 'key', 'none']),
});

/** This server's app there, as an administrator enters it; without a secret it is a public client. */
export const clientSchema = z.strictObject({
  client_id: z.string().trim().min(1, { error: 'must not be empty' }).max(2_048),
  client_secret: z.string().trim().max(2_048).optional(),
});

const toolName = z.string().min(1).max(200);

/** What is decided on tools: which are accepted, by the digest that was seen, and what is chosen for them. */
export const decisionsSchema = z.strictObject({
  accept: z
    .array(z.strictObject({ name: toolName, digest: z.string().max(100) }))
    .max(400)
    .optional(),
  settings: z
    .array(
      z.strictObject({
        name: toolName,
        effect: z.enum(effects).nullable().optional(),
        is_off: z.boolean().optional(),
        is_searched: z.boolean().optional(),
      }),
    )
    .max(400)
    .optional(),
});

/** What is decided on tools. */
export type Decisions = z.output<typeof decisionsSchema>;

/** A server as JSON, without its tools. */
export function serverAsJson(
  { key, title, address, connection, toRestart, added }: KnownServer,
  list: PinnedList | null,
) {
  const { waiting, used, off } = countsOf(list);
  return {
    service: key,
    title,
    address,
    connection,
    source: added === null ? 'configuration' : 'page',
    needs_restart: toRestart.length > 0,
    to_restart: toRestart,
    ...(added === null ? {} : { added_by: added.userId, added_at: added.at }),
    listed_at: list?.listedAt ?? null,
    tools: { in_use: used, waiting, off },
  };
}

/** A tool as JSON: as it is accepted, as it waits, and what differs, by line. */
export function toolAsJson(tool: PinnedTool, differences: Differences) {
  const { name, accepted, acceptedAt, acceptedBy, waiting, effect, isOff, isSearched } = tool;
  const changed = accepted === null || waiting === null ? [] : differences.shown([toolDifference(accepted, waiting)]);
  const worst = waiting ?? accepted;
  return {
    name,
    state: waiting === null ? (isOff ? 'off' : 'in_use') : accepted === null ? 'new' : 'changed',
    effect,
    effect_by_hints: worst === null ? null : effectOfHints(worst.hints),
    is_off: isOff,
    is_searched: isSearched,
    accepted: accepted === null ? null : { ...listedAs(accepted), at: acceptedAt, by: acceptedBy },
    waiting: waiting === null ? null : listedAs(waiting),
    difference: changed.map(differenceAsJson),
  };
}

function listedAs(tool: RemoteTool) {
  const { title, description, inputSchema, hints } = tool;
  return { title, description, input_schema: inputSchema, hints, digest: digestOfTool(tool) };
}
