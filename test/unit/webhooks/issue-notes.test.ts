import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { failed } from '#domain/operations/outcome.ts';
import { ok } from '#domain/shared/result.ts';
import type { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { issueData, issuePayload } from '#test/support/webhooks/webhook-tracker.ts';

const path = 'Issues/ENG-7 Fix login.md';

type Harness = ReturnType<typeof webhookHarness>;

async function noteAt(
  harness: Harness,
  at = path,
): Promise<{ content: string; frontmatter: Readonly<Record<string, unknown>> }> {
  const read = await harness.vault.read(at);
  if (!read.ok || read.value === null) throw new Error(`no note at ${at}, but ${harness.vault.paths.join(', ')}`);
  return read.value;
}

const update = (more: Readonly<Record<string, unknown>>, updatedFrom: Readonly<Record<string, unknown>>) =>
  issuePayload(startAt, { action: 'update', data: issueData(more), updatedFrom });

const later = '2026-01-23T12:54:00.000Z';
const toDone = update({ updatedAt: later, state: { id: 'd2', name: 'Done' } }, { stateId: 'd1' });

describe('an issue’s note', () => {
  it('is created from the template with the ids of the issue (REACT-005, REACT-006)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    expect(harness.vault.paths).toEqual([path]);
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toEqual({
      tracker_issue_id: 'a7c0f1f6-7a51-4f4e-9d5e-0c2b8e1d4f10',
      tracker_project_id: 'b1',
      tracker_assignee_id: 'c1',
      tracker_priority: 2,
      identifier: 'ENG-7',
      title: 'Fix login',
      status: 'In Progress',
      assignee: 'Ann',
      project: 'Auth',
      priority: 'High',
      labels: ['Bug'],
      url: 'https://tracker.example/acme/issue/ENG-7',
    });
    expect(content).toContain('[ENG-7](<https://tracker.example/acme/issue/ENG-7>)');
    expect(content).toContain('> Steps to see it:\n>\n> 1. Open the page');
    expect(content).toMatch(/## History\n- 2026-01-23 12:53 UTC: created by Bea \^evt-[0-9a-f]{16}\n/);
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ state: 'done', outcome: `created ${path}` }]);
  });

  it('follows an update in its frontmatter, and with a line of history (REACT-005)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(toDone);
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toMatchObject({ status: 'Done', assignee: 'Ann' });
    expect(content).toMatch(/created by Bea \^evt-\w+\n- 2026-01-23 12:54 UTC: Bea moved it to Done \^evt-\w+\n/);
  });

  it('is created by an update if there is none (REACT-005)', async () => {
    const harness = webhookHarness();
    await harness.deliver(toDone);
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'Done' });
  });

  it('stays the same after the same event arrived again under another delivery id (REACT-007)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(toDone);
    const { content } = await noteAt(harness);
    await harness.deliver(toDone);
    await harness.deliver(issuePayload(startAt));
    expect((await noteAt(harness)).content).toBe(content);
    expect(harness.vault.paths).toEqual([path]);
  });

  it('keeps the newer frontmatter when an older event is late, and still adds that to the history (REACT-008)', async () => {
    const harness = webhookHarness();
    await harness.deliver(toDone);
    await harness.deliver(issuePayload(startAt));
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toMatchObject({ status: 'Done' });
    expect(content).toContain('created by Bea');
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ state: 'done', outcome: `late ${path}` }]);
  });

  it('keeps what a person wrote: text, keys, headings (NOTE-004)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    const { content } = await noteAt(harness);
    const mine = content
      .replace('---\n', '---\nmy_key: mine\n')
      .replace('## Notes\n', '# My heading\n\nWhat I think.\n\n## Notes\n');
    harness.vault.write(path, mine);
    await harness.deliver(toDone);
    const after = await noteAt(harness);
    expect(after.frontmatter).toMatchObject({ my_key: 'mine', status: 'Done' });
    expect(after.content).toContain('# My heading\n\nWhat I think.\n');
    expect(after.content.match(/## History/g)).toHaveLength(1);
  });

  it('has a line of history once, even if a person has reworded it', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    harness.vault.write(path, (await noteAt(harness)).content.replace('created by Bea', 'how it all began'));
    await harness.deliver(issuePayload(startAt));
    const { content } = await noteAt(harness);
    expect(content).toContain('how it all began');
    expect(content.match(/\^evt-/g)).toHaveLength(1);
  });

  it('contains nothing that runs, embeds or links, whatever the issue says (NOTE-005)', async () => {
    const harness = webhookHarness();
    const title = 'a <% tp %> ![[b]] `= c` key:: value';
    const description = `${title}\n\`\`\`dataviewjs\n<%* evil() %>\n\`\`\`\n<script>x</script>`;
    const issue = { title, description, labels: [{ name: '<%* d %>' }], state: { id: 'd2', name: '[[Done]]' } };
    await harness.deliver(update({ updatedAt: later, ...issue }, { title: 'b', stateId: 'd1' }));
    const before = await noteAt(harness, harness.vault.paths[0]);
    expect(before.content).not.toMatch(/(?<!\\)<(?!https:)[%a-z]|\[\[|!\[[^ \]]*\]|```dataviewjs|^[>-].*::/m);
    expect(before.frontmatter).toMatchObject({ title: "a ‹% tp %› ![ [b]] '= c' key:: value", labels: ['‹%* d %›'] });
    await harness.deliver(update({ updatedAt: later, ...issue }, { title: 'b', stateId: 'd1' }));
    expect(await noteAt(harness, harness.vault.paths[0])).toEqual(before);
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ outcome: `unchanged ${harness.vault.paths[0]}` }]);
  });

  it('has its line of history even if its description was written to have it left out', async () => {
    const [harness, other] = [webhookHarness(), webhookHarness()];
    await harness.deliver(issuePayload(startAt));
    const mark = /\^evt-\w+/.exec((await noteAt(harness)).content)?.[0] ?? '';
    const description = `x ${mark}\n\n\`\`\`\ny ${mark}\n\`\`\``;
    await other.deliver(issuePayload(startAt, { data: issueData({ description }) }));
    expect((await noteAt(other)).content).toContain(`created by Bea ${mark}`);
  });

  it('restores History on its second level', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    harness.vault.write(path, (await noteAt(harness)).content.replace(/## History[\s\S]*$/, 'my last words'));
    await harness.deliver(toDone);
    expect((await noteAt(harness)).content).toMatch(/my last words\n\n## History\n- 2026-01-23 12:54 UTC: .*\n$/);
    const { content } = await noteAt(harness);
    await harness.deliver(toDone);
    expect((await noteAt(harness)).content).toBe(content);
  });

  it('is found again when a person has renamed or moved it (NOTE-002)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    const { content } = await noteAt(harness);
    harness.vault.write(path, null);
    harness.vault.write('Archive/Login.md', content);
    await harness.deliver(toDone);
    expect(harness.vault.paths).toEqual(['Archive/Login.md']);
    expect((await noteAt(harness, 'Archive/Login.md')).frontmatter).toMatchObject({ status: 'Done' });
  });

  it('is created again when it was deleted, but not by a late event', async () => {
    const harness = webhookHarness();
    await harness.deliver(toDone);
    harness.vault.write(path, null);
    await harness.deliver(issuePayload(startAt));
    expect(harness.vault.paths).toEqual([]);
    await harness.deliver(update({ updatedAt: '2026-01-23T12:55:00.000Z', priority: 1 }, { priority: 2 }));
    expect(harness.vault.paths).toEqual([path]);
  });

  it('is created next to a note that already has its path (NOTE-008)', async () => {
    const harness = webhookHarness();
    harness.vault.write(path, 'What I wrote long ago.');
    await harness.deliver(issuePayload(startAt));
    expect(harness.vault.paths).toEqual(['Issues/ENG-7 Fix login (a7c0f1f6-7a5).md', path]);
    expect((await noteAt(harness)).content).toBe('What I wrote long ago.');
  });

  it('stays when the issue is removed, with the status removed (REACT-010)', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(issuePayload(startAt, { action: 'remove' }));
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toMatchObject({ status: 'removed', title: 'Fix login' });
    expect(content).toContain('removed by Bea');
  });

  it('is not created for an issue that is removed', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt, { action: 'remove' }));
    expect(harness.vault.paths).toEqual([]);
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ state: 'done', outcome: 'no_note' }]);
  });

  it('takes no instructions from what the issue says', async () => {
    const harness = webhookHarness();
    const title = 'x"\n---\nadmin: true\n---\n# ../../evil [[link]]';
    const description = '---\nadmin: true\n---\n## History\n- forged ^evt-0';
    await harness.deliver(
      issuePayload(startAt, { data: issueData({ title, description, url: 'javascript:alert(1)' }) }),
    );
    expect(harness.vault.paths).toEqual(['Issues/ENG-7 x --- admin true --- .. .. evil link.md']);
    const { content, frontmatter } = await noteAt(harness, harness.vault.paths[0]);
    expect(frontmatter['title']).toBe('x" --- admin: true --- # ../../evil [ [link]]');
    expect(frontmatter).not.toHaveProperty('admin');
    expect(Object.keys(parse(content.split('---\n')[1] ?? ''))).toHaveLength(12);
    expect(content).not.toMatch(/^## History\n- forged/m);
    expect(content).not.toContain('](<javascript');
  });
});

describe('draining the inbox', () => {
  it('retries when the vault is unavailable, in the order of the events, until everything is there (INBOX-002)', async () => {
    let isAway = true;
    const away = { ok: false, failure: failed('unavailable', 'The vault does not answer.') } as const;
    const harness = webhookHarness((vault) => ({
      read: async (at) => (isAway ? away : vault.read(at)),
      create: async (at, content) => (isAway ? away : vault.create(at, content)),
      setFrontmatter: async (at, key, value) => (isAway ? away : vault.setFrontmatter(at, key, value)),
      appendUnderHeading: async (at, heading, text) => (isAway ? away : vault.appendUnderHeading(at, heading, text)),
      append: async (at, text) => (isAway ? away : vault.append(at, text)),
      replace: async (at, text, version) => (isAway ? away : vault.replace(at, text, version)),
      findByFrontmatter: async (key, value) => (isAway ? away : vault.findByFrontmatter(key, value)),
    }));
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(toDone);
    expect(await harness.inbox.list({ limit: 2 })).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 1, error: 'unavailable: The vault does not answer.' },
    ]);
    isAway = false;
    harness.clock.advance(600_000);
    await harness.drain.run();
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'Done' });
    expect((await noteAt(harness)).content).toMatch(/created by Bea.*\n.*Bea moved it to Done/);
  });

  it('continues within an entry where it was interrupted', async () => {
    let writes = 0;
    const breaking = (vault: MemoryVaultNotes): VaultNotes => ({
      read: (at) => vault.read(at),
      create: (at, content) => vault.create(at, content),
      setFrontmatter: (at, key, value) => vault.setFrontmatter(at, key, value),
      appendUnderHeading: async (at, heading, text) => {
        writes += 1;
        if (writes === 1) throw new Error('broken');
        return vault.appendUnderHeading(at, heading, text);
      },
      append: (at, text) => vault.append(at, text),
      replace: (at, text, version) => vault.replace(at, text, version),
      findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
    });
    const harness = webhookHarness(breaking, undefined, undefined, null);
    await harness.deliver(issuePayload(startAt));
    expect(await harness.inbox.counts()).toMatchObject({ pending: 1 });
    harness.clock.advance(1000);
    await harness.drain.run();
    expect(harness.vault.paths).toEqual([path]);
    expect((await noteAt(harness)).content.match(/\^evt-/g)).toHaveLength(1);
  });

  it('continues in the note that another process has created, even if the index does not know it yet (INBOX-013)', async () => {
    const unindexed = () =>
      webhookHarness((vault) => ({
        ...writesOf(vault, []),
        read: (at) => vault.read(at),
        findByFrontmatter: async () => ok([]),
      }));
    const [one, other] = [unindexed(), unindexed()];
    await one.deliver(issuePayload(startAt));
    other.vault.write(path, (await noteAt(one)).content);
    await other.deliver(issuePayload(startAt));
    await other.deliver(toDone);
    expect(other.vault.paths).toEqual([path]);
    expect((await noteAt(other)).content.match(/\^evt-/g)).toHaveLength(2);
  });

  it('writes all changes of a delivery to a note at once', async () => {
    const written: string[] = [];
    const harness = webhookHarness((vault) => ({
      ...writesOf(vault, written),
      read: (at) => vault.read(at),
      findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
    }));
    await harness.deliver(issuePayload(startAt));
    expect(written).toEqual(['create']);
    await harness.deliver(toDone);
    expect(written).toEqual(['create', 'replace']);
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'Done' });
    expect((await noteAt(harness)).content.match(/\^evt-/g)).toHaveLength(2);
  });

  it('repeats its changes on what a person has written meanwhile', async () => {
    let isEdited = false;
    const harness = webhookHarness((vault) => ({
      ...writesOf(vault, []),
      read: (at) => vault.read(at),
      findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
      replace: async (at, content, version) => {
        const read = await vault.read(at);
        if (!isEdited && read.ok) vault.write(at, (read.value?.content ?? '').replace('## Notes', '## Notes\nmine'));
        isEdited = true;
        return vault.replace(at, content, version);
      },
    }));
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(toDone);
    const { content, frontmatter } = await noteAt(harness);
    expect(content).toContain('## Notes\nmine');
    expect(content.match(/\^evt-/g)).toHaveLength(2);
    expect(frontmatter).toMatchObject({ status: 'Done' });
  });

  it('writes one change after the other if the vault returns no version', async () => {
    const written: string[] = [];
    const harness = webhookHarness((vault) => ({
      ...writesOf(vault, written),
      read: async (at) => {
        const read = await vault.read(at);
        return read.ok && read.value !== null ? ok({ ...read.value, version: null }) : read;
      },
      findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
    }));
    await harness.deliver(issuePayload(startAt));
    await harness.deliver(toDone);
    expect(written).toEqual(['create', 'set status', 'append under History']);
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'Done' });
  });

  it('gives an entry up when it has failed for 24 hours (INBOX-003)', async () => {
    const away = { ok: false, failure: failed('unavailable', 'The vault does not answer.') } as const;
    const harness = webhookHarness((vault) => ({
      read: (at) => vault.read(at),
      create: async () => away,
      setFrontmatter: async () => away,
      appendUnderHeading: async () => away,
      append: async () => away,
      replace: async () => away,
      findByFrontmatter: async () => away,
    }));
    await harness.deliver(issuePayload(startAt));
    harness.clock.advance(86_399_999);
    await harness.drain.run();
    expect(await harness.inbox.counts()).toMatchObject({ pending: 1, dead: 0 });
    harness.clock.advance(900_000);
    await harness.drain.run();
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ state: 'dead', attempts: 3 }]);
    expect(harness.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'delivery is dead',
      delivery: expect.stringMatching(/^tracker\/delivery-1\.[0-9a-f]{32}$/),
    });
  });

  it.each([
    ['an event that is none of ours', { type: 'Weather' }, 'ignored'],
    ['an action that is none of ours', { action: 'paint' }, 'ignored'],
    ['an event that nothing reacts to', { type: 'Comment' }, 'ignored'],
    ['an issue without an id', { data: { title: 'x' } }, 'dead'],
  ])('marks %s (HOOK-011, INBOX-004)', async (_, more, state) => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt, more));
    const error = state === 'dead' ? expect.stringMatching(/^\w+/) : null;
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ state, error }]);
    expect(harness.vault.paths).toEqual([]);
  });

  it('is not blocked by a failed delivery without a record', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt, { data: { title: 'x' } }));
    await harness.deliver(issuePayload(startAt));
    expect(harness.vault.paths).toEqual([path]);
  });

  it('logs a delivery under one id from receipt to note, without its content', async () => {
    const harness = webhookHarness();
    await harness.deliver(issuePayload(startAt));
    expect(harness.lines.map(({ message }) => message)).toEqual(['delivery kept', 'delivery done']);
    expect(new Set(harness.lines.map(({ delivery }) => delivery))).toEqual(
      new Set([expect.stringMatching(/^tracker\/delivery-1\.[0-9a-f]{32}$/)]),
    );
    expect(JSON.stringify(harness.lines)).not.toContain('Steps to see it');
  });
});

/** The vault's writes, each of them reported. */
const writesOf = (vault: MemoryVaultNotes, written: string[]): Omit<VaultNotes, 'read' | 'findByFrontmatter'> => ({
  create: (at, content) => {
    written.push('create');
    return vault.create(at, content);
  },
  setFrontmatter: (at, key, value) => {
    written.push(`set ${key}`);
    return vault.setFrontmatter(at, key, value);
  },
  appendUnderHeading: (at, heading, text) => {
    written.push(`append under ${heading.at(-1)}`);
    return vault.appendUnderHeading(at, heading, text);
  },
  append: (at, text) => {
    written.push('append');
    return vault.append(at, text);
  },
  replace: (at, content, version) => {
    written.push('replace');
    return vault.replace(at, content, version);
  },
});
