import { describe, expect, it } from 'vitest';
import { patchNote } from '#adapters/vault-folder/patch/patch-note.ts';
import type { PatchInstruction } from '#domain/notes/patch/note-patch.ts';

function patch(text: string, path: string, content: unknown, more: Partial<PatchInstruction> = {}) {
  const result = patchNote(text, {
    operation: 'append',
    target: { kind: 'heading', path, delimiter: '::' },
    content,
    isJson: false,
    createTargetIfMissing: false,
    rejectIfContentPreexists: false,
    trimTargetWhitespace: false,
    ...more,
  });
  return result.ok ? result.value : result.failure.reason;
}

const replace = { operation: 'replace' } as const;
const prepend = { operation: 'prepend' } as const;
const create = { createTargetIfMissing: true };

describe('patching a heading', () => {
  it('adds content at the end of its section, sub-headings included', () => {
    expect(patch('# A\n## B\nb\n# C\n', 'A', 'x\n')).toBe('# A\n## B\nb\nx\n# C\n');
  });

  it('keeps the blank line before the next heading', () => {
    expect(patch('# A\n\na\n\n# B\n', 'A', 'x')).toBe('# A\n\na\n\nx\n\n# B\n');
    expect(patch('# A\n\na\n\n# B\n', 'A', 'x\n', replace)).toBe('# A\nx\n\n# B\n');
  });

  it('never lets content run into the next heading or the line before', () => {
    expect(patch('# A\na\n# B\n', 'A', 'x')).toBe('# A\na\nx\n# B\n');
    expect(patch('# A\na', 'A', 'x')).toBe('# A\na\nx');
    expect(patch('# A', 'A', 'x')).toBe('# A\nx');
    expect(patch('# A\na', 'A', 'x', prepend)).toBe('# A\nx\na');
    expect(patch('# A\na\n# B', 'A', 'x', { trimTargetWhitespace: true })).toBe('# A\nax\n# B');
  });

  it('appends directly after the last line of the note', () => {
    expect(patch('# A\na\n\n\n', 'A', 'x')).toBe('# A\na\nx');
  });

  it('finds it by its full path only', () => {
    const text = '# A\n## H\n1\n# B\n## H\n2\n';
    expect(patch(text, 'A::H', 'x\n')).toBe('# A\n## H\n1\nx\n# B\n## H\n2\n');
    expect(patch(text, 'H', 'x\n')).toBe('invalid-target');
  });

  it('ignores what looks like one in code, in frontmatter, or in another heading', () => {
    const text = '---\n# A: 1\n---\n```\n# A\n```\n## A b\nsub\n# A\nreal\n';
    expect(patch(text, 'A', 'x\n')).toBe(`${text}x\n`);
  });

  it('finds one that is underlined, closed by hashes, or contains markup', () => {
    expect(patch('Title\n=====\na\n', 'Title', 'x\n')).toBe('Title\n=====\na\nx\n');
    expect(patch('## Log ##\na\n', 'Log', 'x\n')).toBe('## Log ##\na\nx\n');
    expect(patch('# *A* [b](c)\n', '*A* [b](c)', 'x\n')).toBe('# *A* [b](c)\nx\n');
  });

  it('keeps CRLF', () => {
    expect(patch('# A\r\na\r\n\r\n# B\r\n', 'A', 'x')).toBe('# A\r\na\r\n\r\nx\r\n\r\n# B\r\n');
  });

  it.each(['constructor', '__proto__', 'toString'])('finds one called %s like any other', (name) => {
    expect(patch('# A\n', name, 'x')).toBe('invalid-target');
    expect(patch(`# ${name}\n`, name, 'x')).toBe(`# ${name}\nx`);
  });

  it('with an empty path addresses the whole body', () => {
    expect(patch('---\na: 1\n---\nold\n', '', 'new\n', replace)).toBe('---\na: 1\n---\nnew\n');
  });

  it('creates it on request when it is missing, a level below its parent', () => {
    expect(patch('# A\na\n# B\n', 'A::C', '- x', create)).toBe('# A\na\n\n## C\n- x\n# B\n');
    expect(patch('', 'A::B', 'x', create)).toBe('# A\n\n## B\nx');
    expect(patch('# A\na\n\n# B\n', 'A::C', '- x', create)).toBe('# A\na\n\n## C\n- x\n\n# B\n');
    expect(patch('text', 'A', 'x', create)).toBe('text\n\n# A\nx');
    expect(patch('## A\n', 'A::B', 'x', create)).toBe('## A\n\n### B\nx');
  });

  it('makes a missing one at the rank of the others, where the note has no first-level heading', () => {
    expect(patch('## A\n\n### B\n\n## C\n', 'D', 'x', create)).toBe('## A\n\n### B\n\n## C\n\n## D\nx');
  });

  it('refuses one whose path occurs twice, and what would be made below it', () => {
    const text = '# A\n## B\n1\n## B\n2\n';
    for (const path of ['A::B', 'A::B::C']) expect(patch(text, path, 'x', create)).toBe('ambiguous-target');
    expect(patch(text, 'A::B#1', 'x\n')).toBe('# A\n## B\n1\nx\n## B\n2\n');
    expect(patch(text, 'A::B#3', 'x\n')).toBe('ambiguous-target');
    expect(patch(text, 'A::B#3', 'x\n', create)).toBe(`${text}\n## B#3\nx\n`);
    const end = { kind: 'heading', path: 'B#2::C', delimiter: '::', isEnd: true } as const;
    expect(patch(text, '', 'x\n', { ...create, target: end })).toBe(`${text}\n### C\nx\n`);
  });

  it('refuses content that already exists on request, except when replacing', () => {
    const reject = { rejectIfContentPreexists: true };
    expect(patch('# A\n- x\n', 'A', ' - x \n', reject)).toBe('content-already-preexists-in-target');
    expect(patch('# A\n- y\n# B\n- x\n', 'A', '- x\n', reject)).toBe('# A\n- y\n- x\n# B\n- x\n');
    expect(patch('# A\n- x\n', 'A', '- x\n', { ...reject, ...replace })).toBe('# A\n- x\n');
  });

  it('accepts text only', () => {
    expect(patch('# A\n', 'A', ['x'], { isJson: true })).toBe('content-type-invalid-for-target');
  });
});
