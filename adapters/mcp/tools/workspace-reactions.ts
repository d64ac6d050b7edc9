import { z } from 'zod';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { everyTool, includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { refused, toolResult } from '#adapters/mcp/results/tool-result.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { eventsText, operationsText } from '#adapters/mcp/tools/offered-to-reactions.ts';
import { formatGuide } from '#adapters/mcp/tools/reaction-guide.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { CheckedReaction, CheckReaction } from '#application/reactions/check-reaction.ts';
import { type ReactionOutcomes, triedText } from '#application/reactions/reaction-outcomes.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { type Failure, failed, succeeded } from '#domain/operations/outcome.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import { maxReactionText } from '#domain/reaction-notes/status-line.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isLimited, isPermitted, isSwitchedOff, permissionFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

/** The tool's dependencies; `isWriter` tells whether a user can write to the vault that holds the reactions. */
export type WorkspaceReactionsDependencies = Readonly<{
  catalog: OperationCatalog;
  senders: readonly ServiceKey[];
  folder: string;
  outcomes: Pick<ReactionOutcomes, 'of' | 'listed'>;
  check: Pick<CheckReaction, 'run'>;
  isWriter: (user: User) => Promise<boolean>;
}>;

const inputs = z.strictObject({
  what: z
    .string()
    .max(maxReactionText)
    .optional()
    .describe(
      '"events" or "operations", also of one service ("events tracker"); the path of a reaction; or its whole text, to check and try it on past events. Without it: the guide, and which exist',
    ),
});

/** How the tool is called: the user, and the services whose events and operations they have. */
type Caller = Readonly<{ user: User; isOpen: (service: ServiceKey) => boolean; signal: AbortSignal }>;

/** The maximum number of deliveries that a written reaction is tried on. */
const maxTried = 10;

/** The tool that explains, lists, checks and tries reactions. It changes nothing: reactions are written as notes. */
export function workspaceReactions(dependencies: WorkspaceReactionsDependencies): Tool {
  const { catalog, isWriter } = dependencies;
  return checking(inputs, {
    name: 'workspace_reactions',
    title: 'Reactions',
    description:
      'Reactions are notes that this server runs on events of the services or at set times. Explains how to write one, lists them, checks and tries a text; changes nothing',
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf('read', true, false),
    service: null,
    needsService: 'vault',
    run: async (user, { what = '' }, call) => {
      const rejection =
        rejectionOf(user, call, catalog) ?? (user.isAdmin || (await isWriter(user)) ? null : notOfTheTeam);
      if (rejection !== null) return refused(rejection);
      return shown(await answer(dependencies, what, { user, isOpen: openTo(user, call), signal: call.signal }), call);
    },
  });
}

const notOfTheTeam = failed(
  'forbidden',
  'Reactions are notes in the vault of the team; this user has a vault of their own, and can neither read nor write them.',
);

function rejectionOf(user: User, { choice = everyTool }: ToolCall, { names }: OperationCatalog): Failure | null {
  if (!includesService(choice, 'vault')) return failed('forbidden', 'This connection was set up without the vault.');
  return permissionFailure(user, { service: 'vault', isReading: true, names });
}

/** The services whose events a caller may see: permitted, chosen, and not switched off for apps as a whole. */
function openTo(user: User, { choice = everyTool }: ToolCall): Caller['isOpen'] {
  return (service) =>
    isPermitted(user, service) &&
    includesService(choice, service) &&
    !isSwitchedOff(user, { service, name: '', effect: 'read' });
}

async function answer(
  { catalog, senders, folder, outcomes, check }: WorkspaceReactionsDependencies,
  what: string,
  { user, isOpen, signal }: Caller,
): Promise<string | Failure> {
  const text = what.trim();
  if (text.includes('\n')) {
    const checked = await check.run(what.trimStart(), { isOpen, signal });
    return checked.ok ? checkedText(checked.value, folder) : checked.failure;
  }
  if (text === '' || text === 'guide') return `${guideText(folder)}\n\n${await listText(outcomes)}`;
  if (text.endsWith('.md')) {
    const isAdmin = user.isAdmin && !isLimited(user);
    const canRead = ({ triggers }: ReactionNote) =>
      triggers.every((one) => (one.kind === 'event' ? isOpen(one.service) : senders.every(isOpen)));
    return (await outcomes.of(text, isAdmin ? { isOpen, maxTried, signal } : null, canRead)) ?? unknownPath;
  }
  const [topic, ...named] = text.split(/[\s,]+/);
  const services = catalog.names.keys.filter(
    (service) => isOpen(service) && (named.length === 0 || named.includes(service)),
  );
  const unknown = named.find((service) => !services.includes(service));
  if (unknown !== undefined) return unknownService(unknown, catalog.names.keys.filter(isOpen));
  if (topic === 'events') return eventsText(services.filter((service) => senders.includes(service)));
  return topic === 'operations' ? operationsText(catalog, services) : unknownTopic;
}

function shown(answered: string | Failure, call: ToolCall): ToolResult {
  if (typeof answered !== 'string') return refused(answered);
  return toolResult(succeeded(answered), { connectUrl: '', limit: limitOf(call) });
}

const unknownPath = failed('not_found', 'There is no reaction at that path. Without `what` all are listed.');
const unknownTopic = failed(
  'invalid_input',
  '`what` is "events", "operations", a path that ends with .md, or the text of a reaction, whose first line is ---.',
);
const unknownService = (given: string, open: readonly ServiceKey[]): Failure =>
  failed('invalid_input', `There is no service "${given.slice(0, 100)}" for this caller: ${open.join(', ')}.`);

function guideText(folder: string): string {
  return `A reaction is a note in ${folder}. An example of its format:
${formatGuide(folder)}

1. Ask what the request leaves open. \`what: "events"\` lists the events and their fields, \`what: "operations"\` what \`do\` can call.
2. Check the text with \`what\`, until it has no errors and the dry run is what was meant.
3. Write it to ${folder}/<name>.md with vault_note_write and \`reaction: dry\`; show it, and set \`reaction: on\` only when the user agrees.
4. \`what: "${folder}/<name>.md"\` says how it went. Say whether an administrator has to allow its calls on /approvals.`;
}

async function listText(outcomes: Pick<ReactionOutcomes, 'listed'>): Promise<string> {
  const lines = await outcomes.listed();
  return lines.length === 0 ? 'There are no reactions yet.' : ['Reactions there are:', ...lines].join('\n');
}

function checkedText({ faults, reaction, closed, tried }: CheckedReaction, folder: string): string {
  if (reaction === null)
    return ['It has errors:', ...faults.map(({ line, message }) => `- line ${line}: ${message}`)].join('\n');
  const isRunning =
    reaction.mode === 'on' ? '' : ` It is ${reaction.mode}: it changes nothing before \`reaction: on\`.`;
  return [
    `It has no errors.${isRunning} Nothing was written or called.`,
    ...(reaction.calls.length === 0
      ? []
      : [
          `Its calls wait until an administrator has allowed exactly this text, in a note in ${folder}, on /approvals.`,
        ]),
    ...(closed.length === 0 ? [] : [`Events of ${closed.join(', ')} are left out: this caller does not have them.`]),
    ...triedText(tried),
  ].join('\n');
}
