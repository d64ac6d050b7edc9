import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { quotedMarkdown } from '#domain/notes/quoted-markdown.ts';
import { rounds } from '#test/support/form.ts';

type Node = Readonly<{
  type: string;
  url?: string | undefined;
  lang?: string | null | undefined;
  checked?: boolean | null | undefined;
  children?: readonly Node[] | undefined;
}>;

/** Every node of a text, as a Markdown reader of another make has it. */
function nodesIn(markdown: string): readonly Node[] {
  const below = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(below)];
  return below(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
}

const liveInText =
  /<%|%%|!\[|\[\[|(?<!\\)\[|(?<!\\)`|(?<!\\)<|(?<!\\)\$|::|\{\{|(?:^|\s)\^|(?:^|\s)#|(?<!https?|\\):\/\/|&#?\w+;(?<!\\&#?\w+;)/i;

/** Pieces that mean something, alone or next to one another, and what makes and breaks lines, lists and quotations. */
const meaningful = String.raw`
< % <% %> <%* [ ] [[ ]] ![[ ![ ]( ) ~ ~~~ $ $$ = == $= : :: \ \\ ^ ^evt-0 # ## #␣ -␣ *␣ +␣ 1.␣ >␣ > --- === ␣␣␣␣ ␣ & &lt; &#60; ; { {{
<script> </script> <!-- --> <img␣src=x> javascript: obsidian:// https://x.example/ <https://y.example/ www. // dataviewjs dataview query js
key::␣v [x] [␣] [!note] | |-| * _ a é 1`;
const blanks = ['\n', '\n\n', '\r\n', '\t', '\u2028', '`', '``', '```', '````'];
const pieces = fc.oneof(
  fc.constantFrom(
    ...meaningful
      .trim()
      .split(/\s/)
      .map((piece) => piece.replaceAll('␣', ' ')),
    ...blanks,
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));

describe('untrusted text on a line', () => {
  it('is plain text to a Markdown reader, whatever it contains and wherever it is placed (NOTE-005)', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('', '- 12:53: ', '# ', '> ', '1. '), (text, before) => {
        const inline = inlineText(text);
        const kinds = new Set(
          nodesIn(`${before}x${inline} end`)
            .concat(nodesIn(inline))
            .map(({ type }) => type),
        );
        for (const plain of ['root', 'paragraph', 'heading', 'text', 'list', 'listItem', 'blockquote'])
          kinds.delete(plain);
        // The reader finds addresses in the text that it has read, past any escape; bare ones of the web do no harm.
        kinds.delete('link');
        expect([...kinds]).toEqual([]);
        expect(nodesIn(inline).filter(({ type }) => ['heading', 'list', 'blockquote'].includes(type))).toEqual([]);
        expect(inline).not.toMatch(liveInText);
      }),
      { numRuns: rounds(300, 1_000) },
    );
  });

  it('stays plain next to other such text', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        expect(inlineText(left) + inlineText(right)).not.toMatch(/<%|%%|::|\[\[|!\[/);
      }),
    );
  });
});

describe('untrusted Markdown', () => {
  const harmless = new Set(
    'root blockquote paragraph text list listItem emphasis strong delete break thematicBreak code table tableRow tableCell'.split(
      ' ',
    ),
  );

  /** What the pieces can spell of the languages that notes apps only highlight, and no language at all. */
  const highlighted = [
    '',
    ...'c r cs go js kt py rb rs sh ts cpp css ini jsx log lua nix php ps1 sql tsx txt xml yml zig zsh'.split(' '),
  ];

  it('contains nothing that a Markdown reader renders as a link, image, heading, task or HTML (NOTE-005)', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { type, url, lang, checked } of nodesIn(quotedMarkdown(text))) {
          if (type === 'link') expect(url).toMatch(/^(?:https?:\/\/|mailto:)/);
          else expect(harmless).toContain(type);
          expect(highlighted).toContain(lang ?? '');
          expect([null, undefined]).toContain(checked);
        }
      }),
      { numRuns: rounds(300, 1_000) },
    );
  });

  it('contains nothing active outside of code, and no command inside it (NOTE-005)', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let fence: string | null = null;
        for (const line of quotedMarkdown(text).split('\n')) {
          expect(line).toMatch(/^(?:>.*)?$/su);
          expect(line).not.toContain('<%');
          const [, mark, language = ''] = /^> (`{3,})(.*)$/.exec(line) ?? [];
          if (mark !== undefined && fence === null) fence = mark;
          else if (mark !== undefined && mark === fence && language === '') fence = null;
          else if (fence === null) expect(line.slice(2)).not.toMatch(liveInText);
        }
        expect(fence).toBeNull();
      }),
      { numRuns: rounds(300, 1_000) },
    );
  });

  it('is one block quotation, which a heading below it ends', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const top = fromMarkdown(`${quotedMarkdown(text)}\n\n## History\n`).children.map(({ type }) => type);
        expect(top.slice(-1)).toEqual(['heading']);
        expect(top.slice(0, -1).every((type) => type === 'blockquote')).toBe(true);
        expect(top.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
