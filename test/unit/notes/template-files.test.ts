import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTemplate } from '#adapters/templates/read-template.ts';
import { openTemplates } from '#adapters/templates/template-files.ts';
import { defaultTemplates, newNote } from '#domain/notes/templates.ts';

describe('the templates of a team', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-templates-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are created from the product’s own, as files', async () => {
    expect(await openTemplates(folder)).toEqual({ ok: true, value: defaultTemplates });
    expect((await readdir(folder)).sort()).toEqual(['contract.md', 'deal.md', 'issue.md']);
    expect(await readFile(join(folder, 'deal.md'), 'utf8')).toContain('path: "Deals/{title}.md"');
  });

  it('stay as the team has changed them', async () => {
    await openTemplates(folder);
    const mine =
      '---\npath: "Sales/{id} {title}.md"\ntags: [deal, crm]\nowner: Ann # us\n---\n# {title}\n\n## History\n';
    await writeFile(join(folder, 'deal.md'), mine);
    const opened = await openTemplates(folder);
    expect(opened.ok && opened.value.deal).toEqual({
      path: 'Sales/{id} {title}.md',
      frontmatter: { tags: ['deal', 'crm'], owner: 'Ann' },
      body: '# {title}\n\n## History\n',
    });
    expect(await readFile(join(folder, 'deal.md'), 'utf8')).toBe(mine);
  });

  it('that are invalid are reported with file and line, all at once (NOTE-007)', async () => {
    await openTemplates(folder);
    await writeFile(join(folder, 'deal.md'), '---\ntags: [deal]\npath: "Deals/{name}.md"\n---\n\n{title}\n{amount}\n');
    await writeFile(join(folder, 'issue.md'), '# no frontmatter');
    const opened = await openTemplates(folder);
    expect(opened.ok ? [] : opened.failure).toEqual([
      expect.stringContaining('issue.md:1: must begin with ---'),
      expect.stringContaining('deal.md:3: {name} is not known here; there are {id}, {title}'),
      expect.stringContaining('deal.md:7: {amount} is not known here'),
    ]);
  });

  it.each([
    ['---\ntitle: x\n---\n', 1, 'has no `path`'],
    ['---\npath: "{title}.txt"\n---\n', 2, 'must end in .md'],
    ['---\npath: "../{title}.md"\n---\n', 2, 'must lead from the top of the vault'],
    ['---\npath: "/{title}.md"\n---\n', 2, 'must lead from the top of the vault'],
    ['---\npath: Deals.md\n---\n', 2, 'must hold a {name}'],
    ['---\npath: [a]\n---\n', 2, 'must be a text'],
    ['---\npath: "{title}.md"\nnested: {a: 1}\n---\n', 3, '`nested` must be'],
    ['---\npath: "{title}.md"\npath: "{id}.md"\n---\n', 3, 'Map keys must be unique'],
    ['---\npath: "{title}.md\n---\n', 2, ''],
  ])('are invalid on a line: %j on line %i', (text, line, message) => {
    const read = readTemplate('deal', text);
    const [fault] = read.ok ? [] : read.failure;
    expect(fault?.message).toContain(message);
    if (message !== '') expect(fault?.line).toBe(line);
  });

  it.each([
    ['```dataviewjs\nlet a = 1;\ndv.p("{title}")\n```', 6],
    ['> ~~~ button\n> {title}\n> ~~~', 5],
    ['a `= "{title}"` b', 4],
    ['a `$= dv.p("{title}")` b', 4],
    ['a <%* f("{title}") %> b', 4],
  ])('do not fill code that a notes app runs: %j', (body, line) => {
    const read = readTemplate('deal', `---\npath: "{title}.md"\n---\n${body}`);
    expect(read.ok ? [] : read.failure).toEqual([{ line, message: expect.stringContaining('{title} is inside code') }]);
  });

  it('are filled in next to such code, and in code that is only displayed', () => {
    const body = '```dataview\nLIST\n```\n{title} `= 1` {title} <% x %> {id}\n```js\n{title}\n```\n{title}';
    expect(readTemplate('deal', `---\npath: "{title}.md"\n---\n${body}`).ok).toBe(true);
  });

  it('never override the service’s own keys', () => {
    const template = { path: '{title}.md', frontmatter: { status: 'mine', tags: ['a'] }, body: '' };
    const note = newNote(template, { frontmatter: { status: 'won' }, names: { title: 'x' }, untitled: 'y', texts: {} });
    expect(note.frontmatter).toEqual({ status: 'won', tags: ['a'] });
  });
});
