import type { FilledReaction } from '#application/ports/reaction-language.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { filledPath, isWithin } from '#domain/reaction-notes/filled-path.ts';
import { type Occasion, onceKey, onceMark } from '#domain/reaction-notes/once-key.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { CallStep, WriteStep } from '#domain/reactions/step.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * The context of a run: its event, the delivery's position in the inbox, the depth of its calls, and the folder of
 * reactions.
 */
type RunPlace = Readonly<{ event: ServiceEvent; seq: number; depth: number; folder: string }>;

/**
 * Returns the steps of an evaluated reaction: the note first, then the calls. A failure is a sentence for the
 * reaction's author.
 */
export function stepsOf(
  reaction: ReactionNote,
  filled: FilledReaction,
  { event, seq, depth, folder }: RunPlace,
): Result<readonly (WriteStep | CallStep)[], string> {
  const { record, name, occurredAt } = event;
  const by = reaction.path;
  if (filled.once?.trim() === '') return err('`once` is empty for this event.');
  const occasion: Occasion = { reaction: by, once: filled.once, record, event: name, occurredAt };
  const calls = reaction.calls.map(({ service, name: operation }, index): CallStep => {
    const key = onceKey(occasion, `${index} ${service}.${operation}`);
    const input = filled.inputs[index] ?? {};
    return { do: 'call', record, by, digest: reaction.digest, service, name: operation, input, key, depth, seq };
  });
  if (filled.path === null) return ok(calls);
  const path = filledPath(filled.path);
  if (path === null) return err(`\`note\` makes no path of a note: ${filled.path.slice(0, 120)}`);
  if (isWithin(folder, path)) return err(`A reaction must not write into ${folder}, where the reactions are.`);
  const entry = filled.text === '' ? null : { heading: filled.heading, text: filled.text, mark: onceMark(occasion) };
  if (entry === null && Object.keys(filled.frontmatter).length === 0) return ok(calls);
  return ok([{ do: 'write', record, by, path, frontmatter: filled.frontmatter, entry }, ...calls]);
}

/** Describes steps that are not applied, for people; `nameOf` returns the name of an operation. */
export function describedSteps(steps: readonly (WriteStep | CallStep)[], nameOf: (call: CallStep) => string): string {
  return steps.map((step) => describedStep(step, nameOf)).join('; ') || 'do nothing';
}

function describedStep(step: WriteStep | CallStep, nameOf: (call: CallStep) => string): string {
  if (step.do === 'call') return `call ${nameOf(step)} with ${JSON.stringify(step.input)}`;
  const keys = Object.entries(step.frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const set = keys.length === 0 ? '' : ` set ${keys.join(', ')}`;
  if (step.entry === null) return `in ${step.path}${set}`;
  const { heading, text } = step.entry;
  return `write into ${step.path}${heading === null ? '' : ` under ${heading}`}:\n${text}${set === '' ? '' : `\nand${set}`}`;
}
