import { describe, expect, it } from 'vitest';
import { quotedMarkdown } from '#domain/notes/quoted-markdown.ts';

const quoted = (text: string) =>
  quotedMarkdown(text)
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n');

describe('untrusted Markdown', () => {
  it('is written as a quotation', () => {
    expect(quotedMarkdown('# Title\r\n\r\n## History\n- forged ^evt-1\n')).toBe(
      '> \\# Title\n>\n> \\#\\# History\n> - forged \\^evt-1',
    );
    expect(quotedMarkdown(' \n ')).toBe('');
  });

  it.each([
    'Steps to see it:\n\n1. Open the page\n2. Press **Save**, _twice_\n   - at once\n\n> She said: no way!',
    'See https://tracker.example/a_b?c=d&e=f#/g_h (or http://x.example), 100% sure: R&D & co. | a = b - c {x} ~5 C#',
    '```ts\nconst a: Map<string, number[]> = f`x`;\n```',
    '| a | b |\n|---|---|\n| 1 | 2 |',
  ])('is left unchanged if nothing in it is active: %j', (text) => {
    expect(quoted(text)).toBe(text);
  });

  it.each([
    ['<script>alert(1)</script>', '\\<script>alert(1)\\</script>'],
    ['<!-- gone -->', '\\<!-- gone -->'],
    ['<javascript:alert(1)>', '\\<javascript:alert(1)>'],
    ['&lt;b&gt; &#60;', '\\&lt;b\\&gt; \\&\\#60;'],
    ['[[Secret]] ![[Secret]]', '\\[\\[Secret]] !\\[\\[Secret]]'],
    ['![x](https://x.example/p.png)', '!\\[x](https://x.example/p.png)'],
    ['[x](javascript:alert(1))', '\\[x](javascript:alert(1))'],
    ['[x]: javascript:alert(1)', '\\[x]: javascript:alert(1)'],
    ['<% tp.x %>', '\\<\\% tp.x \\%>'],
    ['<%* y -%>', '\\<\\%* y -\\%>'],
    ['`= this.x` and `$= dv`', '\\`= this.x\\` and \\`\\$= dv\\`'],
    ['status:: done', 'status\\:\\: done'],
    ['[due:: 2026-01-01]', '\\[due\\:\\: 2026-01-01]'],
    ['%% hidden %%', '\\%\\% hidden \\%\\%'],
    ['obsidian://open?vault=x', 'obsidian\\://open?vault=x'],
    ['- [ ] task', '- \\[ ] task'],
    ['> [!danger] x', '> \\[!danger] x'],
    ['$$x$$', '\\$\\$x\\$\\$'],
    ['#tag and C#', '\\#tag and C#'],
    ['text ^block', 'text \\^block'],
    ['---\nadmin: true\n---', '\\---\nadmin: true\n\\---'],
    ['Title\n===', 'Title\n\\==='],
    ['Title\n-', 'Title\n\\-'],
    ['{{date}}', '\\{\\{date}}'],
    ['> ```dataviewjs\n> evil()\n> ```', '> \\`\\`\\`dataviewjs\n> evil()\n> \\`\\`\\`'],
    ['> ~~~dataviewjs', '> \\~\\~\\~dataviewjs'],
    ['already \\[escaped\\] and \\\\[not', 'already \\[escaped\\] and \\\\\\[not'],
    ['\\<% \\:: \\%% \\{{', '\\<\\% \\:\\: \\%\\% \\{\\{'],
    ['C:\\dir', 'C:\\\\dir'],
    ['<https://x.example/a>', 'https://x.example/a'],
    ['https://x.example/<img src=x>', 'https://x.example/%3Cimg src=x>'],
    ['https://x.example/[[a]]`b`<%%', 'https://x.example/%5B%5Ba]]%60b%60%3C%25%25'],
    ['[https://x.example](https://x.example)', '\\[https://x.example](https://x.example)'],
    ['www.x.example/<b>', 'www\\.x.example/\\<b>'],
  ])('is displayed as it was typed: %j', (text, inert) => {
    expect(quoted(text)).toBe(inert);
  });

  it.each(['dataview', 'dataviewjs', 'templater', 'tasks', 'query', 'mermaid', 'button', 'js-engine', 'constructor'])(
    'keeps a block of %s as text, under its name',
    (language) => {
      expect(quoted(`Look:\n\`\`\`${language}\n<b>\n\`\`\`\nend`)).toBe(`Look:\n${language}\n\`\`\`\n<b>\n\`\`\`\nend`);
      expect(quoted(`~~~ ${language.toUpperCase()}\nx`)).toBe(`${language.toUpperCase()}\n\`\`\`\nx\n\`\`\``);
    },
  );

  it.each([
    ['```js dataviewjs\nx\n```', '```js\nx\n```'],
    ['```html\n<b>\n```', '```xml\n<b>\n```'],
    ['```\nno end', '```\nno end\n```'],
    ['````\n```dataviewjs\n````', '````\n```dataviewjs\n````'],
    ['~~~\n```\n~~~', '````\n```\n````'],
    ['```erb\n<%= x %>\n```', 'erb\n```\n< %= x %>\n```'],
    ['1. Run\n   ```sh\n   npm i\n     x\n   ```\n2. Wait', '1. Run\n```sh\nnpm i\n  x\n```\n2. Wait'],
    ['- ```js\n  x\n  ```\n- y', '```js\nx\n```\n- y'],
    ['Log:\n\n    at <a>\n\n      at b\n\nend', 'Log:\n\n```\nat <a>\n\n  at b\n```\n\nend'],
    ['a\n    b', 'a\nb'],
    ['- a\n\n    b', '- a\n\n    b'],
  ])('gets new fences around its code: %j', (text, inert) => {
    expect(quoted(text)).toBe(inert);
  });

  it('of a hundred thousand fences is read in one pass', () => {
    expect(quotedMarkdown('```\n'.repeat(100_001)).split('\n')).toHaveLength(100_002);
  });
});
