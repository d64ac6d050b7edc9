import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { findHeading } from '#domain/notes/heading.ts';
import { inlineText, linkTo, quotedMarkdown } from '#domain/notes/markdown-text.ts';
import { fillBody } from '#domain/notes/templates.ts';

describe('untrusted text on a line', () => {
  it('shows links, tags, block ids and HTML as they were typed', () => {
    expect(inlineText('[[a]] #b ^c <d>\n`e`')).toBe('\\[\\[a\\]\\] \\#b \\^c \\<d\\> \\`e\\`');
  });

  it('is plain text to a Markdown reader, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [paragraph, ...others] = fromMarkdown(`- 12:53: ${inlineText(text)} end`).children;
        expect(others).toEqual([]);
        expect(JSON.stringify(paragraph)).not.toMatch(/"type":"(link|image|html|emphasis|strong|inlineCode|heading)"/);
      }),
    );
  });
});

describe('untrusted Markdown', () => {
  it('stands in a quotation', () => {
    expect(quotedMarkdown('# Title\r\n\r\n## History\n- forged ^evt-1\n')).toBe(
      '> # Title\n>\n> ## History\n> - forged ^evt-1',
    );
    expect(quotedMarkdown(' \n ')).toBe('');
  });

  it('never gets out of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const line of quotedMarkdown(text).split(/[\n\r\u0085\u2028\u2029]/)) expect(line).toMatch(/^(>.*)?$/su);
      }),
    );
  });
});

describe('a link', () => {
  it.each([
    ['ENG-7', 'https://tracker.example/a', '[ENG-7](<https://tracker.example/a>)'],
    ['ENG-7', 'https://tracker.example/a>) [x](y', '[ENG-7](<https://tracker.example/a%3E)%20[x](y>)'],
    ['ENG-7', 'javascript:alert(1)', 'ENG-7'],
    ['ENG-7', 'no address', 'ENG-7'],
    ['ENG-7', null, 'ENG-7'],
    ['a](b', 'https://tracker.example/', '[a\\](b](<https://tracker.example/>)'],
  ])('of %j to %j is %j', (text, url, link) => {
    expect(linkTo(text, url)).toBe(link);
  });
});

describe('a section', () => {
  it('is found by its heading, with the headings above it', () => {
    expect(findHeading('## Notes\n\n## History\n', 'History')).toEqual(['History']);
    expect(findHeading('# Mine\n## Log\n### A\n## Other\n### History ###\n', 'History')).toEqual([
      'Mine',
      'Other',
      'History',
    ]);
    expect(findHeading('# Mine\n# Other\n## History', 'History')).toEqual(['Other', 'History']);
  });

  it('is not found in code or in a quotation', () => {
    expect(findHeading('```\n## History\n```\n~~~~\n```\n## History\n~~~~\n> ## History\n', 'History')).toBeNull();
  });
});

describe('a template', () => {
  it('is filled once: what a value holds is not filled', () => {
    expect(fillBody('{link}\n\n{description}\n\n## Notes\n{unknown}', { link: '{description}', description: '' })).toBe(
      '{description}\n\n## Notes\n',
    );
  });
});
