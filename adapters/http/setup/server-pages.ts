import { plainDifferences } from '#adapters/http/answers/shown-differences.ts';
import { shownTime } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import type { Differences } from '#application/ports/differences.ts';
import { type Effect, effects } from '#domain/operations/effect.ts';
import type { AddedServer } from '#domain/remote-servers/added-server.ts';
import type { PinnedList, PinnedTool } from '#domain/remote-servers/pinned-list.ts';
import { digestOfTool, effectOfHints, type RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { listed } from '#domain/text/listed.ts';
import type { User } from '#domain/users/user.ts';

/**
 * A remote MCP server as administrators see it. `address` is a URL, or says that it is a program; `isRunning` is false
 * until the server that this program is was started with it; `added` is null for one of the configuration.
 */
export type KnownServer = Readonly<{
  key: ServiceKey;
  title: string;
  address: string;
  connection: AddedServer['connection'];
  isRunning: boolean;
  isRemoved: boolean;
  /** The servers on the database that have to be restarted for it, or for its removal, by their names; this one first. */
  toRestart: readonly string[];
  added: AddedServer | null;
}>;

/** How many tools one page has. */
export const toolsPerPage = 20;

const connectionTexts = { oauth: 'Its own OAuth', key: 'A key of each person', none: 'No connection' } as const;

const effectTexts: Readonly<Record<Effect, string>> = {
  read: 'Reads',
  add: 'Adds',
  change: 'Changes',
  lose: 'Deletes or overwrites',
  reach: 'Sends to others',
};

/** What waits of a server's tools, and what models see of them. */
export function countsOf(list: PinnedList | null): Readonly<{ waiting: number; used: number; off: number }> {
  const tools = list?.tools ?? [];
  const isUsed = ({ accepted, waiting, isOff }: PinnedTool) => accepted !== null && waiting === null && !isOff;
  return {
    waiting: tools.filter(({ waiting }) => waiting !== null).length,
    used: tools.filter(isUsed).length,
    off: tools.filter(({ isOff, accepted }) => isOff && accepted !== null).length,
  };
}

/** Which servers have to be restarted, and why, as a warning; null when none has to be. */
export function restartText({ title, isRemoved, toRestart }: KnownServer): string | null {
  if (toRestart.length === 0) return null;
  const which = listed(toRestart.map((name) => shownText(name, 100)));
  const name = shownText(title, 80);
  return isRemoved
    ? `Restart ${which}: until then pages there still show ${name}, which was removed.`
    : `Restart ${which}: ${name} is in use there after that.`;
}

/** Who may use a server: the first few, and whether there are more. */
export function peopleOf(users: readonly User[]) {
  const shown = users.slice(0, maxPeople);
  return {
    names: shown.map(({ name, email }) => shownText(name ?? email, 80)).join(', '),
    hasMore: users.length > maxPeople,
  };
}

/** How many of the people who may use a server its page names. */
export const maxPeople = 5;

/** A line of the page /setup/servers. */
export function serverLine(server: KnownServer, list: PinnedList | null) {
  const { key, title, address, connection, added } = server;
  const { waiting, used } = countsOf(list);
  return {
    key,
    name: shownText(title, 80),
    address: shownText(address, 300),
    connection: connectionTexts[connection],
    where: added === null ? 'In the configuration' : null,
    ...stateOf(server, waiting),
    sentence:
      list === null || list.tools.length === 0
        ? 'None of its tools is known yet.'
        : `${tools(used)} in use, ${tools(waiting)} waiting.`,
  };
}

const tools = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);

function stateOf({ isRunning, isRemoved, toRestart }: KnownServer, waiting: number) {
  if (isRemoved) return { label: 'Removed', kind: 'plain' };
  if (!isRunning) return { label: 'After a restart', kind: 'warn' };
  if (toRestart.length > 0) return { label: 'Not on every server', kind: 'warn' };
  return waiting > 0 ? { label: 'Waits', kind: 'warn' } : { label: 'Ready', kind: 'good' };
}

type ToolsPage = Readonly<{ page: number; differences: Differences; timeZone: string | null }>;

/** The tools of a page: those that wait come first. Everything that a server wrote is shown as it is, escaped. */
export function toolRows(list: PinnedList | null, { page, differences, timeZone }: ToolsPage) {
  const all = (list?.tools ?? []).toSorted((left, right) => rankOf(left) - rankOf(right));
  const pages = Math.max(1, Math.ceil(all.length / toolsPerPage));
  const current = Math.min(Math.max(1, page), pages);
  const shown = all.slice((current - 1) * toolsPerPage, current * toolsPerPage);
  return { pages, page: current, rows: shown.map((tool, index) => toolRow(tool, { index, differences, timeZone })) };
}

const rankOf = ({ waiting, accepted }: PinnedTool): number => (waiting === null ? 2 : accepted === null ? 1 : 0);

function toolRow(
  tool: PinnedTool,
  { index, differences, timeZone }: Omit<ToolsPage, 'page'> & Readonly<{ index: number }>,
) {
  const { name, accepted, waiting, acceptedAt, effect, isOff, isSearched } = tool;
  const current = waiting ?? accepted;
  const isChanged = accepted !== null && waiting !== null;
  return {
    index,
    name,
    title: current?.title ?? null,
    description: current === null ? '' : current.description,
    schema: current === null ? '' : JSON.stringify(current.inputSchema, null, 2),
    hints: hintsText(current),
    digest: waiting === null ? null : digestOfTool(waiting),
    ...toolState(tool),
    acceptedAt: acceptedAt === null ? null : shownTime(acceptedAt, timeZone),
    differences: isChanged ? plainDifferences(differences.shown([toolDifference(accepted, waiting)])) : [],
    isOn: !isOff,
    isSearched,
    worst: current === null ? '' : effectTexts[effectOfHints(current.hints)],
    effects: effects.map((one) => ({ value: one, text: effectTexts[one], isChosen: one === effect })),
    isChosen: effect !== null,
  };
}

function toolState({ accepted, waiting, isOff }: PinnedTool): Readonly<{ label: string; kind: string }> {
  if (waiting !== null) return { label: accepted === null ? 'New' : 'Changed', kind: 'warn' };
  return isOff ? { label: 'Off', kind: 'plain' } : { label: 'In use', kind: 'good' };
}

/** What changed in a tool, as texts that can be compared by line. */
export function toolDifference(before: RemoteTool, after: RemoteTool) {
  return { kind: 'text', path: after.name, before: toolText(before), after: toolText(after) } as const;
}

function toolText({ title, description, hints, inputSchema }: RemoteTool): string {
  const schema = JSON.stringify(inputSchema, null, 2);
  return `Title: ${title ?? ''}\nDescription:\n${description}\nHints: ${JSON.stringify(hints)}\nInputs:\n${schema}\n`;
}

const hintTexts = [
  ['readOnlyHint', true, 'only reads'],
  ['readOnlyHint', false, 'does not only read'],
  ['destructiveHint', true, 'may destroy'],
  ['destructiveHint', false, 'destroys nothing'],
  ['openWorldHint', true, 'reaches others'],
  ['openWorldHint', false, 'reaches nobody else'],
  ['idempotentHint', true, 'may be repeated'],
] as const;

function hintsText(tool: RemoteTool | null): string {
  const said = hintTexts.flatMap(([hint, value, text]) => (tool?.hints[hint] === value ? [text] : []));
  return said.length === 0 ? 'nothing' : said.join(', ');
}
