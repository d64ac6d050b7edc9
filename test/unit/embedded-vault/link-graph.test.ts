import { describe, expect, it } from 'vitest';
import { LinkGraph, linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';

it.each([
  ['[[A]] [[b/C|shown]] ![[d.png]] [[E#part|x]]', ['A', 'b/C', 'd.png', 'E']],
  ['[t](a.md) [t](<b c.md>) [t](d%20e.md "title") ![](f.png#x)', ['a.md', 'b c.md', 'd e.md', 'f.png']],
  ['[t](https://a.example) [t](mailto:x@a.example) [t](#part) []()', []],
  ['[[A]] [[A]]', ['A']],
])('the links of %s are found', (text, targets) => {
  expect(linkTargetsOf(text)).toEqual(targets);
});

describe('a link', () => {
  const graph = new LinkGraph();
  for (const path of ['x/Note.md', 'y/deep/Note.md', 'Other.md', 'y/pic.png', 'y/Other.md']) graph.set(path, []);

  it.each([
    ['x/from.md', 'Note', 'x/Note.md'],
    ['y/deep/from.md', 'note', 'y/deep/Note.md'],
    ['from.md', 'Note', 'x/Note.md'],
    ['from.md', 'deep/Note', 'y/deep/Note.md'],
    ['x/from.md', '../Other.md', 'Other.md'],
    ['y/from.md', 'Other', 'y/Other.md'],
    ['y/from.md', '/Other', 'Other.md'],
    ['from.md', 'pic.png', 'y/pic.png'],
    ['from.md', 'pic', null],
    ['from.md', 'Nothing', null],
    ['from.md', '../../../Other', 'Other.md'],
  ])('from %s to %s leads to %s', (source, target, path) => {
    expect(graph.resolved(source, [target])).toEqual(path === null ? [] : [path]);
  });

  it.each([3, 64, 65, 300])('finds its file among %s of one name, also after others were deleted', (count) => {
    const crowd = new LinkGraph();
    const paths = Array.from({ length: count }, (_, n) => `folder/${n}/Readme.md`);
    for (const path of paths) crowd.set(path, []);
    for (const path of paths) expect(crowd.resolved('', [path.slice(0, -3)])).toEqual([path]);
    expect(crowd.resolved('folder/2/a.md', ['readme'])).toEqual(['folder/2/Readme.md']);
    expect(crowd.resolved('', ['2/README.md'])).toEqual(['folder/2/Readme.md']);
    for (const path of paths.slice(1)) crowd.remove(path);
    expect(crowd.resolved('', ['Readme', '1/Readme'])).toEqual(['folder/0/Readme.md']);
    crowd.remove('folder/0/Readme.md');
    expect(crowd.resolved('', ['Readme'])).toEqual([]);
  });

  it('is known from both ends until the file is deleted', () => {
    graph.set('a.md', ['Note', 'Other']);
    expect(graph.sourcesOf('x/Note.md')).toEqual(['a.md']);
    expect(graph.sourcesOf('y/deep/Note.md')).toEqual([]);
    graph.set('a.md', ['Other']);
    expect(graph.sourcesOf('x/Note.md')).toEqual([]);
    graph.remove('a.md');
    expect(graph.sourcesOf('Other.md')).toEqual([]);
  });
});
