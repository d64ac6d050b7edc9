import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VaultNotes } from '#application/ports/vault-notes.ts';

/** Notes to test, and how to throw them away. */
export type OpenNotes = () => Promise<Readonly<{ notes: VaultNotes; close(): Promise<void> }>>;

const issue =
  '---\ntracker_issue_id: "i-1"\nstatus: "open"\n---\n\n# Deal\n\n## History\n\nfirst ^evt-1\n\n## Notes\n\nmine\n';

/** What all vaults do for the reactions. */
export function vaultNotesContract(name: string, open: OpenNotes): void {
  describe(`vault notes (${name})`, () => {
    let notes: VaultNotes;
    let close: () => Promise<void>;
    const text = async (path: string) => {
      const read = await notes.read(path);
      return read.ok ? (read.value?.content ?? null) : read.failure.reason;
    };

    beforeEach(async () => {
      ({ notes, close } = await open());
    });
    afterEach(() => close());

    it('NOTES-001 reads what was created, with its frontmatter', async () => {
      expect(await notes.create('Issues/A b.md', issue)).toEqual({ ok: true, value: true });
      expect(await notes.read('Issues/A b.md')).toEqual({
        ok: true,
        value: {
          path: 'Issues/A b.md',
          content: issue,
          frontmatter: { tracker_issue_id: 'i-1', status: 'open' },
          version: expect.toBeOneOf([null, expect.any(String)]),
        },
      });
    });

    it('NOTES-002 has null where there is no note', async () => {
      expect(await notes.read('Nowhere.md')).toEqual({ ok: true, value: null });
    });

    it('NOTES-003 does not create over a note that is there', async () => {
      await notes.create('A.md', 'first');
      expect(await notes.create('A.md', 'second')).toEqual({ ok: true, value: false });
      expect(await text('A.md')).toBe('first');
    });

    it('NOTES-004 sets one key, and leaves the others and the text (NOTE-003)', async () => {
      await notes.create('A.md', issue);
      expect((await notes.setFrontmatter('A.md', 'status', 'won')).ok).toBe(true);
      expect((await notes.setFrontmatter('A.md', 'value', 12)).ok).toBe(true);
      const read = await notes.read('A.md');
      expect(read.ok && read.value?.frontmatter).toEqual({ tracker_issue_id: 'i-1', status: 'won', value: 12 });
      expect(await text('A.md')).toContain('## Notes\n\nmine\n');
    });

    it('NOTES-005 gives a note without frontmatter its first key', async () => {
      await notes.create('A.md', 'only text\n');
      await notes.setFrontmatter('A.md', 'status', 'open');
      const read = await notes.read('A.md');
      expect(read.ok && read.value?.frontmatter).toEqual({ status: 'open' });
      expect(await text('A.md')).toContain('only text\n');
    });

    it('NOTES-006 appends under a heading, before the next one', async () => {
      await notes.create('A.md', issue);
      expect((await notes.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2')).ok).toBe(true);
      expect(await text('A.md')).toMatch(/first \^evt-1\n+second \^evt-2\n+## Notes/);
    });

    it('NOTES-007 appends the same text once, however often it is asked', async () => {
      await notes.create('A.md', issue);
      await notes.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2');
      const once = await text('A.md');
      expect((await notes.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2')).ok).toBe(true);
      expect(await text('A.md')).toBe(once);
    });

    it('NOTES-008 makes a heading that is missing', async () => {
      await notes.create('A.md', 'text\n');
      expect((await notes.appendUnderHeading('A.md', ['History'], 'first')).ok).toBe(true);
      expect(await text('A.md')).toMatch(/text\n+# History\n+first/);
    });

    it('NOTES-010 makes a missing heading under the one above it, a level deeper', async () => {
      await notes.create('A.md', '# Deal\n\ntext\n');
      expect((await notes.appendUnderHeading('A.md', ['Deal', 'History'], 'first ^evt-1')).ok).toBe(true);
      expect(await text('A.md')).toMatch(/text\n+## History\n+first \^evt-1\n*$/);
    });

    it('NOTES-011 appends lines at the end of a note', async () => {
      await notes.create('A.md', 'text\n');
      expect((await notes.append('A.md', '\n## History\nfirst\n')).ok).toBe(true);
      expect(await text('A.md')).toMatch(/^text\n+## History\nfirst\n+$/);
    });

    it('NOTES-012 replaces a note only when it is at the version that was read', async () => {
      await notes.create('A.md', 'first\n');
      const read = await notes.read('A.md');
      const version = read.ok ? (read.value?.version ?? null) : null;
      // Vaults that tell no version are never asked to replace a note.
      if (version === null) return;
      expect(await notes.replace('A.md', 'second\n', version)).toEqual({ ok: true, value: true });
      expect(await notes.replace('A.md', 'third\n', version)).toEqual({ ok: true, value: false });
      expect(await text('A.md')).toBe('second\n');
    });

    it('NOTES-009 finds notes by a key of their frontmatter, sorted', async () => {
      await notes.create('B.md', '---\ndeal_id: "7"\n---\n');
      await notes.create('A.md', '---\ndeal_id: "7"\n---\n');
      await notes.create('C.md', '---\ndeal_id: "8"\n---\n');
      expect(await notes.findByFrontmatter('deal_id', '7')).toEqual({ ok: true, value: ['A.md', 'B.md'] });
      expect(await notes.findByFrontmatter('deal_id', '9')).toEqual({ ok: true, value: [] });
    });
  });
}
