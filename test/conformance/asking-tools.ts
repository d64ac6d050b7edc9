import type { ClientRequest, ClientRequests } from '#adapters/mcp/protocol/client-requests.ts';
import { missingCapability } from '#adapters/mcp/protocol/input-required.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { fixtureTool, said } from '#test/conformance/fixture-tool.ts';

const elicit = (message: string, properties: object, required: readonly string[] = []): ClientRequest => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});

const sample = (text: string): ClientRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 },
});

const roots: ClientRequest = { method: 'roots/list', params: {} };
const askName = elicit('What is your name?', { name: { type: 'string' } }, ['name']);
const confirm = elicit('Please confirm', { ok: { type: 'boolean' } }, ['ok']);

/** Asks, and returns the answer; an error of the tool when the client cannot be asked. */
async function ask({ client }: ToolCall, requests: ClientRequests, state?: string): Promise<ToolResult> {
  const methods = Object.values(requests).map(({ method }) => method);
  if (client === undefined) return { ...said('There is nobody to ask.'), isError: true };
  if (client.state === null && !client.can(...methods)) throw missingCapability(methods);
  const answers = await client.ask(requests, state);
  return said(`state-ok ${JSON.stringify(answers)}`);
}

const asks = (name: string, requests: ClientRequests, state?: string): Tool =>
  fixtureTool(name, (_, call) => ask(call, requests, state));

const titled = (first: string, ...values: readonly string[]) =>
  values.map((value, place) => ({ const: value, title: `${first} ${place + 1}` }));
const options = ['option1', 'option2', 'option3'];

/** The tools of the suite that ask the client for something. */
export const askingTools: readonly Tool[] = [
  fixtureTool('test_sampling', async ({ prompt }, call) => ask(call, { answer: sample(String(prompt)) }), ['prompt']),
  fixtureTool(
    'test_elicitation',
    async ({ message }, call) =>
      ask(call, {
        answer: elicit(
          String(message),
          {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          },
          ['username', 'email'],
        ),
      }),
    ['message'],
  ),
  asks('test_elicitation_sep1034_defaults', {
    answer: elicit('Who are you?', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  }),
  asks('test_elicitation_sep1330_enums', {
    answer: elicit('Choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled('Option', 'value1', 'value2', 'value3') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice', 'value1', 'value2', 'value3') } },
    }),
  }),
  asks('test_missing_capability', { answer: sample('Anything') }),
  asks('test_streaming_elicitation', { answer: askName }),
  asks('test_input_required_result_elicitation', { user_name: askName }),
  asks('test_input_required_result_sampling', { capital_question: sample('What is the capital of France?') }),
  asks('test_input_required_result_list_roots', { client_roots: roots }),
  asks('test_input_required_result_request_state', { confirm }, 'kept'),
  asks('test_input_required_result_tampered_state', { confirm }, 'kept'),
  asks(
    'test_input_required_result_multiple_inputs',
    { user_name: askName, greeting: sample('Generate a greeting'), client_roots: roots },
    'kept',
  ),
  fixtureTool('test_input_required_result_capabilities', async (_, call) => {
    const all: ClientRequests = { user_name: askName, greeting: sample('Generate a greeting') };
    const can = Object.entries(all).filter(([, { method }]) => call.client?.can(method));
    return ask(call, Object.fromEntries(can));
  }),
  fixtureTool('test_input_required_result_multi_round', async (_, call) => {
    const { client } = call;
    if (client === undefined || client.state === null) return ask(call, { step1: askName }, 'round 2');
    if (client.state === 'round 2') {
      return ask(
        call,
        { step2: elicit('What is your favourite colour?', { color: { type: 'string' } }, ['color']) },
        'round 3',
      );
    }
    return said(`Done after ${client.state}.`);
  }),
];
