import type { ReactionCount } from '#application/ports/reaction-log.ts';
import type { ManageReactions, ShownReaction } from '#application/reactions/manage-reactions.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { TrialBounds, TriedEvent } from '#application/reactions/try-reaction.ts';
import { type ReactionNote, statusLine, triggerText } from '#domain/reaction-notes/reaction-note.ts';

type ReactionOutcomesDependencies = Readonly<{
  book: Pick<ReactionBook, 'all'>;
  reactions: Pick<ManageReactions, 'list' | 'show' | 'try'>;
}>;

/** The maximum number of reactions listed. */
const maxLines = 100;
/** The maximum number of deliveries listed, and the maximum length of the text, in characters. */
const maxListed = 10;
const maxText = 24_000;

/** Describes what a reaction has done, or would have done, as Markdown for its author. */
export class ReactionOutcomes {
  readonly #dependencies: ReactionOutcomesDependencies;

  constructor(dependencies: ReactionOutcomesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the paths of the reactions. */
  paths(): readonly string[] {
    return this.#dependencies.book.all().map(({ path }) => path);
  }

  /** Describes each reaction in a line. */
  async listed(): Promise<readonly string[]> {
    const all = await this.#dependencies.reactions.list();
    const lines = all.slice(0, maxLines).map((one) => {
      const { count, reaction, path } = one;
      const when = reaction?.triggers.map(triggerText).join(', ') ?? '';
      const runs = runsText(count) ?? 'has not run';
      return `- ${path}: ${reaction?.mode ?? 'faulty'}, ${[when, runs, statusLine(one)].filter((part) => part !== '').join(', ')}`;
    });
    const left = all.length - lines.length;
    return left === 0 ? lines : [...lines, `- … and ${left} more`];
  }

  /**
   * Describes one reaction; `trial` adds a dry run on the latest matching deliveries within its bounds. The last outcome
   * is left out of one whose events the caller cannot read. Null when there is none at that path.
   */
  async of(
    path: string,
    trial: TrialBounds | null,
    canRead: (reaction: ReactionNote) => boolean = () => true,
  ): Promise<string | null> {
    const { reactions } = this.#dependencies;
    const shown = await reactions.show(path);
    if (shown === null) return null;
    const tried = trial !== null && shown.reaction !== null ? await reactions.try(path, trial) : null;
    return `${[...factsOf(shown, shown.reaction === null || canRead(shown.reaction)), ...triedText(tried)].join('\n')}\n`.slice(
      0,
      maxText,
    );
  }
}

/** Says how often a reaction ran and failed: '2 runs, 1 fault'; null without a count. */
export function runsText(count: Pick<ReactionCount, 'runs' | 'faults'> | null): string | null {
  if (count === null) return null;
  const { runs, faults } = count;
  return `${runs} ${runs === 1 ? 'run' : 'runs'}, ${faults} ${faults === 1 ? 'fault' : 'faults'}`;
}

function factsOf(
  { path, reaction, faults, count, approval, refusal, closed, open }: ShownReaction,
  isOpen: boolean,
): readonly string[] {
  const isAllowed = reaction === null || reaction.calls.length === 0 || approval !== null || refusal !== null;
  const comment = refusal === null || refusal.comment === null ? '' : `: ${refusal.comment.replaceAll(/\s+/g, ' ')}`;
  return [
    `# ${path}`,
    '',
    `- state: ${reaction?.mode ?? 'faulty'}`,
    ...faults.map(({ line, message }) => `- fault in line ${line}: ${message}`),
    ...(isAllowed ? [] : ['- its calls wait until an administrator allows this text on /approvals']),
    ...(refusal === null ? [] : [`- an administrator refused this text${comment}`]),
    ...(closed.length === 0 || refusal !== null
      ? []
      : [`- waits until an administrator allows it: not everybody who may use the vault may use ${closed.join(', ')}`]),
    ...(open.length === 0 ? [] : [`- ${open.length} calls wait for an administrator`]),
    count === null
      ? '- has not run'
      : `- ${runsText(count)}; the last, ${timeText(count.at)}: ${isOpen ? count.outcome : 'it read events of services that this caller does not have'}`,
  ];
}

/** Describes a dry run in lines of Markdown; none for null. */
export function triedText(tried: readonly TriedEvent[] | null): readonly string[] {
  if (tried === null) return [];
  const results = tried
    .slice(0, maxListed)
    .flatMap(({ event, at, changes, ending }) => [
      `- ${event}, ${timeText(at)}: ${ending}`,
      ...changes.map((change) => change.replace(/^/gm, '      ')),
    ]);
  return [
    '',
    '## What it would have done for the last matching deliveries',
    '',
    ...(results.length === 0 ? ['No matching delivery has arrived yet.'] : results),
  ];
}

const timeText = (at: number): string => new Date(at).toISOString();
