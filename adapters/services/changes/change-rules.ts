import { z } from 'zod';
import type { ChangeRule, ReverseCall, RuledPlan } from '#adapters/services/changes/change-rule.ts';
import type { Members } from '#adapters/services/changes/changed-values.ts';
import { customKeys, groupedMembers, isSame, withoutSteps } from '#adapters/services/changes/changed-values.ts';
import { isKeptAs } from '#adapters/services/changes/kept-values.ts';
import type { RecordFacts } from '#adapters/services/changes/record-facts.ts';
import * as records from '#adapters/services/changes/record-facts.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import type { FieldChange } from '#domain/changes/planned-change.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';

const members = z.record(z.string(), z.unknown());
const title = z.string().nullable();
const updateUndo = z.object({ key: members, title, before: members, after: members, at: title.default(null) });
const madeUndo = z.object({ key: members, title, left: members });
const removedUndo = z.object({ key: members, title, values: members });

/** The failure to take back what somebody changed since; `what` are the fields, none for the whole record. */
export function changedSince(facts: RecordFacts, called: string | null, what: readonly string[]): Failure {
  const fields = what.length === 0 ? '' : `${what.join(', ')} of `;
  const text = `Somebody changed ${fields}${records.calledIn(facts, called)} since; it was left as it is.`;
  return failed('conflict', text, { details: { fields: what } });
}

/** Of an operation that changes a record: takes back the previous values of exactly what it changed. */
export function updates(facts: RecordFacts, update: string): ChangeRule {
  const {
    unseen = [],
    also = () => [],
    always = [],
    sets = [],
    resolved = (given) => given,
    sent = (key, values) => ({ ...key, ...values }),
  } = facts;
  return {
    plan: async (input, read, onMissing) => {
      const key = records.keyOf(facts, input);
      const given = records.changesIn(facts, input);
      const record = await records.readBefore(facts, key, { read, onMissing, custom: customKeys(Object.keys(given)) });
      const after = resolved(given, record);
      const names = Object.keys(after);
      const shown = (name: string): unknown =>
        facts.shown?.(record ?? {}, name) ?? records.valueIn(facts, record ?? {}, name);
      const isSeen = (name: string): boolean => record !== null && !unseen.includes(name);
      const changed = names.filter(
        (name) => !isSeen(name) || !isSame(records.valueIn(facts, record ?? {}, name), after[name]),
      );
      const called = record === null ? null : facts.title(record);
      const lost = changed.filter((name) => !isSeen(name)).map((name) => records.fieldLabel(facts, name));
      const kept = record === null ? [] : [...new Set([...changed.filter(isSeen), ...also(changed, record)])];
      const before = Object.fromEntries(kept.map((name) => [name, records.valueIn(facts, record ?? {}, name)]));
      const fields = changed.map((name) => ({
        field: records.fieldLabel(facts, name),
        ...(isSeen(name) ? { before: shown(name) } : {}),
        after: after[name],
      }));
      return {
        differences: [records.recordChange(key, called, fields)],
        state: digestOfJson([called, before]),
        irreversible: lost.length === 0 ? null : `The previous values of these are not known: ${lost.join(', ')}.`,
        undo: (answer) => {
          if (kept.length === 0 && lost.length > 0) return null;
          const answered = answer === null ? null : records.answeredBy(facts, answer.data);
          const left = kept.flatMap((name) => {
            const value = answered === null ? null : records.valueIn(facts, answered, name);
            if (value !== null) return [[name, value] as const];
            return Object.hasOwn(after, name) ? [[name, after[name]] as const] : [];
          });
          const at = answer === null ? null : (facts.changedAt?.(answer.data) ?? null);
          return { key, title: called, before, after: Object.fromEntries(left), at };
        },
      };
    },
    takeBack: async (undo, read, isForced) => {
      const { key, title: called, before, after, at } = updateUndo.parse(undo);
      const names = Object.keys(before);
      const now = await records.readRecord(facts, key, { read, custom: customKeys(names) });
      if (!now.ok) return now;
      const current = (name: string): unknown => records.valueIn(facts, now.value ?? {}, name);
      const pending = names.filter((name) => !isSame(current(name), before[name]));
      const isUntouched = at !== null && isSame(facts.changedAt?.(now.value), at);
      const isLeft = (name: string): boolean =>
        !sets.includes(name) && Object.hasOwn(after, name) && !isKeptAs(after[name], current(name), isUntouched);
      const former = (name: string): unknown =>
        sets.includes(name) && !isForced ? withoutSteps(current(name), after[name], before[name]) : before[name];
      const others = isForced ? [] : pending.filter(isLeft);
      const back = pending.filter((name) => !others.includes(name));
      const failure = changedSince(
        facts,
        called,
        others.map((name) => records.fieldLabel(facts, name)),
      );
      if (back.length === 0) return others.length === 0 ? ok([]) : err(failure);
      const wanted = back.filter((name) => !isSame(current(name), former(name)));
      if (wanted.length === 0) return ok([]);
      const needed = always.filter((name) => !wanted.includes(name)).map((name) => [name, current(name)] as const);
      const values = groupedMembers(
        Object.fromEntries([...wanted.map((name) => [name, former(name)] as const), ...needed]),
      );
      return ok([
        { name: update, input: sent(key, values), ...(others.length > 0 && { warnings: [failure.message] }) },
      ]);
    },
  };
}

/** How what was made is taken back. */
export type Making = Readonly<{
  /** The operation that removes it; null where none can. */
  remove: string | null;
  /** The call's input, of the key; the key by default. */
  removal?(key: Members): Members;
  /** The key of what was made, by the answer. */
  key?(answer: unknown, input: Members): Members | null;
  /** Whether a record's answer shows only the members that are filled, so that one that was added is a change, too. */
  isSparse?: boolean;
  /** What stays when it is taken back, as a sentence. */
  partly?: string;
  /** Why it cannot be taken back, where it cannot. */
  why?: string;
}>;

/** Of an operation that makes a record: takes it back by removing what was made, if nobody changed it since. */
export function makes(facts: RecordFacts, making: Making): ChangeRule {
  const { remove, removal = (key) => key, isSparse = false, partly = null } = making;
  const why = making.why ?? `There is no operation that removes a ${facts.one}.`;
  const keyIn = making.key ?? ((answer: unknown) => idOf(answer));
  return {
    plan: async (input) => {
      const given = records.changesIn(facts, input);
      const called = facts.title(groupedMembers(given));
      return {
        differences: [records.recordChange(null, called, records.addedFields(facts, given))],
        state: '',
        irreversible: remove === null ? why : partly,
        undo: (answer) => {
          const key = answer === null || remove === null ? null : keyIn(answer.data, input);
          if (answer === null || key === null) return null;
          const record = records.answeredBy(facts, answer.data) ?? {};
          return { key, title: facts.title(record) ?? called, left: records.lastingPart(facts, record) };
        },
      };
    },
    takeBack: async (undo, read, isForced) => {
      const { key, title: called, left } = madeUndo.parse(undo);
      if (remove === null) return err(notReversible(why));
      const now = await records.readRecord(facts, key, { read });
      if (!now.ok) return now;
      const current = now.value === null ? left : records.lastingPart(facts, now.value);
      const names = Object.keys(isSparse ? { ...left, ...current } : left);
      const others = names
        .filter((name) => !isSame(left[name], current[name]))
        .map((name) => records.fieldLabel(facts, name));
      if (others.length > 0 && !isForced) return err(changedSince(facts, called, others));
      return ok([{ name: remove, input: removal(key) }]);
    },
  };
}

/** How what was removed comes back. */
export type Removal = Readonly<{
  /** The call that restores it, where it is only marked as deleted: then it keeps its id. */
  restore?: ReverseCall | ((key: Members) => ReverseCall);
  /** The operation that makes it again, and the inputs that it takes; null where none can. */
  make: string | null;
  inputs?: readonly string[] | ((record: Members) => readonly string[]);
  /** The input of the call that makes it again, of the key and its values; the values by default. */
  making?(key: Members, values: Members): Members;
  /** Whether a record that can still be read is deleted. */
  isGone?(record: Members): boolean;
  /** What is lost for good, or why it cannot come back; a sentence. */
  why?: string;
}>;

/** Of an operation that deletes a record: takes it back by restoring it, or by making it again of what was read. */
export function removes(facts: RecordFacts, removal: Removal): ChangeRule {
  const { make, inputs = [], restore, isGone = isDeleted, making = (_, values) => values } = removal;
  const again = `The ${facts.one} can be made again, with a new id; what belonged to it is not restored.`;
  const why = removal.why ?? (make === null ? `There is no operation that restores a ${facts.one}.` : again);
  const isFinal = make === null && restore === undefined;
  return {
    plan: async (input, read, onMissing) => {
      const key = records.keyOf(facts, input);
      const record = await records.readBefore(facts, key, { read, onMissing });
      const names = typeof inputs === 'function' ? inputs(record ?? {}) : inputs;
      const values = valuesOf(facts, record ?? {}, names);
      const called = record === null ? null : facts.title(record);
      const fields = Object.entries(values).map(([name, before]) => ({
        field: records.fieldLabel(facts, name),
        before: facts.shown?.(record ?? {}, name) ?? before,
      }));
      const isUnknown = record === null && restore === undefined;
      return {
        differences: [records.recordChange(key, called, fields)],
        state: record === null ? '' : digestOfJson(records.lastingPart(facts, record)),
        irreversible:
          isUnknown && !isFinal
            ? `The ${facts.one} could not be read before, so it cannot be made again.`
            : restore === undefined || removal.why !== undefined
              ? why
              : null,
        undo: () => (isFinal || isUnknown ? null : { key, title: called, values }),
      };
    },
    takeBack: async (undo, read) => {
      const { key, values } = removedUndo.parse(undo);
      if (isFinal) return err(notReversible(why));
      const now = await records.readRecord(facts, key, { read });
      const isThere = now.ok && !isGone(now.value ?? {});
      if (isThere) return ok([]);
      if (!now.ok && now.failure.reason !== 'not_found' && now.failure.reason !== 'gone') return now;
      const isRestorable = now.ok || now.failure.reason === 'gone' || make === null;
      if (restore !== undefined && isRestorable) return ok([typeof restore === 'function' ? restore(key) : restore]);
      return make === null ? err(notReversible(why)) : ok([{ name: make, input: making(key, groupedMembers(values)) }]);
    },
  };
}

const isDeleted = (record: Members): boolean => record['is_deleted'] === true;

/** How a record is put away and fetched back: both are operations that take its key. */
export function archives(
  facts: RecordFacts,
  back: string,
  isArchived: (record: Members) => boolean,
  isBack = false,
): ChangeRule {
  return {
    plan: async (input, read, onMissing) => {
      const key = records.keyOf(facts, input);
      const record = await records.readBefore(facts, key, { read, onMissing });
      const before = record === null ? isBack : isArchived(record);
      const fields = before === isBack ? [{ field: 'Archived', before, after: !isBack }] : [];
      return {
        differences: [records.recordChange(key, record === null ? null : facts.title(record), fields)],
        state: digestOfJson(before),
        irreversible: null,
        undo: () => ({ key, title: record === null ? null : facts.title(record), values: { before } }),
      };
    },
    // Not every service shows whether a record is archived; to do it twice changes nothing.
    takeBack: async (undo) => {
      const { key, values } = removedUndo.parse(undo);
      return ok(values['before'] === isBack ? [{ name: back, input: key }] : []);
    },
  };
}

/** Of an operation that cannot be taken back: says so before it is done, and on which record. */
export function irreversible(why: string, facts: RecordFacts | null = null): ChangeRule {
  return {
    plan: async (input, read, onMissing) => {
      if (facts === null) return finalPlan(why, { key: null, called: null, fields: plainFields(input) });
      const key = records.keyOf(facts, input);
      const record = await records.readBefore(facts, key, { read, onMissing });
      const called = record === null ? null : facts.title(record);
      const plan = finalPlan(why, { key, called, fields: records.addedFields(facts, records.changesIn(facts, input)) });
      return record === null ? plan : { ...plan, state: digestOfJson(records.lastingPart(facts, record)) };
    },
    takeBack: async () => err(notReversible(why)),
  };
}

type FinalFacts = Readonly<{ key: Members | null; called: string | null; fields: RecordFields }>;
type RecordFields = readonly FieldChange[];

function finalPlan(why: string, { key, called, fields }: FinalFacts): RuledPlan {
  return {
    differences: [records.recordChange(key, called, fields)],
    state: '',
    irreversible: why,
    undo: () => null,
  };
}

/** The failure to take back what cannot be. */
export const notReversible = (why: string): Failure => failed('rejected', `This cannot be taken back. ${why}`);

/** The key of a record by the `id` of an answer; null when it has none. */
function idOf(answer: unknown): Members | null {
  const parsed = z.looseObject({ id: z.union([z.string().min(1), z.number()]) }).safeParse(answer);
  return parsed.success ? { id: parsed.data.id } : null;
}

/** The inputs that make a record again, by its values. */
function valuesOf(facts: RecordFacts, record: Members, inputs: readonly string[]): Members {
  const entries = inputs.map((name) => [name, records.valueIn(facts, record, name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !isSame(value, null)));
}

function plainFields(input: Members) {
  return Object.entries(input)
    .filter(([, after]) => after !== undefined)
    .map(([field, after]) => ({ field, after }));
}
