import type { Prompt } from '#adapters/mcp/prompts/prompt.ts';
import type { Content } from '#adapters/mcp/protocol/messages.ts';
import { redDot } from '#test/conformance/fixture-tool.ts';

const user = (content: Content) => ({ role: 'user', content }) as const;
const text = (words: string) => user({ type: 'text', text: words });

const prompt = (name: string, args: readonly string[], messages: Prompt['messages']): Prompt => ({
  name,
  title: name,
  description: `What the conformance suite calls ${name}.`,
  arguments: args.map((arg) => ({ name: arg, description: `The argument ${arg}`, required: true })),
  needs: [],
  complete: async (_, __, typed) => [`${typed}ris`, `${typed}ty`],
  messages,
});

/** The prompts of the suite. */
export const fixturePrompts: readonly Prompt[] = [
  prompt('test_simple_prompt', [], () => [text('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) => [
    user({
      type: 'resource',
      resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
    }),
    text('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [
    user({ type: 'image', data: redDot, mimeType: 'image/png' }),
    text('Please analyze the image above.'),
  ]),
  prompt('test_input_required_result_prompt', [], async (_, { client }) => {
    const params = {
      message: 'What context should the prompt use?',
      requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
    };
    const answers = await client.ask({ user_context: { method: 'elicitation/create', params } });
    return [text(`Use this context: ${JSON.stringify(answers['user_context'])}`)];
  }),
];
