import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shownText } from '#adapters/http/answers/templates.ts';
import { credentialsOf } from '#adapters/http/middleware/authentication.ts';
import { nameIn } from '#adapters/services/file-answer.ts';
import { givenAddressError } from '#adapters/services/given-address.ts';
import { checkInput } from '#adapters/services/input-errors.ts';
import { readError as salesCrmError } from '#adapters/services/sales-crm/errors.ts';
import { boundedCoql, coqlError, coqlText, hasBounds } from '#adapters/services/suite-crm/inputs/coql.ts';
import { criteriaError, criteriaText, escapeCriteriaValue } from '#adapters/services/suite-crm/inputs/criteria.ts';
import { textOf } from '#adapters/services/tracker/errors.ts';
import { folderPath } from '#adapters/services/vault/inputs.ts';
import { parsedTime } from '#adapters/services/webhook-time.ts';
import { readTemplate } from '#adapters/templates/read-template.ts';
import { hasBlockId, withDatedLine } from '#domain/notes/dated-lines.ts';
import { inertFrontmatter } from '#domain/notes/inert-frontmatter.ts';
import { inlineText, linkTo } from '#domain/notes/markdown-text.ts';
import { notePath, safeName } from '#domain/notes/note-path.ts';
import { headingsOf } from '#domain/notes/outline.ts';
import { quotedMarkdown } from '#domain/notes/quoted-markdown.ts';
import { partyOfPerson } from '#domain/parties/party.ts';
import { dealHistory } from '#domain/reactions/deal-history.ts';
import { nearestName } from '#domain/text/nearest-name.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import { maskedBody } from '#domain/webhooks/masked-body.ts';
import { readCertificate } from '#infrastructure/http/peer-certificate.ts';
import { retryAfterMs } from '#infrastructure/http/retry.ts';
import { frontmatterBlock } from '#infrastructure/yaml/yaml-entry.ts';
import { casesOf } from '#test/support/form.ts';
import { costOfGrowth } from '#test/support/measures/cost-of-growth.ts';

// Text from outside is read in time that grows as it does: whoever sends much waits, and nobody else does.

/** Texts in which a pattern that tries again at every character, or divides a run in every way, is lost. */
const pieces: readonly string[] = [
  ' ',
  '\n',
  '\t',
  '/',
  ';',
  '<',
  '<a ',
  '[',
  '](',
  '[[',
  '`',
  '` ',
  '```\n',
  '~',
  '*',
  '_',
  '_id_',
  '-',
  '--- ',
  '---\n',
  '\\',
  '%',
  '{',
  '{{',
  '&',
  '&a',
  '&#',
  ':',
  '::',
  '"',
  "'",
  '(',
  '"\'',
  '=',
  '.',
  '0',
  '1.',
  '- ',
  '> ',
  '    a\n\n',
  'a ',
  'http://',
  '<http://a',
  'www.',
  '\u0323\u0301',
  '\u200b',
  '\ud800',
  '^a ',
  '[a]: x  ',
  'token= ',
  'filename=" ',
  '-----BEGIN CERTIFICATE-----',
];
/** The same text with what a search from its end, or for its end, stumbles over. */
const ends: readonly (readonly [string, string])[] = [
  ['', ''],
  ['a', 'a'],
  ['a', '\n'],
  ['[a]: x', 'y'],
  ['<', '"'],
];

const hostile =
  (piece: string, [start, end]: readonly [string, string]) =>
  (size: number) =>
    start + piece.repeat(Math.ceil(size / piece.length)) + end;

const record = z.strictObject({ title: z.string(), stage_id: z.number().optional(), email: z.email().optional() });
const none = () => null;
const readers: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['a name in a note', inlineText],
  ['a quotation', quotedMarkdown],
  ['a link', (text) => [linkTo(text, `https://x.example/${text}`)]],
  ['frontmatter that is made inert', (text) => inertFrontmatter({ text })],
  ['frontmatter as YAML', (text) => frontmatterBlock({ title: text, [text]: [text] })],
  ['a path', (text) => notePath('Issues/{title}.md', { title: text }, 'Issue 1')],
  ['a file name', safeName],
  ['a mark in a note', (text) => hasBlockId(`${text} ^event\n^event${text}`, 'event')],
  ['a dated line', (text) => withDatedLine(`## History\n${text}`, 'History', '- 2026-01-01 00:00 UTC: x')],
  ['the headings of a note', headingsOf],
  ['a template', (text) => readTemplate('issue', `---\npath: "{title}.md"\n---\n${text}`)],
  ['a person', (text) => partyOfPerson({ kind: 'person', id: '1', name: text } as never)],
  ['the fields of a deal', (text) => dealHistory({ previous: { [text]: 1 }, current: { [text]: 2 } }, none)],
  ['a wrong name', (text) => nearestName(text, ['title', 'stage_id', 'owner'], ['title'])],
  ['arguments', (text) => checkInput(record, { title: 1, stage_id: text, email: text, [text]: text })],
  ['COQL', (text) => [coqlError(`select ${text}`), hasBounds(text), boundedCoql(text, { limit: 1, offset: 0 })]],
  ['criteria', (text) => [criteriaError(text), escapeCriteriaValue(text)]],
  ['a folder', (text) => folderPath(text)],
  ['an address', (text) => [givenAddressError(`https://${text}`), givenAddressError(`https://x/${text}`)]],
  ['a refusal of the sales CRM', (text) => salesCrmError({ status: 400 }, { error: text, errors: { [text]: text } })],
  ['a refusal of the tracker', (text) => textOf({ message: text })],
  ['a file name of a header', nameIn],
  ['a wait that is told', (text) => retryAfterMs({ 'retry-after': text }, 0)],
  ['a time that is told', parsedTime],
  ['a delivery that is shown', (text) => maskedBody(JSON.stringify({ [text]: text }), ['secret-text'])],
  ['a certificate', readCertificate],
  ['a text on a page', shownText],
  ['a cookie', (text) => credentialsOf({ cookie: text })],
  ['a bearer', (text) => credentialsOf({ authorization: `Bearer ${text}` })],
  ['the end of an address', (text) => withoutEnd(text, '/')],
];

describe('the work for a text from outside grows as the text does', () => {
  it.each(readers)('%s', (_, read) => {
    const lost = pieces.flatMap((piece, at) =>
      // Each text alone; of the ways in which it can end, one by turn in the short form.
      casesOf(ends, (end) => end === ends[0] || ends.indexOf(end) === 1 + (at % (ends.length - 1))).flatMap((end) => {
        const growth = costOfGrowth(read, hostile(piece, end));
        return growth < 12 ? [] : [`${JSON.stringify([end[0], piece, end[1]])}: ${Math.round(growth)} times`];
      }),
    );
    expect(lost).toEqual([]);
  });

  it('a condition of many comparisons', () => {
    const conditionOf = (size: number) => ({
      all: Array.from({ length: size / 16 }, () => ({ field: 'Name', operator: 'equals' as const, value: "O'(" })),
    });
    expect(costOfGrowth((where) => coqlText({ select: ['id'], from: 'Deals', where }), conditionOf)).toBeLessThan(12);
    expect(costOfGrowth(criteriaText, conditionOf)).toBeLessThan(12);
  });

  it('many arguments that nothing has', () => {
    const inputOf = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`no${index}`, 1]));
    expect(costOfGrowth((input) => checkInput(record, input), inputOf)).toBeLessThan(12);
  });
});
