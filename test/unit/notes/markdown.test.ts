import { describe, expect, it } from 'vitest';
import { headingFor, placeOfHeading } from '#domain/notes/heading.ts';
import { inlineText, linkTo, webAddress } from '#domain/notes/markdown-text.ts';
import { fillBody } from '#domain/notes/templates.ts';

describe('untrusted text on a line', () => {
  it.each([
    ['[[a]] #b ^c <d>\n`e`', '\\[\\[a\\]\\] \\#b \\^c \\<d\\> \\`e\\`'],
    ['<%* x %>', '\\<\\%\\* x \\%\\>'],
    ['![[a]] ![b](c)', '!\\[\\[a\\]\\] !\\[b\\](c)'],
    ['%%a%% 100%', '\\%\\%a\\%\\% 100\\%'],
    ['key:: value', 'key\\:\\: value'],
    ['obsidian://open?a=b&c=d', 'obsidian\\://open?a=b\\&c=d'],
    ['&lt;b&gt;', '\\&lt;b\\&gt;'],
    ['- [ ] task', '\\- \\[ \\] task'],
    ['+ more', '\\+ more'],
    ['12. twelfth', '12\\. twelfth'],
    ['---', '\\---'],
    ['> [!danger]', '\\> \\[!danger\\]'],
    ['$x$ $$y$$', '\\$x\\$ \\$\\$y\\$\\$'],
    ['{{date}}', '\\{\\{date\\}\\}'],
  ])('%j is displayed as it was typed: %j', (text, inline) => {
    expect(inlineText(text)).toBe(inline);
  });

  it.each(['Fix: login (again), 100% of R & D at 5.0!', 'Größe 日本 🎉', 'a - b = c', 'Price 12.50, +3'])(
    'is left unchanged if nothing in it is active: %j',
    (text) => {
      expect(inlineText(text)).toBe(text);
    },
  );
});

describe('a link', () => {
  it.each([
    ['ENG-7', 'https://tracker.example/a', '[ENG-7](<https://tracker.example/a>)'],
    ['ENG-7', 'https://tracker.example/a>) [x](y', '[ENG-7](<https://tracker.example/a%3E)%20%5Bx%5D(y>)'],
    ['ENG-7', 'javascript:alert(1)', 'ENG-7'],
    ['ENG-7', 'obsidian://open?vault=x', 'ENG-7'],
    ['ENG-7', 'data:text/html,x', 'ENG-7'],
    ['ENG-7', 'no address', 'ENG-7'],
    ['ENG-7', null, 'ENG-7'],
    ['a](b', 'https://tracker.example/', '[a\\](b](<https://tracker.example/>)'],
  ])('with the text %j to %j is %j', (text, url, link) => {
    expect(linkTo(text, url)).toBe(link);
  });

  it.each([
    ['https://x.example/a?b=c&d=e#f', 'https://x.example/a?b=c&d=e#f'],
    ['https://x.example/<%25 %>?[[y]]#`z`', 'https://x.example/%3C%25%20%25%3E?%5B%5By%5D%5D#%60z%60'],
    ['https://x.example/a::b%%', 'https://x.example/a:%3Ab%25%25'],
    ['https://x.example/?a&lt;b', 'https://x.example/?a%26lt;b'],
  ])('to %j contains only an address', (url, address) => {
    expect(webAddress(url)).toBe(address);
    expect(webAddress(address)).toBe(address);
  });
});

describe('a section', () => {
  const found = (path: readonly string[] | null) => ({ ok: true, value: path });

  it('is found by its heading, with the headings above it', () => {
    expect(headingFor('## Notes\n\n## History\n', 'History')).toEqual(found(['History']));
    const nested = '# Mine\n## Log\n### A\n## Other\n### History ###\n';
    expect(headingFor(nested, 'History')).toEqual(found(['Mine', 'Other', 'History']));
    expect(headingFor('# Mine\n# Other\n## History', 'History')).toEqual(found(['Other', 'History']));
  });

  it('is not found in code, in a quotation or in the frontmatter', () => {
    const hidden = '```\n## History\n```\n~~~~\n```\n## History\n~~~~\n> ## History\n';
    expect(headingFor(hidden, 'History')).toEqual(found(null));
    expect(headingFor('---\n# Mine\nkey: 1\n---\n## History\n', 'History')).toEqual(found(['History']));
  });

  it('of several is the one under the title of the note, else none of them (REACT-017)', () => {
    const others = '# Other\n## Log\n### History\n';
    expect(headingFor(`# Deal\n## History\n${others}`, 'History')).toEqual(found(['Deal', 'History']));
    const refused = { ok: false, failure: { reason: 'ambiguous-target' } };
    expect(headingFor(`# Deal\n## History\n## History\n${others}`, 'History')).toMatchObject(refused);
    expect(headingFor(`${others}## Notes\n### History\n`, 'History')).toMatchObject(refused);
  });

  it('that is missing is created under the title of the note', () => {
    expect(placeOfHeading('---\n# no title\n---\n\n# Deal\n\n## Notes\n', 'History')).toEqual(['Deal', 'History']);
    expect(placeOfHeading('## Notes\n', 'History')).toBeNull();
  });
});

describe('a template', () => {
  it('is filled in once: a value is not filled in again', () => {
    expect(fillBody('{link}\n\n{description}\n\n## Notes\n{unknown}', { link: '{description}', description: '' })).toBe(
      '{description}\n\n## Notes\n',
    );
  });

  it('starts a quotation on a line of its own', () => {
    expect(fillBody('Text: {description}\n', { description: '> a\n> b' })).toBe('Text: \n> a\n> b\n');
    expect(fillBody('{description}{constructor}', { description: '> a' })).toBe('> a');
  });
});
