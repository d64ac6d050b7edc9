import { z } from 'zod';
import type { ChangeRule, ChangeRules, ReverseCall } from '#adapters/services/changes/change-rule.ts';
import { changedSince, irreversible, removes, updates } from '#adapters/services/changes/change-rules.ts';
import { isSame, type Members } from '#adapters/services/changes/changed-values.ts';
import { isKeptAs } from '#adapters/services/changes/kept-values.ts';
import type { RecordFacts } from '#adapters/services/changes/record-facts.ts';
import * as records from '#adapters/services/changes/record-facts.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok } from '#domain/shared/result.ts';

const objects = (value: unknown): readonly Members[] => (Array.isArray(value) ? value : [value]).filter(isObject);

/** The fields that name a record, the first that is a text; an account of a deal is a look-up there. */
const nameFields =
  'Deal_Name Full_Name Last_Name Subject Product_Name Campaign_Name Vendor_Name Event_Title Account_Name Note_Title Name Note_Content'.split(
    ' ',
  );

function titleOf(record: Members): string | null {
  const names = nameFields.map((field) => own(record, field));
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}

/** A value in the form in which it is written: a look-up is its id. */
const writable = (value: unknown): unknown =>
  isObject(value) && value['id'] !== undefined ? { id: value['id'] } : value;

const written = (fields: Members): Members =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, writable(value)]));

/** The fields that the suite CRM decides itself. */
const decided: readonly string[] =
  'id Created_Time Modified_Time Created_By Modified_By Last_Activity_Time Full_Name Layout Record_Image'.split(' ');
const isDecided = (name: string): boolean => name.startsWith('$') || name.endsWith('__s') || decided.includes(name);

/** What the suite CRM fills in by itself when a record is created. */
const usual: readonly string[] = ['Owner', 'Tag', 'Currency', 'Exchange_Rate'];

const changedAtSchema = z.looseObject({ Modified_Time: z.string().min(1) });

/** What a change answers of its one record; a record itself as it is. */
function resultIn(data: unknown): unknown {
  const [first] = objects(data);
  return isObject(first?.['details']) ? first['details'] : first;
}

const record: RecordFacts = {
  one: 'record',
  keys: ['module', 'id'],
  read: ({ module, id }) => ({ name: 'records.get', input: { module, id } }),
  title: titleOf,
  given: ({ data }) => written(objects(data)[0] ?? {}),
  sent: (key, fields) => ({ ...key, data: [fields] }),
  value: (one, name) => writable(own(one, name)),
  shown: (one, name) => {
    const value = own(one, name);
    return isObject(value) ? (value['name'] ?? value['id']) : value;
  },
  // A change answers the id and times only.
  answered: () => null,
  changedAt: (data) => changedAtSchema.safeParse(resultIn(data)).data?.Modified_Time ?? null,
  own: ['Last_Activity_Time'],
};
const lead: RecordFacts = { ...record, one: 'lead', keys: ['id'], read: ({ id }) => leadRead(id) };
const leadRead = (id: unknown): ReverseCall => ({ name: 'records.get', input: { module: 'Leads', id } });

const members = z.record(z.string(), z.unknown());
const madeSchema = z.object({ module: z.string(), id: z.string(), at: z.string(), fields: members });
const manyUndo = z.object({ made: z.array(madeSchema) });
const madeResult = z.looseObject({ id: z.string(), Modified_Time: z.string().catch('') });

/** What a write made, by its results, record by record; null for a record that was refused or only changed. */
function madeIn(answer: unknown): readonly (z.output<typeof madeResult> | null)[] {
  return (Array.isArray(answer) ? answer : [answer]).map((one: unknown) => {
    const isResult = isObject(one) && isObject(one['details']);
    const isChange = isObject(one) && one['action'] === 'update';
    return isChange ? null : (madeResult.safeParse(isResult ? one['details'] : one).data ?? null);
  });
}

/** The fields that somebody changed since a record was made. */
function changedFields(now: Members, { at, fields }: z.output<typeof madeSchema>): readonly string[] {
  const isUntouched = isSame(now['Modified_Time'], at);
  const given = Object.keys(fields).filter(
    (name) => !isKeptAs(own(fields, name), writable(own(now, name)), isUntouched),
  );
  if (isUntouched) return given;
  const others = Object.keys(now).filter(
    (name) => !isDecided(name) && !usual.includes(name) && !Object.hasOwn(fields, name),
  );
  return [...given, ...others.filter((name) => !isSame(own(now, name) || null, null))];
}

/** Of an operation that makes up to 100 records; `moduleOf` says where they are, `why` what cannot be taken back. */
function makesMany(moduleOf: (input: Members) => string, why: string | null = null): ChangeRule {
  return {
    plan: async (input) => {
      const all = objects(input['data']).map(written);
      return {
        differences: all.map((fields) =>
          records.recordChange(null, titleOf(fields), records.addedFields(record, fields)),
        ),
        state: '',
        irreversible: why,
        undo: (answer) => {
          if (answer === null) return null;
          const made = madeIn(answer.data).flatMap((one, index) => {
            const fields = all[index];
            if (one === null || fields === undefined) return [];
            return [{ module: moduleOf(input), id: one.id, at: one.Modified_Time, fields }];
          });
          return made.length === 0 ? null : { made };
        },
      };
    },
    takeBack: async (undo, read, isForced) => {
      const calls: ReverseCall[] = [];
      for (const made of manyUndo.parse(undo).made) {
        const { module, id } = made;
        const now = await records.readRecord(record, { module, id }, { read });
        if (!now.ok) return now;
        const changed = changedFields(now.value ?? {}, made);
        if (changed.length > 0 && !isForced) return err(changedSince(record, titleOf(made.fields), changed));
        calls.push({ name: 'records.delete', input: { module, id } });
      }
      return ok(calls);
    },
  };
}

const tagNames = (tags: unknown): readonly string[] =>
  objects(tags).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
const tagUndo = z.object({ key: members, added: z.array(z.string()), removed: z.array(z.string()) });
const tagged = (names: readonly string[]) => names.map((name) => ({ name }));

/** Of an operation that changes which tags a record has: only those that it changed are taken back. */
function tags(after: (before: readonly string[], input: Members) => readonly string[]): ChangeRule {
  return {
    plan: async (input, read, onMissing) => {
      const key = records.keyOf(record, input);
      const one = await records.readBefore(record, key, { read, onMissing });
      const before = tagNames(one?.['Tag']);
      const left = after(before, input);
      const [added, removed] = [without(left, before), without(before, left)];
      return {
        differences: [
          records.recordChange(key, one === null ? null : titleOf(one), [{ field: 'Tags', before, after: left }]),
        ],
        state: digestOfJson(before.toSorted()),
        irreversible: one === null ? 'The record’s tags could not be read before.' : null,
        undo: () => (one === null ? null : { key, added, removed }),
      };
    },
    takeBack: async (undo, read) => {
      const { key, added, removed } = tagUndo.parse(undo);
      const now = await records.readRecord(record, key, { read });
      if (!now.ok) return now;
      const has = tagNames(now.value?.['Tag']);
      const [gone, back] = [added.filter((name) => has.includes(name)), without(removed, has)];
      const calls = [
        { name: 'records.remove_tags', names: gone },
        { name: 'records.add_tags', names: back },
      ].filter(({ names }) => names.length > 0);
      return ok(calls.map(({ name, names }) => ({ name, input: { ...key, tags: tagged(names) } })));
    },
  };
}

const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => !others.includes(name));

const linkUndo = z.object({ key: members, wasLinked: z.boolean() });

/** Of an operation that links two records, or ends it. */
function links(isLinking: boolean, reverse: string): ChangeRule {
  const keys = ['module', 'id', 'related_list', 'rid'];
  const readLink = ({ module, id, related_list, rid }: Members): ReverseCall => ({
    name: 'related.list',
    input: { module, id, related_list, ids: [rid] },
  });
  const facts: RecordFacts = { ...record, one: 'link', keys, read: readLink, found: (data) => ({ all: data }) };
  const isLinked = (one: Members | null, { rid }: Members): boolean =>
    objects(one?.['all']).some(({ id }) => String(id) === String(rid));
  return {
    plan: async (input, read, onMissing) => {
      const key = records.keyOf(facts, input);
      const wasLinked = isLinked(await records.readBefore(facts, key, { read, onMissing }), key);
      const fields = [{ field: String(input['related_list']), before: wasLinked, after: isLinking }];
      const isRole = isLinking && input['data'] !== undefined && wasLinked;
      return {
        differences: [records.recordChange(key, null, fields)],
        state: digestOfJson(wasLinked),
        irreversible: isRole || !isLinking ? 'What the link itself says, such as a role, is not restored.' : null,
        undo: () => ({ key, wasLinked }),
      };
    },
    takeBack: async (undo, read) => {
      const { key, wasLinked } = linkUndo.parse(undo);
      const now = await records.readRecord(facts, key, { read });
      if (!now.ok) return now;
      return ok(isLinked(now.value, key) === wasLinked ? [] : [{ name: reverse, input: key }]);
    },
  };
}

const tag: RecordFacts = {
  one: 'tag',
  keys: ['id', 'module'],
  read: ({ module }) => ({ name: 'tags.list', input: { module } }),
  found: (data, { id }) => objects(data).find((one) => one['id'] === id) ?? null,
  title: ({ name }) => (typeof name === 'string' ? name : null),
  given: ({ tags: given }) => objects(given)[0] ?? {},
  always: ['name'],
  sent: (key, changed) => ({ ...key, tags: [changed] }),
  answered: () => null,
};

const tagsMadeUndo = z.object({ made: z.array(z.object({ key: members, name: z.string() })) });

/** Of the operation that makes tags. */
const makesTags: ChangeRule = {
  plan: async (input) => ({
    differences: objects(input['tags']).map((one) =>
      records.recordChange(null, tag.title(one), records.addedFields(tag, one)),
    ),
    state: '',
    irreversible: null,
    undo: (answer) => {
      if (answer === null) return null;
      const names = tagNames(input['tags']);
      const made = madeIn(answer.data).flatMap((one, index) =>
        one === null ? [] : [{ key: { id: one.id, module: input['module'] }, name: names[index] ?? '' }],
      );
      return { made };
    },
  }),
  takeBack: async (undo, read, isForced) => {
    const calls: ReverseCall[] = [];
    for (const { key, name } of tagsMadeUndo.parse(undo).made) {
      const now = await records.readRecord(tag, key, { read });
      if (!now.ok) return now;
      if (now.value?.['name'] !== name && !isForced) return err(changedSince(tag, name, ['Name']));
      calls.push({ name: 'tags.delete', input: { id: key['id'] } });
    }
    return ok(calls);
  },
};

const webhook = 'Notifications are not taken back.';
const overwritten = 'The previous values of records that it finds and changes are not known before.';

/** How the changes of the suite CRM are planned and taken back (UNDO-020). */
export const changeRules: ChangeRules = {
  'records.create': makesMany(({ module }) => String(module)),
  'records.update': updates(record, 'records.update'),
  'records.delete': removes(record, {
    make: 'records.create',
    inputs: (one) => Object.keys(one).filter((name) => !isDecided(name)),
    making: ({ module }, fields) => ({ module, data: [fields] }),
  }),
  'records.upsert': makesMany(({ module }) => String(module), overwritten),
  'related.link': links(true, 'related.unlink'),
  'related.unlink': links(false, 'related.link'),
  'notes.create': makesMany(() => 'Notes'),
  'attachments.upload': irreversible('There is no operation that removes a file from a record.', record),
  'tags.create': makesTags,
  'tags.update': updates(tag, 'tags.update'),
  'tags.delete': irreversible('A deleted tag is gone from all records that had it.'),
  'records.add_tags': tags((before, input) => [
    ...(input['over_write'] === true ? [] : before),
    ...without(tagNames(input['tags']), input['over_write'] === true ? [] : before),
  ]),
  'records.remove_tags': tags((before, input) => without(before, tagNames(input['tags']))),
  'leads.convert': irreversible('A converted lead does not become a lead again.', lead),
  'emails.send': irreversible('An e-mail that was sent cannot be recalled.', record),
  'bulk.create': irreversible('An export changes nothing, and ends by itself.'),
  'watch.create': irreversible(webhook),
  'watch.renew': irreversible(webhook),
  'watch.delete': irreversible(webhook),
};
