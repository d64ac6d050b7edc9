import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noon, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

// A vault of 300 notes, from data that also gives the answers: 60 games, 40 projects with tasks, 60 daily notes, 40 papers, 50 people,
// 50 meetings.
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);
const two = (number: number): string => String(number).padStart(2, '0');
const day = (number: number): string => `2026-${two(1 + Math.floor(number / 28))}-${two(1 + (number % 28))}`;

const games = numbers(60).map((n) => ({
  path: `games/Game ${two(n)}.md`,
  rating: (n * 7) % 50,
  hours: 1 + (n % 9),
  tag: n % 3 === 0 ? 'games/mobas' : n % 3 === 1 ? 'games/crpg' : 'games',
}));
/** The ways in which a task has its dates: signs, fields in brackets, and a field in parentheses. */
const signed = (due: string): string => `📅 ${due} ⏳ 2026-01-02 🛫 2026-01-03 ➕ 2026-01-01 ⏫`;
const bracketed = (due: string): string =>
  `[due:: ${due}] [scheduled:: 2026-01-02] [start:: 2026-01-03] [created:: 2026-01-01] [priority:: high]`;
const tasks = numbers(200).map((n) => ({
  path: `projects/Project ${two(n % 40)}.md`,
  name: `task ${n}`,
  due: n % 5 === 4 ? null : day(n),
  isDone: n % 4 === 0,
  /** Whether its dates are written by signs, in brackets or in parentheses. */
  form: n % 3,
}));
const days = numbers(60).map((n) => ({
  path: `daily/${day(n)}.md`,
  day: day(n),
  mood: ['good', 'okay', 'bad'][n % 3],
}));
const papers = numbers(40).map((n) => ({
  path: `papers/Paper ${two(n)}.md`,
  authors: numbers(1 + (n % 3)).map((author) => `Author ${(n + author) % 10}`),
}));
const people = numbers(50).map((n) => ({ path: `people/Person ${two(n)}.md`, age: 20 + n, team: `Team ${n % 4}` }));
const meetings = numbers(50).map((n) => ({
  path: `meetings/Meeting ${two(n)}.md`,
  with: [people[n], people[(n * 3) % 50]].flatMap((person) => person ?? []),
}));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
const linkTo = (path: string): string => `[[${path}|${nameOf(path)}]]`;

function taskLine({ name, due, isDone, form }: (typeof tasks)[number]): string {
  const dates = due === null ? '' : [signed(due), bracketed(due), `(due:: ${due})`][form];
  return `- [${isDone ? 'x' : ' '}] ${name} ${dates}${isDone ? (form === 0 ? ' ✅ 2026-05-05' : ' [completion:: 2026-05-05]') : ''}`;
}

function* notes(): Iterable<readonly [path: string, text: string]> {
  for (const { path, rating, hours, tag } of games)
    yield [
      path,
      `---\ntype: game\nrating: ${rating}\nlength: ${hours} hours\n---\n#${tag}\nTime Played:: ${hours} months\n`,
    ];
  for (const path of new Set(tasks.map((task) => task.path))) {
    const own = tasks.filter((task) => task.path === path);
    const [first, ...others] = own.map(taskLine);
    yield [path, `---\nstatus: ${own.length}\n---\n# Plan\n${first}\n## Next Actions\n${others.join('\n')}\n`];
  }
  for (const { path, mood } of days)
    yield [path, `# Log\n[mood:: ${mood}] and (energy:: 3)\n- walked [minutes:: 20]\n`];
  for (const { path, authors } of papers) yield [path, `---\nauthors: [${authors.join(', ')}]\n---\n#paper\n`];
  for (const { path, age, team } of people) yield [path, `---\nage: ${age}\nteam: "[[${team}]]"\n---\n`];
  for (const { path, with: those } of meetings)
    yield [path, `**With**:: ${those.map((person) => `[[${nameOf(person.path)}]]`).join(', ')}\n`];
}

let vault: TestVault;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-dql-'));
  for (const [path, text] of notes()) {
    await mkdir(dirname(join(folder, 'notes', path)), { recursive: true });
    await writeFile(join(folder, 'notes', path), text);
  }
  vault = await openTestVault({ folder: join(folder, 'notes') });
});
afterAll(async () => {
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(query: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/vnd.olrapi.dataview.dql+txt' };
  return (await vault.ask('POST', '/search/', { body: query, headers })).json();
}

type Hit = Readonly<{ filename: string; result: unknown }>;
type Row = Readonly<Record<string, unknown>>;
async function hits(query: string): Promise<readonly Hit[]> {
  const answer = await ask(query);
  expect(answer, query).toBeInstanceOf(Array);
  return Array.isArray(answer) ? answer : [];
}
const pathsOf = async (query: string): Promise<readonly string[]> =>
  (await hits(query)).map(({ filename }) => filename);

/** The names of the tasks that a query finds, in its order. */
async function found(query: string): Promise<readonly string[]> {
  const all = (await hits(query)).flatMap(({ result }): readonly Row[] => (Array.isArray(result) ? result : []));
  return all.map(({ text }) => /task \d+/.exec(String(text))?.[0] ?? '');
}
const named = (chosen: (task: (typeof tasks)[number]) => boolean) =>
  tasks
    .filter(chosen)
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ name }) => name);

describe('a query over 300 notes finds tasks (EMB-008)', () => {
  it.each([
    ['TASK WHERE !completed AND due AND due < date("2026-03-01")', (due: string) => due < '2026-03-01', false],
    ['TASK WHERE !completed AND due AND due < date(2026-03-01)', (due: string) => due < '2026-03-01', false],
    ['TASK WHERE completed AND due >= date(2026-06-10)', (due: string) => due >= '2026-06-10', true],
    ['TASK WHERE !completed AND due.month = 2', (due: string) => due.startsWith('2026-02'), false],
    ['TASK WHERE !completed AND due > date(today) - dur(6 months)', (due: string) => due > '2026-05-21', false],
    [
      'TASK WHERE !completed AND dateformat(due, "yyyy-MM") = "2026-04"',
      (due: string) => due.startsWith('2026-04'),
      false,
    ],
  ])('%s', async (query, isDue, isDone) => {
    expect(noon).toBe(new Date(2026, 10, 21, 12).getTime());
    const wanted = named((task) => task.due !== null && isDue(task.due) && task.isDone === isDone);
    expect(wanted.length).toBeGreaterThan(5);
    expect(await found(query)).toEqual(wanted);
  });

  it.each([
    ['created = date(2026-01-01)'],
    ['scheduled = date("2026-01-02")'],
    ['start = date(2026-01-03)'],
    ['priority = "high"'],
  ])('by signs and by fields: %s', async (condition) => {
    const wanted = named((task) => task.due !== null && task.form < 2);
    expect(await found(`TASK WHERE ${condition}`)).toEqual(wanted);
  });

  it('by the day of completion, by the heading above, and by a field of their note', async () => {
    expect(await found('TASK WHERE completion = date("2026-05-05")')).toEqual(named(({ isDone }) => isDone));
    const under = await found('TASK WHERE meta(section).subpath = "Next Actions"');
    expect(under).toEqual(named(({ name }) => Number(name.slice(5)) >= 40));
    expect(await found('TASK FROM "projects" WHERE status = " " and !fullyCompleted')).toEqual(
      named(({ isDone }) => !isDone),
    );
  });

  it('and gives each its own fields', async () => {
    const [first] = await hits('TASK FROM "projects/Project 01" LIMIT 1');
    expect(first).toEqual({
      filename: 'projects/Project 01.md',
      result: [
        {
          due: '2026-01-02',
          scheduled: '2026-01-02',
          start: '2026-01-03',
          created: '2026-01-01',
          priority: 'high',
          text: 'task 1 [due:: 2026-01-02] [scheduled:: 2026-01-02] [start:: 2026-01-03] [created:: 2026-01-01] [priority:: high]',
          status: ' ',
          checked: false,
          completed: false,
          line: 4,
          section: 'Plan',
        },
      ],
    });
  });

  it('grouped by their note, in the order of the groups', async () => {
    const groups = await hits('TASK WHERE !completed SORT due ASC GROUP BY file.link SORT rows.file.name DESC LIMIT 2');
    expect(groups.map(({ filename }) => filename)).toEqual(['projects/Project 39.md', 'projects/Project 38.md']);
  });
});

describe('a query over 300 notes answers (EMB-008)', () => {
  it('a table with its columns, in its order', async () => {
    const best = games.toSorted((a, b) => b.rating - a.rating).slice(0, 3);
    const query =
      'TABLE\n  time-played AS "Time Played",\n  length AS "Length",\n  rating AS "Rating"\nFROM "games"\nSORT rating DESC\nLIMIT 3';
    const hours = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
    expect(await hits(query)).toEqual(
      best.map((game) => ({
        filename: game.path,
        result: { 'Time Played': hours(game.hours, 'month'), Length: hours(game.hours, 'hour'), Rating: game.rating },
      })),
    );
  });

  it.each([
    ['LIST FROM #games/mobas OR #games/crpg', () => games.filter(({ tag }) => tag !== 'games').map(({ path }) => path)],
    [
      'LIST FROM "games" AND -#games/crpg WHERE rating > 25',
      () => games.filter(({ tag, rating }) => tag !== 'games/crpg' && rating > 25).map(({ path }) => path),
    ],
    [
      'LIST file.day WHERE file.day SORT file.day DESC LIMIT 3',
      () =>
        days
          .map(({ path }) => path)
          .toReversed()
          .slice(0, 3),
    ],
    [
      'LIST WHERE file.day.year = 2026 AND mood = "bad" AND energy = 3',
      () => days.filter(({ mood }) => mood === 'bad').map(({ path }) => path),
    ],
    ['LIST WHERE team = [[Team 2]]', () => people.filter(({ team }) => team === 'Team 2').map(({ path }) => path)],
    [
      'LIST WHERE contains(string(team), "Team 3")',
      () => people.filter(({ team }) => team === 'Team 3').map(({ path }) => path),
    ],
    [
      'LIST WHERE contains(with, [[Person 07]])',
      () =>
        meetings.filter((met) => met.with.some(({ path }) => path === 'people/Person 07.md')).map(({ path }) => path),
    ],
    [
      'LIST WHERE contains(file.outlinks, [[people/Person 07]])',
      () =>
        meetings.filter((met) => met.with.some(({ path }) => path === 'people/Person 07.md')).map(({ path }) => path),
    ],
    [
      'LIST FROM "meetings" WHERE any(with, (w) => w.age < 22)',
      () => meetings.filter((met) => met.with.some(({ age }) => age < 22)).map(({ path }) => path),
    ],
    [
      'LIST WHERE any(file.tasks, (t) => !t.fullyCompleted)',
      () => [...new Set(tasks.filter(({ isDone }) => !isDone).map(({ path }) => path))].sort(),
    ],
    ['LIST WHERE regexmatch("Game 1\\d", file.name)', () => games.slice(10, 20).map(({ path }) => path)],
    ['LIST WHERE length = dur(3 hours)', () => games.filter(({ hours }) => hours === 3).map(({ path }) => path)],
    [
      'CALENDAR file.day WHERE file.day AND file.day < date(2026-01-04)',
      () => days.slice(0, 3).map(({ path }) => path),
    ],
  ])('%s', async (query, wanted) => {
    expect(wanted().length).toBeGreaterThan(0);
    expect(await pathsOf(query)).toEqual(wanted());
  });

  it('groups with their rows', async () => {
    const sizes = ['bad', 'good', 'okay'].map((mood) => ({ filename: mood, result: `20 days were ${mood}` }));
    expect(await hits('LIST WITHOUT ID length(rows) + " days were " + key FROM "daily" GROUP BY mood')).toEqual(sizes);
    const byTeam = await hits(
      'TABLE sum(rows.age) AS total, rows.file.link AS who FROM "people" GROUP BY team AS t SORT t DESC LIMIT 1',
    );
    const last = people.filter(({ team }) => team === 'Team 3');
    expect(byTeam).toEqual([
      {
        filename: 'Team 3',
        result: { total: last.reduce((sum, { age }) => sum + age, 0), who: last.map(({ path }) => linkTo(path)) },
      },
    ]);
  });

  it('a row for each member of a list', async () => {
    const rows = papers.flatMap(({ path, authors }) =>
      authors.map((author) => ({ filename: path, result: { authors: author } })),
    );
    expect(await hits('TABLE authors FROM #paper FLATTEN authors')).toEqual(rows);
    const counted = await hits(
      'TABLE length(rows) AS n FROM #paper FLATTEN authors AS who GROUP BY who SORT length(rows) DESC, who ASC',
    );
    const count = (author: string): number => rows.filter(({ result }) => result.authors === author).length;
    const authors = numbers(10)
      .map((n) => `Author ${n}`)
      .toSorted((a, b) => count(b) - count(a) || (a < b ? -1 : 1));
    expect(counted).toEqual(authors.map((author) => ({ filename: author, result: { n: count(author) } })));
  });

  it('items of lists and tasks, one a row', async () => {
    const query =
      'TABLE T.text AS "Text", T.due AS due FROM "projects/Project 02" FLATTEN file.tasks AS T WHERE T.due > date(2026-03-01)';
    const wanted = tasks.filter(
      ({ path, due }) => path === 'projects/Project 02.md' && due !== null && due > '2026-03-01',
    );
    expect((await hits(query)).map(({ result }) => result)).toEqual(
      wanted.map((task) => ({ Text: taskLine(task).slice('- [ ] '.length), due: task.due })),
    );
    const walks = await hits('TABLE sum(L.minutes) AS m FROM "daily" FLATTEN file.lists AS L WHERE L.minutes LIMIT 2');
    expect(walks.map(({ result }) => result)).toEqual([{ m: 20 }, { m: 20 }]);
  });

  it('links as they are written', async () => {
    expect(await hits('TABLE file.link, team FROM "people/Person 05"')).toEqual([
      {
        filename: 'people/Person 05.md',
        result: { 'file.link': '[[people/Person 05.md|Person 05]]', team: '[[Team 1|Team 1]]' },
      },
    ]);
  });
});

describe('what is not built is refused with its name and place, over any vault (EMB-037)', () => {
  it.each([
    ['LIST FROM csv("a.csv")', 'csv() (line 1, column 11)'],
    ['LIST\nWHERE srandom(1)', 'srandom (line 2, column 7)'],
    ['LIST WHERE file.starred', 'file.starred (line 1, column 16)'],
    ['LIST WHERE file.tables', 'file.tables (line 1, column 16)'],
    ['LIST WHERE this.file.day = file.day', 'this (line 1, column 12)'],
    ['LIST FROM [[]]', '[[]] (line 1, column 11)'],
    ['TABLE dateformat(file.ctime, "ffff")', 'ffff'],
    ['TABLE rating HAVING rating > 3', '"HAVING" (line 1, column 14)'],
    ['dv.list([1])', 'DataviewJS (line 1, column 1)'],
  ])('%s', async (query, said) => {
    expect(JSON.stringify(await ask(query)).replaceAll('\\"', '"')).toContain(said);
  });
});
