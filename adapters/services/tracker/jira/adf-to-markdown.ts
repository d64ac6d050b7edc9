import { inlineMarkdown, textWithin } from '#adapters/services/tracker/jira/adf-inline.ts';
import { type AdfNode, adfNodeOf, mediaScheme, panels } from '#adapters/services/tracker/jira/adf-nodes.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Converts a document to Markdown that `toAdf` converts back to it. A text is returned unchanged (webhooks have texts in
 * place of documents), and what is no document is null. Nodes of unknown kinds become the text within them.
 */
export function toMarkdown(document: unknown): string | null {
  if (typeof document === 'string') return document;
  const node = adfNodeOf(document);
  return node === null ? null : blocks(node.content ?? []);
}

/** Blocks one below the other. Of two lists of the same kind, the second gets other markers, or they would be one. */
function blocks(nodes: readonly AdfNode[], glue = '\n\n'): string {
  let isOther = false;
  let last = '';
  let whole = '';
  for (const node of nodes) {
    const kind = node.type === 'taskList' ? 'bulletList' : node.type;
    isOther = kind === last && !isOther;
    const text = block(node, isOther);
    if (text === '') continue;
    last = kind;
    const isTight = glue === '\n' && /^(?:[-*]|1[.)]) \S/.test(text);
    whole += whole === '' ? text : `${isTight ? '\n' : '\n\n'}${text}`;
  }
  return whole;
}

function block(node: AdfNode, isOther: boolean): string {
  const { type, attrs = {}, content = [] } = node;
  switch (type) {
    case 'paragraph':
    case 'taskItem':
    case 'decisionItem':
    case 'caption':
      return inlineMarkdown(content, 'paragraph');
    case 'heading':
      return `${'#'.repeat(Math.min(6, Math.max(1, Number(attrs['level']) || 1)))} ${inlineMarkdown(content, 'heading')}`;
    case 'bulletList':
    case 'decisionList':
      return items(content, () => (isOther ? '* ' : '- '));
    case 'orderedList':
      return items(content, (index) => `${startOf(attrs['order']) + index}${isOther ? ')' : '.'} `);
    case 'taskList':
      return tasks(content, isOther ? '* ' : '- ');
    case 'codeBlock':
      return codeBlock(node);
    case 'blockquote':
      return quoted(blocks(content));
    case 'panel': {
      const word = own(panels, String(attrs['panelType'])) ?? panels['info'];
      return quoted(`[!${word}]\n\n${blocks(content)}`);
    }
    case 'rule':
      return '---';
    case 'table':
      return table(content);
    case 'media':
      return media(node);
    case 'expand':
    case 'nestedExpand':
      return blocks([
        {
          type: 'paragraph',
          content: [
            {
              type: 'text',
              text: typeof attrs['title'] === 'string' ? attrs['title'] : '',
              marks: [{ type: 'strong' }],
            },
          ],
        },
        ...content,
      ]);
    default:
      return content.some(isBlock) ? blocks(content) : inlineMarkdown([node], 'paragraph');
  }
}

const lineKinds = [
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'inlineCard',
  'date',
  'status',
  'mediaInline',
  'placeholder',
];
const isBlock = ({ type }: AdfNode) => !lineKinds.includes(type);

/** The number of the first item: nine digits at most. */
const startOf = (order: unknown) =>
  Number.isInteger(order) && Number(order) >= 0 ? Math.min(Number(order), 99_999_999) : 1;

function items(nodes: readonly AdfNode[], marker: (index: number) => string): string {
  return nodes.map((item, index) => indented(itemText(item), marker(index))).join('\n');
}

/** The text of an item. One that begins with a list gets a blank first line: three markers in a row are a rule. */
function itemText({ type, content = [] }: AdfNode): string {
  const text = type === 'listItem' ? blocks(content, '\n') : inlineMarkdown(content, 'paragraph');
  return /^(?:[-*]|\d+[.)])(?: |$)/.test(text) ? `&#32;\n\n${text}` : text;
}

/** Tasks; a list of tasks within is below the task before it. */
function tasks(nodes: readonly AdfNode[], marker: string): string {
  const lines = nodes.map((node) => {
    if (node.type === 'taskList')
      return indented(`\0${tasks(node.content ?? [], '- ')}`, '  ').replace(/^ {2}\0/, '  ');
    const box = node.attrs?.['state'] === 'DONE' ? '[x]' : '[ ]';
    return indented(`${box} ${inlineMarkdown(node.content ?? [], 'paragraph')}`, marker);
  });
  return lines.join('\n');
}

/** A block within another: its first line after the marker, the others below that. */
function indented(text: string, marker: string): string {
  const [first = '', ...rest] = text.split('\n');
  const pad = ' '.repeat(marker.length);
  return [`${marker}${first}`.trimEnd(), ...rest.map((line) => (line === '' ? '' : `${pad}${line}`))].join('\n');
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

function codeBlock({ attrs = {}, content = [] }: AdfNode): string {
  const code = content
    .map(({ text = '' }) => text)
    .join('')
    .replaceAll('\r\n', '\n');
  const fence = '`'.repeat(Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const language = typeof attrs['language'] === 'string' ? attrs['language'].replaceAll(/[\s`\\&]+/g, '-') : '';
  return `${fence}${language}\n${code === '' ? '' : `${code}\n`}${fence}`;
}

/** A table, whose first row is its header in Markdown. */
function table(rows: readonly AdfNode[]): string {
  const texts = rows.map(({ content = [] }) => content.flatMap(cells));
  const width = Math.max(0, ...texts.map(({ length }) => length));
  const [header, ...rest] = texts.map(
    (row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`,
  );
  return header === undefined || width === 0 ? '' : [header, `|${' --- |'.repeat(width)}`, ...rest].join('\n');
}

/** A cell, and an empty one for each further column that it spans. */
function cells({ attrs = {}, content = [] }: AdfNode): readonly string[] {
  const lines = content.map((node) => inlineMarkdown(linesIn(node), 'cell').replaceAll('|', '\\|'));
  const spans = Math.min(100, Math.max(1, Number(attrs['colspan'] ?? 1) || 1));
  return [lines.filter((line) => line !== '').join('<br>'), ...Array.from({ length: spans - 1 }, () => '')];
}

/** The nodes of all lines in a block, as a table's cell has them. */
function linesIn({ type, text, content = [] }: AdfNode): readonly AdfNode[] {
  if (type === 'codeBlock')
    return [{ type: 'text', text: textWithin({ type, text, content }), marks: [{ type: 'code' }] }];
  if (!content.some(isBlock)) return content;
  return content.flatMap((node, index) => [...(index === 0 ? [] : [{ type: 'hardBreak' }]), ...linesIn(node)]);
}

/** A picture or file: its address, or what Jira knows it by, so that it stays attached when the text is written back. */
function media({ attrs = {} }: AdfNode): string {
  const { url, id, collection, alt } = attrs;
  const about = typeof alt === 'string' ? inlineMarkdown([{ type: 'text', text: alt }], 'cell') : '';
  if (typeof url === 'string') return `![${about}](<${url.replaceAll(/[<>\\\s]/g, encodeURIComponent)}>)`;
  const parts = [id, collection].map((part) => encodeURIComponent(typeof part === 'string' ? part : ''));
  return `![${about}](${mediaScheme}${parts.join('/')})`;
}
