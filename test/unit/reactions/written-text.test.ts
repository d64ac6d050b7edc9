import { afterAll, describe, expect, it } from 'vitest';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { readWrittenReaction } from '#adapters/reactions/read-written-reaction.ts';
import { statusIn, withStatusLine } from '#domain/reaction-notes/status-line.ts';

const read = (lines: string, body = 'Text.') => {
  const written = readWrittenReaction('Reactions/a.md', `---\nreaction: on\n${lines}\n---\n${body}\n`);
  if (written === null) throw new Error('It is no reaction.');
  return written;
};

describe('texts on one line', () => {
  it.each([
    ['note: Weekly/{{ occurredAt | date: "%G-W%V" }}.md', 'note', 'Weekly/{{ occurredAt | date: "%G-W%V" }}.md'],
    ['note: {{ id }}.md', 'note', '{{ id }}.md'],
    ['once: {{ deal.id }}   # a deal', 'once', '{{ deal.id }}'],
    ['once: {{ id | append: " # " }} # so', 'once', '{{ id | append: " # " }}'],
    ['if: "won" == deal.status', 'if', '"won" == deal.status'],
    ['if: !has(deal.value)', 'if', '!has(deal.value)'],
    ['if: deal.title == "a: b" # not: this', 'if', 'deal.title == "a: b"'],
    ['under: Won: all', 'under', 'Won: all'],
    ['when: schedule: 0 17 * * 5', 'when', 'schedule: 0 17 * * 5'],
    ['when: tracker.issue.create   # or a list: "a, b"', 'when', 'tracker.issue.create'],
  ])('are taken literally if YAML would read something else: %s (WRITE-015)', (line, key, text) => {
    for (const all of [line, `${line}\nset: { a: b }`, `${line}\r`]) {
      const { values, errors, lineOf } = read(all);
      expect(errors).toEqual([]);
      expect(values[key]).toBe(text);
      expect(lineOf([key])).toBe(3);
    }
  });

  it.each([
    ['note: "a: {{ id }}.md" # so', 'a: {{ id }}.md'],
    ["note: 'it''s {{ id }}.md'", "it's {{ id }}.md"],
    ['note: >-\n  a/\n  b.md', 'a/ b.md'],
    ['note: plain.md # a: comment', 'plain.md'],
  ])('are read as YAML if that is a text: %s (WRITE-015)', (lines, text) => {
    expect(read(lines)).toMatchObject({ values: { note: text }, isYaml: true, errors: [] });
    expect(read(`${lines}\nunder: {{ kind }}`)).toMatchObject({ values: { note: text }, isYaml: false, errors: [] });
  });

  it('stay lists and objects in `when`', () => {
    const events = 'when: [tracker.issue.create,\n  tracker.issue.update]\nonce: {{ id }}';
    expect(read(events).values['when']).toEqual(['tracker.issue.create', 'tracker.issue.update']);
    const schedule = 'when: { schedule: 0 17 * * 5, zone: UTC }\nonce: {{ id }}';
    expect(read(schedule).values['when']).toEqual({ schedule: '0 17 * * 5', zone: 'UTC' });
  });
});

describe('the text of a note', () => {
  it('may have Windows line endings and a byte order mark (WRITE-033)', () => {
    const text = '\ufeff---\nreaction: on\nnote: a.md\n---\nOne\nTwo\n'.replaceAll('\n', '\r\n');
    expect(readWrittenReaction('a.md', text)).toMatchObject({
      values: { reaction: 'on', note: 'a.md' },
      body: 'One\nTwo\n',
      bodyLine: 5,
    });
  });

  it.each([
    ['anchors', 'note: &a x.md\nonce: *a'],
    ['many anchors', `a: &a [x, x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: [*a, *a]`).join('\n')}`],
    ['a key twice', 'note: a.md\nnote: b.md'],
    ['deep lists', `set: ${'['.repeat(20_000)}`],
    ['lists that are closed and deep', `set: ${'['.repeat(30)}${']'.repeat(30)}`],
    ['a list', '- a'],
  ])('is refused with a line where it has %s (WRITE-033)', (_, lines) => {
    const { errors, values } = read(lines);
    expect(errors[0]).toMatchObject({
      line: expect.any(Number),
      message: expect.stringMatching(/YAML|frontmatter|nested/),
    });
    expect(values).toEqual({});
  });

  it('contains its status on one line, once, whatever else it has (WRITE-003)', () => {
    const text = '---\r\nreaction: on\r\nnote: {{ a: }\r\n---\r\n---\r\nreaction_status: mine\r\n---\r\n';
    const said = withStatusLine(text, 'line 3: "so"') ?? '';
    expect(said).toBe(text.replace('}\r\n', '}\r\nreaction_status: "line 3: \\"so\\""\r\n'));
    expect(withStatusLine(said, 'line 3: "so"')).toBe(said);
    expect(statusIn(said)).toBe('line 3: "so"');
    expect(withStatusLine('no frontmatter', 'ok')).toBeNull();
  });
});

describe('a note in the folder of reactions', () => {
  const language = new ReactionThreads({
    senders: ['tracker'],
    folder: 'Reactions',
    checkCall: () => () => ({ operation: null, nearest: null, errors: [] }),
  });
  afterAll(() => language.close());
  const text = '---\nreaction: on\nwhen: tracker.issue.create\nnote: a.md\n---\nText\n';

  it('is not a reaction without the key in its frontmatter (WRITE-003)', async () => {
    for (const other of [
      '---\ntitle: reaction: on\n---\nreaction: on\n',
      '# reaction\n',
      `# Title\n${text}`,
      `\n${text}`,
    ]) {
      expect(await language.read('Reactions/a.md', other)).toEqual({ ok: true, value: null });
    }
    expect(await language.read('Reactions/c.md', text)).toMatchObject({ value: { faults: [] } });
    expect(await language.read('Reactions/c.md', `\ufeff${text}`)).toMatchObject({ value: { faults: [] } });
  });

  it('is refused when it is longer than 64 KiB, wherever its frontmatter ends (WRITE-033)', async () => {
    const long = 'x'.repeat(64 * 1024);
    for (const other of [`${text}${long}`, text.replace('a.md', `${long}.md`)]) {
      const read = await language.read('Reactions/a.md', other);
      expect(read).toMatchObject({ value: { faults: [{ message: expect.stringContaining('65536 characters') }] } });
    }
    expect(await language.read('Reactions/a.md', `# Notes\n${long}${text}`)).toEqual({ ok: true, value: null });
  });
});
