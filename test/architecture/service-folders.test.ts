import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { besideFolders, misnamed, namesVendor, otherFolders, roles } from '#test/architecture/service-folders.ts';

const home = 'adapters/services';
const folders = readdirSync(home).filter(
  (name) => statSync(join(home, name)).isDirectory() && !otherFolders.includes(name),
);
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(home, folder, name)).isFile())
    .map((name) => relative('.', name));

describe('the folder of every service', () => {
  it.each(folders)('uses the one name of each role: %s', (folder) => {
    expect(misnamed(filesIn(folder))).toEqual([]);
  });

  it('stands beside those of what all share, and three files', () => {
    const files = readdirSync(home).filter((name) => statSync(join(home, name)).isFile());
    expect(files.toSorted()).toEqual(besideFolders);
    expect(readdirSync(home)).toEqual(expect.arrayContaining([...otherFolders]));
  });

  it('has no file whose name duplicates a role', () => {
    expect(folders.length).toBeGreaterThan(1);
    for (const role of Object.keys(roles)) expect(folders.some((folder) => filesIn(folder).includes(role))).toBe(true);
  });
});

describe('a vendor', () => {
  const sources = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name)),
  );
  const texts = new Map(sources.map((path) => [path, readFileSync(path, 'utf8')]));

  it.each([
    ['hubspot', 'sales-crm'],
    ['jira', 'tracker'],
  ])('is named by its own folder and the list of vendors only: %s', (vendor, kind) => {
    expect(namesVendor(vendor, `${home}/${kind}`, texts)).toEqual([`${home}/${kind}/service.ts`]);
  });
});

describe('a misnamed file', () => {
  const every = [...Object.keys(roles).filter((name) => roles[name] === 'everywhere'), 'neutral/vendor.ts'];

  it.each([
    ['another name for a role', [...every, 'success.ts']],
    ['a role that is missing', every.slice(1)],
    ['a subject next to the roles', [...every, 'zip.ts']],
    ['a folder of another name', [...every, 'helpers/zip.ts']],
    ['a folder within a folder', [...every, 'details/files/zip.ts']],
    ['a folder of a vendor without its value', [...every, 'acme/oauth.ts']],
  ])('is reported: %s', (_, paths) => {
    expect(misnamed(paths)).toHaveLength(1);
  });

  it('is not reported if it is named after its role or subject', () => {
    expect(misnamed([...every, 'missing.ts', 'details/zip.ts', 'acme/vendor.ts', 'acme/oauth.ts'])).toEqual([]);
  });
});
