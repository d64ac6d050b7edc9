import { hash } from 'node:crypto';
import { namesFor } from '#domain/reaction-notes/known-events.ts';
import {
  type ReactionFault,
  type ReactionMode,
  type ReactionTrigger,
  type ReadReaction,
  reactionModes,
} from '#domain/reaction-notes/reaction-note.ts';
import { readCalls, templateFaults } from '#domain/reaction-notes/read-calls.ts';
import { readTrigger } from '#domain/reaction-notes/read-trigger.ts';
import { statusKey } from '#domain/reaction-notes/status-line.ts';
import type { ReactionChecks, WrittenReaction } from '#domain/reaction-notes/written-reaction.ts';
import { own } from '#domain/shared/own.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

const ownKeys = ['reaction', 'when', 'zone', 'if', 'note', 'under', 'once', 'set', 'do', statusKey];
/** Keys that users and notes apps use for the note itself. */
const keysOfNotes = ['tags', 'aliases', 'cssclasses', 'description', 'title', 'publish'];

/** The maximum number of triggers of one reaction. */
const maxTriggers = 20;

/**
 * Parses and validates a reaction; reports all errors at once, each with its line. Without errors the reaction is ready
 * to run.
 */
export function readReaction(written: WrittenReaction, checks: ReactionChecks): ReadReaction {
  const { path, values, body, errors, bodyLine, lineOf, isYaml } = written;
  const said = own(values, statusKey);
  const status = typeof said === 'string' ? said : null;
  if (errors.length > 0) return { path, status, isYaml, reaction: null, faults: errors };
  const faults: ReactionFault[] = [];
  const fault = (place: readonly (string | number)[], message: string) => ({ line: lineOf(place), message });
  const text = (key: string): string | null => {
    const value = own(values, key) ?? null;
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'boolean' || typeof value === 'number') return String(value);
    faults.push(fault([key], `\`${key}\` must be a text.`));
    return null;
  };
  faults.push(...unknownKeys(values, fault));
  const mode = modeOf(values['reaction']);
  if (mode === null) faults.push(fault(['reaction'], '`reaction` must be on, off or dry.'));
  const triggers = triggersOf(written, text('zone'), checks, faults);
  const names = triggers
    .map(namesFor)
    .reduce((all, some) => all.filter((name) => some.includes(name)), allNames(triggers));
  const condition = text('if');
  if (condition !== null) {
    const wrong = checks.expression(condition, names);
    if (wrong !== null) faults.push(fault(['if'], wrong));
  }
  const [note, under, once] = [text('note'), text('under'), text('once')];
  for (const key of ['note', 'under', 'once']) {
    faults.push(...templateFaults(text(key), [key], (template) => checks.template(template, names), fault));
  }
  const set = setOf(values['set']);
  if (set === null) faults.push(fault(['set'], '`set` must be an object of single values and lists of texts.'));
  faults.push(...templateFaults(set, ['set'], (template) => checks.template(template, names), fault));
  const { calls, faults: ofCalls } = readCalls(written, names, checks);
  faults.push(...ofCalls);
  const inBody = checks.template(body, names);
  if (inBody !== null) faults.push({ line: bodyLine + inBody.line - 1, message: inBody.message });
  faults.push(
    ...lacks(
      { note, under, hasSet: Object.keys(set ?? {}).length > 0, body, hasCalls: calls.length > 0 },
      checks,
      fault,
    ),
  );
  if (faults.length > 0)
    return { path, status, isYaml, reaction: null, faults: faults.toSorted((left, right) => left.line - right.line) };
  const parts = { mode: mode ?? 'off', triggers, condition, note, under, once, set: set ?? {}, calls, body };
  return { path, status, isYaml, reaction: { path, digest: digestOf([path, parts]), ...parts }, faults: [] };
}

type Fault = (place: readonly (string | number)[], message: string) => ReactionFault;

/** Returns a digest of everything that affects a reaction's behaviour; an administrator's permission is tied to it. */
function digestOf(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts));
}

function unknownKeys(values: Readonly<Record<string, unknown>>, fault: Fault): readonly ReactionFault[] {
  return Object.keys(values)
    .filter((key) => !ownKeys.includes(key) && !keysOfNotes.includes(key))
    .map((key) => {
      const near = nearestName(key, ownKeys);
      const hint = near === null ? `a reaction has ${ownKeys.slice(0, -1).join(', ')}` : `did you mean \`${near}\`?`;
      return fault([key], `There is no key \`${key.slice(0, 60)}\`; ${hint}${near === null ? '.' : ''}`);
    });
}

function modeOf(value: unknown): ReactionMode | null {
  // Frontmatter editors write `on` as a checkbox, that is, a boolean.
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return reactionModes.find((mode) => mode === value) ?? null;
}

function triggersOf(
  { values, lineOf }: WrittenReaction,
  zone: string | null,
  checks: ReactionChecks,
  faults: ReactionFault[],
): readonly ReactionTrigger[] {
  const when = values['when'] ?? null;
  const given: readonly unknown[] = Array.isArray(when) ? when : when === null ? [] : [when];
  if (given.length === 0 || given.length > maxTriggers) {
    const message = `\`when\` must name an event such as \`tracker.issue.create\`, or up to ${maxTriggers} of them.`;
    faults.push({ line: lineOf(['when']), message });
    return [];
  }
  return given.flatMap((value, index) => {
    const read = readTrigger(value, zone, checks);
    if (read.ok) return [read.value];
    faults.push({ line: lineOf(Array.isArray(when) ? ['when', index] : ['when']), message: read.failure });
    return [];
  });
}

/** Returns the union of the names that the triggers provide. */
function allNames(triggers: readonly ReactionTrigger[]): readonly string[] {
  return [...new Set(triggers.flatMap(namesFor))];
}

function setOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return null;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const isPlain = (member: unknown) => member === null || typeof member !== 'object';
  const isFit = Object.values(members).every(
    (member) => isPlain(member) || (Array.isArray(member) && member.every((item) => typeof item === 'string')),
  );
  return isFit ? members : null;
}

type Parts = Readonly<{ note: string | null; under: string | null; hasSet: boolean; body: string; hasCalls: boolean }>;

/** Reports members that are missing, or given without effect. */
function lacks(
  { note, under, hasSet, body, hasCalls }: Parts,
  { folder }: ReactionChecks,
  fault: Fault,
): readonly ReactionFault[] {
  const hasText = body.trim() !== '';
  if (note === null) {
    if (hasText || under !== null || hasSet) {
      return [
        fault(['reaction'], 'There is no `note`: the path of the note that the text, `under` and `set` are for.'),
      ];
    }
    return hasCalls ? [] : [fault(['reaction'], 'It does nothing: it needs `note` with a text or `set`, or `do`.')];
  }
  const faults: ReactionFault[] = [];
  if (!/\.md$/i.test(note.trim())) faults.push(fault(['note'], '`note` must be a path that ends in .md.'));
  if (note.trim().startsWith('/') || /(?:^|\/)\.\.?(?:\/|$)/.test(note) || note.includes('\\')) {
    faults.push(fault(['note'], '`note` must lead from the top of the vault, without empty names, . or ..'));
  }
  if (note.trim().toLowerCase().startsWith(`${folder.toLowerCase()}/`)) {
    faults.push(fault(['note'], `A reaction must not write into ${folder}, where the reactions are.`));
  }
  if (!hasText && !hasSet)
    faults.push(fault(['note'], 'There is nothing to write: no text below the frontmatter, and no `set`.'));
  return faults;
}
