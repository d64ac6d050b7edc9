import { describe, expect, it } from 'vitest';
import { dayTokens, formatted, timeTokens } from '#domain/notes/moment-format.ts';
import { filledTemplate } from '#domain/notes/note-template.ts';

const tuesday = { year: 2026, month: 3, day: 3 };
const newYear = { year: 2027, month: 1, day: 1 };
const [morning, midnight] = [
  { hour: 9, minute: 5, second: 7 },
  { hour: 0, minute: 0, second: 0 },
];

describe('a format', () => {
  // As moment 2.30 writes them in its locale `en`.
  it.each([
    ['YYYY-MM-DD', '2026-03-03', '2027-01-01'],
    ['YYYY/MM-MMMM/YYYY-MM-DD-dddd', '2026/03-March/2026-03-03-Tuesday', '2027/01-January/2027-01-01-Friday'],
    ['dddd, MMMM Do YYYY', 'Tuesday, March 3rd 2026', 'Friday, January 1st 2027'],
    ['ddd dd d do E e', 'Tue Tu 2 2nd 2 2', 'Fri Fr 5 5th 5 5'],
    ['D DD DDD DDDo DDDD', '3 03 62 62nd 062', '1 01 1 1st 001'],
    ['M Mo MM MMM', '3 3rd 03 Mar', '1 1st 01 Jan'],
    ['gggg-[W]ww', '2026-W10', '2027-W01'],
    ['GGGG-[W]WW', '2026-W10', '2026-W53'],
    ['w wo W Wo gg GG', '10 10th 10 10th 26 26', '1 1st 53 53rd 27 26'],
    ['YYYY-[Q]Q', '2026-Q1', '2027-Q1'],
    ['Q Qo YY Y', '1 1st 26 2026', '1 1st 27 2027'],
    ['[Notes of] YYYY [[x] y]', 'Notes of 2026 [x] y', 'Notes of 2027 [x] y'],
    ['[YYYY] \\Y\\YYYY', 'YYYY YYYYY', 'YYYY YYYYY'],
    ['[o[pen] YYYY', '[open 2026', '[open 2027'],
    ['ä·日 YYYY', 'ä·日 2026', 'ä·日 2027'],
  ])('%s is written as moment does', (format, first, second) => {
    const written = [tuesday, newYear].map((day) => formatted(format, dayTokens(day, 'sunday')));
    expect(written).toEqual([first, second].map((value) => ({ ok: true, value })));
  });

  it('counts weeks and their days by ISO 8601 where the server does', () => {
    expect(formatted('gggg-ww e', dayTokens(newYear, 'iso'))).toEqual({ ok: true, value: '2026-53 4' });
  });

  it.each([
    ['HH', 'HH'],
    ['YYYY-MM-DD x', 'x'],
    ['YYYYYY', 'YYYYYY'],
    ['LL', 'LL'],
    ['YYYY hello', 'h'],
  ])('%s of a day is refused, for %s', (format, token) => {
    expect(formatted(format, dayTokens(tuesday, 'sunday'))).toEqual({ ok: false, failure: token });
  });

  it.each([
    ['HH:mm:ss', '09:05:07', '00:00:00'],
    ['h:mm a', '9:05 am', '12:00 am'],
    ['hh A', '09 AM', '12 AM'],
    ['H m s', '9 5 7', '0 0 0'],
  ])('%s of a time is written as moment does', (format, first, second) => {
    expect([morning, midnight].map((time) => formatted(format, timeTokens(time)))).toEqual(
      [first, second].map((value) => ({ ok: true, value })),
    );
  });
});

describe('a template', () => {
  const filled = (template: string) =>
    filledTemplate(template, { day: tuesday, title: '2026-03-03', time: morning, weeks: 'sunday' });

  it('has its date, time and title replaced (EMB-026)', () => {
    expect(filled('# {{title}}\n{{date}} {{ time }} {{DATE:dddd, D}} {{time:h a}} {{date:[Q]Q YYYY}}')).toBe(
      '# 2026-03-03\n2026-03-03 09:05 Tuesday, 3 9 am Q1 2026',
    );
  });

  it.each([
    '<% tp.file.title %> <%* await tp.system.prompt() %>',
    '```dataviewjs\ndv.pages()\n```',
    '`= this.file.name` {date} {{date',
    '{{dates}} {{titles}} {{constructor}} {{title:YYYY}} {{date:YYYYYY}} {{date:{{time}}',
    '$& $1 $$',
  ])('is text otherwise: %s (EMB-026)', (template) => {
    expect(filled(template)).toBe(template.replace('{{time}}', '09:05'));
  });
});
