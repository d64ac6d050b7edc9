import { canonicalJson } from '#domain/json/canonical-json.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { type ItemKind, readItem } from '#domain/remote-servers/remote-item.ts';
import { digestOfTool, effectOfHints, type RemoteTool } from '#domain/remote-servers/remote-tool.ts';

/** What an administrator chose for a tool; `effect` is null where nobody chose one, `isSearched` has `workspace_search` use it. */
export type ToolSettings = Readonly<{ effect: Effect | null; isOff: boolean; isSearched: boolean }>;

/**
 * A tool of a remote server as this server knows it: as it was accepted, and as it was listed last where that differs.
 * `accepted` is null for a tool that nobody accepted yet, `acceptedBy` for one that the configuration accepted, and
 * `waiting` where there is nothing to accept. Times are Unix ms.
 */
export type PinnedTool = ToolSettings &
  Readonly<{
    name: string;
    accepted: RemoteTool | null;
    acceptedAt: number | null;
    acceptedBy: number | null;
    waiting: RemoteTool | null;
  }>;

/** The tools of a remote server as known, in the order in which it listed them, and when it listed them last. */
export type PinnedList = Readonly<{ tools: readonly PinnedTool[]; listedAt: number }>;

/** The maximum number of tools that one remote server may have here, and of tools and other items together. */
export const maxRemoteTools = 200;
const maxItems = 400;

/**
 * Returns the list after the server listed its tools. With `acceptsFirst` everything in its first listing is accepted;
 * all that is new or changed later waits. A waiting tool that is as it was accepted again waits no more, and one that
 * was never accepted is forgotten when it is listed no more.
 */
export function afterListing(
  before: PinnedList | null,
  listed: readonly RemoteTool[],
  { at, acceptsFirst }: Readonly<{ at: number; acceptsFirst: boolean }>,
): PinnedList {
  const isAccepted = before === null && acceptsFirst;
  const known = new Map(before?.tools.map((one) => [one.name, one]));
  const current = listed.slice(0, maxItems).map((tool) => listedAs(tool, known.get(tool.name), isAccepted, at));
  const names = new Set(current.map(({ name }) => name));
  const gone = [...known.values()].filter(({ name, accepted }) => !names.has(name) && accepted !== null);
  return { tools: [...current, ...gone].slice(0, 2 * maxItems), listedAt: at };
}

function listedAs(tool: RemoteTool, known: PinnedTool | undefined, isAccepted: boolean, at: number): PinnedTool {
  if (known?.accepted != null) {
    const isSame = digestOfTool(known.accepted) === digestOfTool(tool);
    return isSame ? { ...known, accepted: tool, waiting: null } : { ...known, waiting: tool };
  }
  const settings = known ?? { effect: null, isOff: false, isSearched: false };
  const { effect, isOff, isSearched } = settings;
  const at0 = { name: tool.name, effect, isOff, isSearched, acceptedBy: null };
  return isAccepted
    ? { ...at0, accepted: tool, acceptedAt: at, waiting: null }
    : { ...at0, accepted: null, acceptedAt: null, waiting: tool };
}

/**
 * Returns the list with a tool accepted as it waits; null when there is no such tool, or it waits with another digest
 * than the one that was seen.
 */
export function accepting(
  list: PinnedList,
  { name, digest }: Readonly<{ name: string; digest: string }>,
  { by, at }: Readonly<{ by: number; at: number }>,
): PinnedList | null {
  const waiting = list.tools.find((one) => one.name === name)?.waiting ?? null;
  if (waiting === null || digestOfTool(waiting) !== digest) return null;
  return withTool(list, name, { accepted: waiting, acceptedAt: at, acceptedBy: by, waiting: null });
}

/** Returns the list with other settings of a tool; null when there is no such tool. */
export function choosing(list: PinnedList, name: string, settings: Partial<ToolSettings>): PinnedList | null {
  return list.tools.some((one) => one.name === name) ? withTool(list, name, settings) : null;
}

function withTool(list: PinnedList, name: string, changes: Partial<PinnedTool>): PinnedList {
  return { ...list, tools: list.tools.map((one) => (one.name === name ? { ...one, ...changes } : one)) };
}

/** A tool that may be listed and called: as it was accepted, and its effect as chosen, else the worst of its hints. */
export type UsableTool = Readonly<{ tool: RemoteTool; effect: Effect; isSearched: boolean }>;

/** The tools that may be listed and called: those that were accepted, have not changed since, and are not switched off. */
export function usableTools({ tools }: PinnedList): readonly UsableTool[] {
  return tools.flatMap(({ accepted, waiting, isOff, effect, isSearched }) =>
    accepted === null || waiting !== null || isOff
      ? []
      : [{ tool: accepted, effect: effect ?? effectOfHints(accepted.hints), isSearched }],
  );
}

const itemKinds: readonly ItemKind[] = ['tool', 'prompt', 'template', 'resources'];

/** The kinds of items of which there are others after a change than before. */
export function changedKinds(before: readonly UsableTool[], after: readonly UsableTool[]): ReadonlySet<ItemKind> {
  const of = (usable: readonly UsableTool[], kind: ItemKind) =>
    canonicalJson(usable.filter(({ tool }) => readItem(tool.name).kind === kind));
  return new Set(itemKinds.filter((kind) => of(before, kind) !== of(after, kind)));
}
