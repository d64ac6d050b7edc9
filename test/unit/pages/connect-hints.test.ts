import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectHints } from '#adapters/http/home/connect-hints.ts';

const document = readFileSync('docs/clients.md', 'utf8');
const hints = connectHints('https://portolan.example.com/message');
/** JSON as it stands in a document, without what separates it. */
const compact = (text: string): string => text.replaceAll(/\s+/g, '');

it('the document about clients has the steps that the pages show, with their commands and files', () => {
  const texts = hints.flatMap(({ steps }) => steps.flatMap(({ text }) => text ?? []));
  expect(texts.length).toBeGreaterThan(6);
  for (const text of texts) expect([text, compact(document).includes(compact(text))]).toEqual([text, true]);
  for (const { name } of hints) expect(document).toContain(name.split(',')[0]);
});
