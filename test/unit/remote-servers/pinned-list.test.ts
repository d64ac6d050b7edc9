import { describe, expect, it } from 'vitest';
import { accepting, afterListing, choosing, usableTools } from '#domain/remote-servers/pinned-list.ts';
import { digestOfTool, type RemoteTool } from '#domain/remote-servers/remote-tool.ts';

const tool = (name: string, more: Partial<RemoteTool> = {}): RemoteTool => ({
  name,
  title: null,
  description: 'As it was',
  inputSchema: { type: 'object', properties: { a: {}, b: {} } },
  outputSchema: null,
  hints: { readOnlyHint: true },
  ...more,
});

const first = { at: 1, acceptsFirst: true };
const later = { at: 2, acceptsFirst: true };
const names = (list: Parameters<typeof usableTools>[0]) => usableTools(list).map(({ tool: { name } }) => name);

describe('the tools of a remote server', () => {
  it('are usable as they are listed first where that is accepted, and else not (REMOTE-003)', () => {
    expect(names(afterListing(null, [tool('a'), tool('b')], first))).toEqual(['a', 'b']);
    expect(names(afterListing(null, [tool('a')], { at: 1, acceptsFirst: false }))).toEqual([]);
  });

  it.each([
    ['its description', { description: 'As it was ' }],
    ['its input schema', { inputSchema: { type: 'object', properties: { a: {} } } }],
    ['its hints', { hints: { readOnlyHint: true, openWorldHint: true } }],
  ])('wait when %s changed, and are usable again as they were (REMOTE-003)', (_, more) => {
    const before = afterListing(null, [tool('a'), tool('b')], first);
    const changed = afterListing(before, [tool('a', more), tool('b')], later);
    expect(names(changed)).toEqual(['b']);
    expect(names(afterListing(changed, [tool('a'), tool('b')], later))).toEqual(['a', 'b']);
  });

  it('are the same with members in another order, another title or another output (REMOTE-003)', () => {
    const inputSchema = { properties: { b: {}, a: {} }, type: 'object' };
    const same = tool('a', { inputSchema, title: 'Another', outputSchema: { type: 'object' } });
    expect(digestOfTool(same)).toBe(digestOfTool(tool('a')));
    expect(names(afterListing(afterListing(null, [tool('a')], first), [same], later))).toEqual(['a']);
  });

  it('wait when they are new or renamed later, also after an empty first list (REMOTE-003)', () => {
    const renamed = afterListing(afterListing(null, [tool('a')], first), [tool('b')], later);
    expect(renamed.tools.map(({ name, accepted, waiting }) => [name, accepted !== null, waiting !== null])).toEqual([
      ['b', false, true],
      ['a', true, false],
    ]);
    expect(names(afterListing(afterListing(null, [], first), [tool('b')], later))).toEqual([]);
  });

  it('are accepted by the digest that was seen, and not by another (REMOTE-003)', () => {
    const list = afterListing(null, [tool('a')], { at: 1, acceptsFirst: false });
    const digest = digestOfTool(tool('a'));
    expect(accepting(list, { name: 'a', digest: 'other' }, { by: 7, at: 3 })).toBeNull();
    expect(accepting(list, { name: 'z', digest }, { by: 7, at: 3 })).toBeNull();
    const accepted = accepting(list, { name: 'a', digest }, { by: 7, at: 3 });
    expect(accepted?.tools).toMatchObject([{ acceptedAt: 3, acceptedBy: 7, waiting: null }]);
    expect(accepted === null ? [] : names(accepted)).toEqual(['a']);
  });

  it('keep what was chosen for them when they change, and are off as chosen (REMOTE-004)', () => {
    const list = afterListing(null, [tool('a')], first);
    const chosen = choosing(list, 'a', { effect: 'lose', isSearched: true });
    expect(chosen === null ? [] : usableTools(chosen)).toMatchObject([{ effect: 'lose', isSearched: true }]);
    expect(choosing(list, 'z', { isOff: true })).toBeNull();
    const off = choosing(list, 'a', { isOff: true });
    expect(off === null ? [] : names(afterListing(off, [tool('a')], later))).toEqual([]);
  });
});
