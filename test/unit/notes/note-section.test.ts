import { describe, expect, it } from 'vitest';
import { noteSection, sectionNamed } from '#domain/notes/note-section.ts';

const text = `---
status: open
---
# Deal

Intro. ^intro

## Log

- one
  - two

### Older

- three

## Next

# Person
## Log

Last`;

const named = (target: string) => noteSection(text, sectionNamed(target));
const lines = (from: number, to: number) => noteSection(text, { kind: 'lines', from, to });

describe('a part of a note (VAULT-023)', () => {
  it('is a heading with what is below it, as it is written, and its lines', () => {
    expect(named('Deal::Log')).toEqual({
      ok: true,
      value: { part: 'Deal::Log', lines: '8-15', text: '## Log\n\n- one\n  - two\n\n### Older\n\n- three\n\n' },
    });
    expect(named('Older')).toMatchObject({ value: { part: 'Deal::Log::Older', lines: '13-15' } });
    expect(named('Log#2')).toMatchObject({ value: { part: 'Person::Log', lines: '20-22', text: '## Log\n\nLast' } });
    expect(named('Next')).toMatchObject({ value: { lines: '17-17', text: '## Next\n\n' } });
  });

  it('is a block without its id', () => {
    expect(named('^intro')).toEqual({ ok: true, value: { part: '^intro', lines: '6-6', text: 'Intro.' } });
  });

  it('is some lines, up to the last of the note', () => {
    expect(lines(1, 3)).toEqual({ ok: true, value: { lines: '1-3', text: '---\nstatus: open\n---\n' } });
    expect(lines(22, 400)).toEqual({ ok: true, value: { lines: '22-22', text: 'Last' } });
    expect(noteSection('a\r\nb\r\n', { kind: 'lines', from: 2, to: 2 })).toMatchObject({ value: { text: 'b\r\n' } });
  });

  it('is refused with all headings of that name', () => {
    expect(named('Log')).toMatchObject({
      ok: false,
      failure: { detail: expect.stringMatching(/2 times: "Deal::Log" \(line 8\).*"Person::Log" \(line 20\)/) },
    });
  });

  it.each([
    ['a heading that is not there', named('Lag')],
    ['a block that is not there', named('^log')],
    ['lines behind the last', lines(23, 24)],
    ['lines that end before they begin', lines(5, 4)],
    ['lines of an empty note', noteSection('', { kind: 'lines', from: 1, to: 1 })],
  ])('is null for %s', (_, found) => {
    expect(found).toEqual({ ok: true, value: null });
  });
});
