import { hash } from 'node:crypto';
import { FaultList } from '#domain/reaction-notes/fault-list.ts';
import { namesFor } from '#domain/reaction-notes/known-events.ts';
import {
  type ReactionMode,
  type ReactionTrigger,
  type ReadReaction,
  reactionModes,
} from '#domain/reaction-notes/reaction-note.ts';
import { type AddFault, checkTemplates, readCalls } from '#domain/reaction-notes/read-calls.ts';
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
 * Parses and validates a reaction; reports its errors, up to `maxFaults`, each with its line. Without errors the reaction
 * is ready to run.
 */
export function readReaction(written: WrittenReaction, checks: ReactionChecks): ReadReaction {
  const { path, values, body, errors, bodyLine, lineOf, isYaml } = written;
  const faults = new FaultList();
  for (const error of errors) faults.add(error);
  if (errors.length > 0) return { path, isYaml, reaction: null, faults: faults.all() };
  const add: AddFault = (place, message) => faults.add({ line: lineOf(place), message });
  const text = (key: string): string | null => {
    const value = own(values, key) ?? null;
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'boolean' || typeof value === 'number') return String(value);
    add([key], `\`${key}\` must be a text.`);
    return null;
  };
  unknownKeys(values, add, faults);
  const mode = modeOf(values['reaction']);
  if (mode === null) add(['reaction'], '`reaction` must be on, off or dry.');
  const triggers = triggersOf(written, text('zone'), checks, add);
  const names = triggers
    .map(namesFor)
    .reduce((all, some) => all.filter((name) => some.includes(name)), allNames(triggers));
  const template = (value: unknown, place: readonly (string | number)[]) =>
    checkTemplates(value, place, { check: (one) => checks.template(one, names), add, faults });
  const condition = text('if');
  const wrong = condition === null ? null : checks.expression(condition, names);
  if (wrong !== null) add(['if'], wrong);
  const [note, under, once] = [text('note'), text('under'), text('once')];
  for (const [key, value] of Object.entries({ note, under, once })) template(value, [key]);
  const set = setOf(values['set']);
  if (set === null) add(['set'], '`set` must be an object of single values and lists of texts.');
  template(set, ['set']);
  const calls = readCalls(written, checks, { template, add, faults });
  const inBody = faults.isFull ? null : checks.template(body, names);
  if (inBody !== null) faults.add({ line: bodyLine + inBody.line - 1, message: inBody.message });
  // Steps that are faulty are reported as such, and not as missing.
  const steps = values['do'] ?? [];
  const hasCalls = !Array.isArray(steps) || steps.length > 0;
  const has = { hasSet: Object.keys(set ?? {}).length > 0, hasCalls };
  const addLack: AddFault = (place, message) => faults.add({ line: lineOf(place), message }, true);
  reportLacks({ note, under, body, ...has }, checks, addLack);
  if (faults.all().length > 0) return { path, isYaml, reaction: null, faults: faults.all() };
  const parts = { mode: mode ?? 'off', triggers, condition, note, under, once, set: set ?? {}, calls, body };
  return { path, isYaml, reaction: { path, digest: digestOf([path, parts]), ...parts }, faults: [] };
}

/** Returns a digest of everything that affects a reaction's behaviour; an administrator's permission is tied to it. */
function digestOf(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts));
}

function unknownKeys(values: Readonly<Record<string, unknown>>, add: AddFault, faults: FaultList): void {
  for (const key of Object.keys(values)) {
    if (faults.isFull) return;
    if (ownKeys.includes(key) || keysOfNotes.includes(key)) continue;
    const near = nearestName(key, ownKeys);
    const hint = near === null ? `a reaction has ${ownKeys.slice(0, -1).join(', ')}.` : `did you mean \`${near}\`?`;
    add([key], `There is no key \`${key.slice(0, 60)}\`; ${hint}`);
  }
}

function modeOf(value: unknown): ReactionMode | null {
  // Frontmatter editors write `on` as a checkbox, that is, a boolean.
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return reactionModes.find((mode) => mode === value) ?? null;
}

function triggersOf(
  { values }: WrittenReaction,
  zone: string | null,
  checks: ReactionChecks,
  add: AddFault,
): readonly ReactionTrigger[] {
  const when = values['when'] ?? null;
  const given: readonly unknown[] = Array.isArray(when) ? when : when === null ? [] : [when];
  if (given.length === 0 || given.length > maxTriggers) {
    add(['when'], `\`when\` must name an event such as \`tracker.issue.create\`, or up to ${maxTriggers} of them.`);
    return [];
  }
  return given.flatMap((value, index) => {
    const read = readTrigger(value, zone, checks);
    if (read.ok) return [read.value];
    add(Array.isArray(when) ? ['when', index] : ['when'], read.failure);
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
function reportLacks({ note, under, hasSet, body, hasCalls }: Parts, { folder }: ReactionChecks, add: AddFault): void {
  const hasText = body.trim() !== '';
  if (note === null) {
    if (hasText || under !== null || hasSet)
      add(['reaction'], 'There is no `note`: the path of the note that the text, `under` and `set` are for.');
    else if (!hasCalls) add(['reaction'], 'It does nothing: it needs `note` with a text or `set`, or `do`.');
    return;
  }
  if (!/\.md$/i.test(note.trim())) add(['note'], '`note` must be a path that ends in .md.');
  if (note.trim().startsWith('/') || /(?:^|\/)\.\.?(?:\/|$)/.test(note) || note.includes('\\')) {
    add(['note'], '`note` must lead from the top of the vault, without empty names, . or ..');
  }
  if (note.trim().toLowerCase().startsWith(`${folder.toLowerCase()}/`)) {
    add(['note'], `A reaction must not write into ${folder}, where the reactions are.`);
  }
  if (!hasText && !hasSet) add(['note'], 'There is nothing to write: no text below the frontmatter, and no `set`.');
}
