import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notePath, notePathWith, safeName } from '#domain/notes/note-path.ts';

const template = 'Issues/{identifier} {title}.md';

describe('a note’s path', () => {
  it.each([
    ['ENG-7', 'Fix login', 'Issues/ENG-7 Fix login.md'],
    ['ENG-7', null, 'Issues/ENG-7.md'],
    ['ENG-7', 'a/b\\c: "d" <e> |f| #g ^h [[i]] *?', 'Issues/ENG-7 a b c d e f g h i.md'],
    ['ENG-7', '../../etc/passwd', 'Issues/ENG-7 .. .. etc passwd.md'],
    ['..', '..', 'Issues/Issue 1.md'],
    ['', '', 'Issues/Issue 1.md'],
    [null, '/ \u200b?.', 'Issues/Issue 1.md'],
    ['ENG-7', '***', 'Issues/ENG-7.md'],
    ['ENG-7', 'ends in dots...', 'Issues/ENG-7 ends in dots.md'],
    ['ENG-7', 'two\nlines\u0000', 'Issues/ENG-7 two lines.md'],
    ['ENG-7', '100% done, %2e%2e', 'Issues/ENG-7 100% done, 2e 2e.md'],
    ['ENG-7', 'right\u202eto\u200bleft', 'Issues/ENG-7 righttoleft.md'],
    ['ENG-7', '👨\u200d👩\u200d👧 at\u200d home\u200d', 'Issues/ENG-7 👨\u200d👩\u200d👧 at home.md'],
    ['ENG-7', '👨\u200d', 'Issues/ENG-7 👨.md'],
    ['con', '', 'Issues/_con.md'],
    ['ENG-7', '{identifier}', 'Issues/ENG-7 {identifier}.md'],
    ['ENG-7', 'Größe 日本 🎉', 'Issues/ENG-7 Größe 日本 🎉.md'],
  ])('of %j and %j is %j (NOTE-001)', (identifier, title, path) => {
    expect(notePath(template, { identifier, title }, 'Issue 1')).toBe(path);
  });

  it('never leaves its folder, whatever the record is called (NOTE-001)', () => {
    const unsafe = /[\\:*?"<>|#^[\]\p{Cc}]|(?!\u200d)\p{Cf}/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (identifier, title) => {
        const path = notePath(template, { identifier, title }, 'Issue 1');
        const names = path.split('/');
        expect(names).toHaveLength(2);
        expect(names[0]).toBe('Issues');
        expect(path).toMatch(/[^. /][^/]*\.md$/);
        expect(path).not.toMatch(unsafe);
        expect(Buffer.byteLength(names[1] ?? '')).toBeLessThan(200);
        expect(path.isWellFormed()).toBe(true);
      }),
    );
  });

  it('stays the same when it is already safe', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => safeName(safeName(name)) === safeName(name)));
  });

  it.each([
    ['Deals/{title}.md', 'Deals/Deal 42.md'],
    ['{title}/{title} ({id}).md', 'Deal 42/(42).md'],
    ['Deals/{title} {title} of us.md', 'Deals/Deal 42 of us.md'],
    ['Deals/Sold {title}.md', 'Deals/Sold Deal 42.md'],
  ])('from %j uses the id if the title leaves nothing (NOTE-001)', (template, path) => {
    for (const title of ['', '  ', '.', '/\\:*?', null])
      expect(notePath(template, { id: '42', title }, 'Deal 42')).toBe(path);
  });

  it('by the id contains only a file name', () => {
    expect(notePath('Deals/{title}.md', { title: '' }, 'Deal ../{title}$&')).toBe('Deals/Deal .. $&.md');
  });

  it('is shortened between characters, not within one', () => {
    expect(safeName('🎉'.repeat(100))).toBe('🎉'.repeat(45));
  });

  it('has a remark before its extension', () => {
    expect(notePathWith('Issues/ENG-7 Fix login.md', 'a7c0/f1')).toBe('Issues/ENG-7 Fix login (a7c0 f1).md');
  });
});
