import type { Prompt } from '#adapters/mcp/prompts/prompt.ts';
import { containing } from '#adapters/mcp/prompts/record-names.ts';
import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { eventsText, operationsText } from '#adapters/mcp/tools/offered-to-reactions.ts';
import { formatGuide } from '#adapters/mcp/tools/reaction-guide.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { errorsText, unknownValue } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** The prompt's dependencies: the services that send events, and the folder of reactions. */
type WriteAReactionDependencies = Readonly<{
  catalog: OperationCatalog;
  senders: readonly ServiceKey[];
  folder: string;
}>;

/** The maximum length of the user's request that is used, in characters. */
const maxRequest = 4_000;

/**
 * Builds the prompt that has a model write a reaction: what it may use, the format, and how it is tested before it is
 * enabled.
 */
export function writeAReaction({ catalog, senders, folder }: WriteAReactionDependencies): Prompt {
  const open = ({ user, choice }: MethodContext): readonly ServiceKey[] =>
    catalog.names.keys.filter((service) => isPermitted(user, service) && includesService(choice, service));
  return {
    name: 'write_a_reaction',
    title: 'Write a reaction',
    description: 'Write a note that defines what happens on an event in your services, or at a set time',
    arguments: [
      { name: 'request', title: 'Request', description: 'What should happen, and when', required: true },
      {
        name: 'services',
        title: 'Services',
        description: `Which services it is about, such as "${senders.slice(0, 2).join(', ')}"; all by default`,
        required: false,
      },
    ],
    needs: ['vault'],
    complete: async (context, name, typed) =>
      name === 'services' ? completedList(typed, open(context)) : containing(typed, usualRequests),
    messages: ({ request = '', services = '' }, context) => {
      const all = open(context);
      const chosen = chosenOf(services, all);
      const events = eventsText(chosen.filter((service) => senders.includes(service)));
      const text = guide({
        request: request.slice(0, maxRequest),
        folder,
        events,
        operations: operationsText(catalog, chosen),
      });
      return [{ role: 'user', content: { type: 'text', text } }];
    },
  };
}

/** What reactions often do, to begin a request with. */
const usualRequests = [
  'When a deal is won, write a note about it',
  'When a contract is completed, add it to the daily note',
  'When an issue is closed, log it in the note of its project',
  'Every Monday, write a note of the open deals',
];

/** Completes the last of a list of services, which commas separate, with those that it does not have yet. */
function completedList(typed: string, all: readonly ServiceKey[]): readonly string[] {
  const [, before = '', last = ''] = /^(.*[\s,])?([^\s,]*)$/s.exec(typed) ?? [];
  const given = before.split(/[\s,]+/);
  return all.filter((service) => service.startsWith(last) && !given.includes(service)).map((one) => `${before}${one}`);
}

/** The services that the user names; all of them when they name none. Throws `RpcError` for one that is not there. */
function chosenOf(text: string, all: readonly ServiceKey[]): readonly ServiceKey[] {
  const named = text.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = named.filter((name) => !all.includes(name)).slice(0, maxUnknown);
  if (unknown.length === 0) return named.length === 0 ? all : all.filter((service) => named.includes(service));
  const errors = unknown.map((given) => unknownValue(['services'], { title: 'service', given, known: all }));
  throw new RpcError(rpcCodes.invalidParams, errorsText(errors), { reason: 'invalid_input', details: errors });
}

/** The maximum number of unknown services that are reported. */
const maxUnknown = 10;

type Parts = Readonly<{ request: string; folder: string; events: string; operations: string }>;

function guide({ request, folder, events, operations }: Parts): string {
  return `Write a reaction, a note of the vault that this server runs, for this request:
${request}

An example of its format:
${formatGuide(folder)}

Events, with the fields that always have these names; other fields are as the service sends them:
${events}

Operations, with required inputs marked by *:
${operations}

1. Ask me what the request leaves open: which event, which note, what it should run once for.
2. Write the note to ${folder}/<name>.md with vault_note_write, with \`reaction: dry\`.
3. Read the note again after a few seconds: \`reaction_status\` says ok, or the error with its line. Fix it until it says ok.
4. Read the resource portolan://reactions/${folder}/<name>.md: it lists what deliveries did, or would have done.
5. Show me that. Only when I agree set \`reaction: on\`; say whether an administrator has to allow its calls on /approvals.`;
}
