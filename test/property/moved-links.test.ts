import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spliced } from '#domain/notes/edits/edited-note.ts';
import { afterMove, type FilesNamed, fileMeant, isWrittenAs } from '#domain/notes/links/file-meant.ts';
import { movedLinks } from '#domain/notes/links/moved-links.ts';
import { linksOf } from '#domain/notes/links/note-links.ts';
import { rounds } from '#test/support/form.ts';

const names = fc.constantFrom('Acme', 'acme', 'Plan', 'A (b)', 'Ünit 1', '100% #1', 'v1.2');
const folders = fc.constantFrom('', 'Deals/', 'Deals/Won/', 'Plan/');
const paths = fc.tuple(folders, names).map(([folder, name]) => `${folder}${name}.md`);
const vaults = fc.uniqueArray(paths, { minLength: 2, maxLength: 8 });

/** Texts near to links, with and without an end. */
const text = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom('', '../', './', '/', 'Deals/', 'Deals/Won/', '../Deals/'),
          names,
          fc.constantFrom('', '.md'),
          fc.constantFrom('', '#A b', '#^id'),
          fc.constantFrom('', '|x', '\\|x'),
        )
        .map(([folder, name, ending, place, shown]) => `[[${folder}${name}${ending}${place}${shown}]]`),
      fc
        .tuple(fc.constantFrom('', '../', './', '/', 'Deals/'), names, fc.constantFrom('', '#A%20b'), fc.boolean())
        .map(([folder, name, place, isQuoted]) =>
          isQuoted
            ? `[t](<${folder}${name.replaceAll(/[%#]/g, encodeURIComponent)}.md${place}> "t")`
            : `![t](${folder}${encodeURIComponent(name)}.md${place})`,
        ),
      fc.constantFrom('`', '```\n', '\n', ' ', '[[', ']]', '](', ')', '[ref]: Deals/Acme.md\n', 'text'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(' '));

it('after a move each link means the file that it meant, or is left and named (VAULT-024)', () => {
  fc.assert(
    fc.property(vaults, paths, text, fc.nat(), (vault, to, note, at) => {
      const [from = '', source = ''] = [vault[0], vault[at % vault.length]];
      if (vault.includes(to)) return;
      const files: FilesNamed = (end) => vault.filter((path) => isWrittenAs(path, end));
      const before = linksOf(note);
      const { splices, left } = movedLinks(before, source, { from, to, files });
      const edited = spliced(note, splices).text;
      const after = linksOf(edited);
      expect(after).toHaveLength(before.length);
      const newSource = source === from ? to : source;
      const filesAfter = afterMove(files, from, to);
      for (const [index, link] of before.entries()) {
        if (left.some(({ at: place }) => place === link.start)) continue;
        const [meant, means] = [fileMeant(files, source, link), fileMeant(filesAfter, newSource, after[index] ?? link)];
        if (meant?.kind !== 'one') continue;
        expect({ note, edited, file: means?.kind === 'one' ? means.path : null }).toEqual({
          note,
          edited,
          file: meant.path === from ? to : meant.path,
        });
        expect(after[index]?.place).toBe(link.place);
      }
    }),
    { numRuns: rounds(1_000, 50_000) },
  );
});

it('text beside the links of a moved note stays byte for byte (VAULT-024)', () => {
  fc.assert(
    fc.property(text, (note) => {
      const files: FilesNamed = (end) => ['Acme.md'].filter((path) => isWrittenAs(path, end));
      const { splices } = movedLinks(linksOf(note), 'B.md', { from: 'Acme.md', to: 'Deals/New.md', files });
      let at = 0;
      const { text: edited } = spliced(note, splices);
      let shift = 0;
      for (const { start, end, text: part } of splices) {
        expect(edited.slice(at + shift, start + shift)).toBe(note.slice(at, start));
        expect(edited.slice(start + shift, start + shift + part.length)).toBe(part);
        shift += part.length - (end - start);
        at = end;
      }
      expect(edited.slice(at + shift)).toBe(note.slice(at));
    }),
    { numRuns: rounds(500, 10_000) },
  );
});
