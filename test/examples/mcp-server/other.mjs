import { createInterface } from 'node:readline';

const say = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

const { ADD_DESCRIPTION: description = 'Adds two numbers' } = process.env;
const number = { type: 'number' };
const inputSchema = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
const tools = [
  { name: 'add', description, inputSchema, annotations: { readOnlyHint: true } },
  { name: 'variables', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const serverInfo = { name: 'other', version: '1.0.0' };
  if (method === 'initialize') say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
  if (method === 'tools/list') say(id, { tools });
  if (method !== 'tools/call') return;
  const { name, arguments: given } = params;
  say(id, text(name === 'add' ? given.a + given.b : Object.keys(process.env).toSorted().join(' ')));
});
