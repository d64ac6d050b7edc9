import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runReactionsCommand } from '#adapters/cli/reactions-command.ts';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { noOtherServers } from '#application/ports/other-servers.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { ManageReactions } from '#application/reactions/manage-reactions.ts';
import { ReactionBook } from '#application/reactions/reaction-book.ts';
import { failed } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';

const language = new ReactionThreads({
  senders: ['sales_crm'],
  folder: 'Reactions',
  checkCall: () => () => ({ operation: null, nearest: null, errors: [] }),
});
afterAll(() => language.close());

let vault: MemoryVaultNotes;
let log: MemoryReactionLog;
let isReachable: boolean;
let tried: string[];
let said: string[];
let complained: string[];
let opened: number;

const good = '---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: Log.md\n---\n- {{ deal.title }}\n';

beforeEach(() => {
  vault = new MemoryVaultNotes();
  log = new MemoryReactionLog();
  [isReachable, tried, said, complained, opened] = [true, [], [], [], 0];
  vault.write('Reactions/won.md', good);
});

const clock = new SettableClock(startAt);
const reactionsOf = () => {
  const paths = {
    paths: async () =>
      isReachable
        ? ok(vault.paths.filter((path) => path.startsWith('Reactions/')))
        : err(failed('unavailable', 'down')),
    stamps: async () => new Map<string, string>(),
    text: async (path: string) => {
      const note = await vault.read(path);
      return note.ok ? ok(note.value?.content ?? null) : note;
    },
  };
  const book = new ReactionBook({ paths, notes: vault, language, log, clock, logger: rememberingLogger().logger });
  const tries = {
    run: async ({ path }: Readonly<{ path: string }>) => {
      tried.push(path);
      return [
        {
          seq: 7,
          event: 'sales_crm.updated.deal',
          at: startAt,
          isMet: true,
          changes: ['append\u001b[2J'],
          ending: 'updated Log.md',
        },
        { seq: null, event: 'schedule.due', at: startAt, isMet: false, changes: [], ending: 'nothing' },
      ];
    },
  };
  return new ManageReactions({
    book,
    log,
    inbox: { replay: async () => true },
    reading: { waiting: async () => new Map() },
    tries,
    clock,
    onReplay: () => undefined,
  });
};

const run = (args: readonly string[], hasVault = true) =>
  runReactionsCommand(args, {
    open: async () => {
      opened += 1;
      const switches = new BuiltInSwitches({ log, others: noOtherServers, clock });
      const close = async () => {
        opened -= 1;
      };
      return { reactions: hasVault ? reactionsOf() : null, switches, close };
    },
    terminal: { say: (text) => void said.push(text), complain: (text) => void complained.push(text) },
  });

describe('reactions list', () => {
  it('lists the built-in reactions, then the written ones with their results (WRITE-022)', async () => {
    vault.write('Reactions/bad.md', good.replace('note:', 'noet:'));
    await log.setSwitch('deal-updated', false);
    await log.noteRuns([
      { reaction: 'Reactions/won.md', seq: 1, at: startAt, result: 'ran', outcome: 'updated\nLog.md\u0007' },
    ]);
    expect(await run(['list'])).toBe(0);
    const lines = said.join('\n').split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^deal-updated {2}built in, off/);
    expect(lines[1]).toMatch(/^party-updated {2}built in, on/);
    expect(lines[5]).toMatch(/^Reactions\/bad\.md {2}faulty {2}line 4: .* \(and 1 more\)$/);
    expect(lines[6]).toBe('Reactions/won.md  on  1 run, 0 faults, last: updated Log.md\\u0007');
    expect(opened).toBe(0);
  });

  it('reports that the vault does not answer, or that notes go elsewhere (WRITE-022)', async () => {
    isReachable = false;
    expect(await run(['list'])).toBe(1);
    expect(said[0]).toMatch(/\nThe reactions could not be read: the vault did not answer\.$/);
    expect(await run(['list'], false)).toBe(0);
    expect(await run(['check'], false)).toBe(1);
    expect(said[2]).toBe('This server does not write notes into a vault, so there are no reactions.');
  });
});

describe('reactions check', () => {
  it('reports every error with its file and line, and exits with 1 (WRITE-022)', async () => {
    expect(await run(['check'])).toBe(0);
    vault.write('Reactions/bad.md', `${good.replace('note:', 'noet:')}{{ deel.title }}\n`);
    expect(await run(['check'])).toBe(1);
    expect(said[0]).toBe('One reaction is valid.');
    expect(said[1]?.split('\n').map((line) => line.replace(/ .*/, ''))).toEqual([
      'Reactions/bad.md:4:',
      'Reactions/bad.md:7:',
      'Reactions/bad.md:2:',
    ]);
  });

  it('fails if nothing could be read (WRITE-022)', async () => {
    isReachable = false;
    expect(await run(['check'])).toBe(1);
    expect(said).toEqual(['The reactions could not be read: the vault did not answer.']);
  });
});

describe('reactions dry-run', () => {
  it('shows what each delivery would have caused, without control characters (WRITE-022)', async () => {
    expect(await run(['dry-run', 'Reactions/won.md'])).toBe(0);
    expect(said).toEqual([
      '7  sales_crm.updated.deal: updated Log.md\nappend\\u001b[2J\n\nschedule  schedule.due: nothing',
    ]);
    expect(tried).toEqual(['Reactions/won.md']);
  });

  it('reports what is wrong with the named reaction (WRITE-022)', async () => {
    vault.write('Reactions/bad.md', good.replace('note:', 'noet:'));
    expect(await run(['dry-run', 'Reactions/bad.md'])).toBe(1);
    expect(await run(['dry-run', 'Reactions/wan.md'])).toBe(1);
    expect(said[0]).toMatch(/^Reactions\/bad\.md, line 4: /);
    expect(said[1]).toBe('There is no reaction Reactions/wan.md. Did you mean Reactions/won.md?');
    expect(tried).toEqual([]);
  });
});

it('npm run reactions opens nothing when an argument is missing (WRITE-022)', async () => {
  expect(await run(['dry-run'])).toBe(2);
  expect(await run(['chek'])).toBe(2);
  expect(await run(['--help'])).toBe(0);
  expect(complained.join('\n')).toMatch(/missing required argument[\s\S]*unknown command 'chek'/);
  expect(said.join('\n')).toContain('dry-run <path>');
});
