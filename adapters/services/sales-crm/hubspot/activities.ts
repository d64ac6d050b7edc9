import { joinedPage } from '#adapters/services/answers/joined-lists.ts';
import { durationMs, durationText } from '#adapters/services/sales-crm/details/kind-formats.ts';
import type { Call } from '#adapters/services/sales-crm/hubspot/account.ts';
import { archive, createOne, updateOne } from '#adapters/services/sales-crm/hubspot/changes.ts';
import {
  activityLinks,
  type Members,
  type RecordKind,
  recordKind,
} from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { equals, listRecords } from '#adapters/services/sales-crm/hubspot/lists.ts';
import { readOne } from '#adapters/services/sales-crm/hubspot/reading.ts';
import { type Texts, textIn, timeIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** The words of a type of activity: its name in paths, and the ends of the names of properties. */
type Words = Readonly<Record<'type' | 'subject' | 'doneBy' | 'open', string>>;

/** What tasks, calls and meetings have in common; `doneBy` is the property that says whether it is done. */
function activityKind(
  { type, subject, open, ...words }: Words,
  typeIds: Parameters<typeof activityLinks>[0],
  { properties, read, write }: Pick<RecordKind, 'properties' | 'read' | 'write'>,
): RecordKind & Readonly<{ doneBy: string }> {
  const one = type.slice(0, -1);
  const doneBy = `hs_${one}_${words.doneBy}`;
  const kind = recordKind({
    type,
    fields: { subject: [`hs_${one}_${subject}`, 'string'], note: [`hs_${one}_body`, 'string'] },
    links: activityLinks(typeIds),
    properties: ['hs_timestamp', doneBy, ...properties],
    read: (texts) => {
      const due = timeIn(texts['hs_meeting_start_time'] ?? texts['hs_timestamp']);
      const time = { due_date: due?.slice(0, 10), due_time: due?.slice(11, 16) };
      return { type: one, done: texts[doneBy] === 'COMPLETED', ...time, ...read(texts) };
    },
    write: {
      type: () => ({}),
      done: (done) => ({ [doneBy]: done === true ? 'COMPLETED' : open }),
      due_date: dueTexts,
      due_time: dueTexts,
      ...write,
    },
    sorts: { due_date: 'hs_timestamp', add_time: 'hs_createdate' },
  });
  return { ...kind, doneBy };
}

/** The point in time at which an activity is due, in UTC; what is not given is as it was. */
function dueTexts(_: unknown, { due_date: day, due_time: time }: Members, before: Members): Texts {
  const today = new Date().toISOString().slice(0, 10);
  const clock = textIn(time ?? (day === undefined ? before['due_time'] : undefined) ?? '00:00').padStart(5, '0');
  return { hs_timestamp: timeIn(`${textIn(day ?? before['due_date'] ?? today)}T${clock}Z`) };
}

/** The types of tasks in the kind's words; all others are just tasks. */
const taskTypes: Readonly<Record<string, string>> = { call: 'CALL', email: 'EMAIL' };

const tasks = activityKind(
  { type: 'tasks', subject: 'subject', doneBy: 'status', open: 'NOT_STARTED' },
  [216, 647, 204, 192],
  {
    properties: ['hs_task_type'],
    read: ({ hs_task_type: type }) => ({ type: type === 'CALL' || type === 'EMAIL' ? type.toLowerCase() : 'task' }),
    write: { type: (type) => ({ hs_task_type: own(taskTypes, String(type)) ?? 'TODO' }) },
  },
);

const calls = activityKind(
  { type: 'calls', subject: 'title', doneBy: 'status', open: 'QUEUED' },
  [206, 597, 194, 182],
  {
    properties: ['hs_call_duration'],
    read: ({ hs_call_duration: ms }) => ({ duration: durationText(Number(ms)) }),
    write: { duration: (text) => ({ hs_call_duration: String(durationMs(text)) }) },
  },
);

const meetings = activityKind(
  { type: 'meetings', subject: 'title', doneBy: 'outcome', open: 'SCHEDULED' },
  [212, 601, 200, 188],
  {
    properties: ['hs_meeting_start_time', 'hs_meeting_end_time', 'hs_meeting_location'],
    read: ({ hs_meeting_start_time: start, hs_meeting_end_time: end, hs_meeting_location: value }) => ({
      duration: durationText(Date.parse(timeIn(end) ?? '') - Date.parse(timeIn(start) ?? '')),
      ...(value ? { location: { value } } : {}),
    }),
    write: {
      due_date: meetingTexts,
      due_time: meetingTexts,
      duration: meetingTexts,
      location: (at) => ({ hs_meeting_location: Object.values(isObject(at) ? at : {}).join(', ') }),
    },
  },
);

/** A meeting that is moved keeps its duration. */
function meetingTexts(value: unknown, input: Members, before: Members): Texts {
  const { hs_timestamp: start } = dueTexts(value, { due_time: before['due_time'], ...input }, before);
  const duration = input['duration'] ?? before['duration'];
  const end = duration === undefined ? undefined : Date.parse(start ?? '') + durationMs(duration);
  return { hs_timestamp: start, hs_meeting_start_time: start, hs_meeting_end_time: timeIn(end?.toString()) };
}

/** The types of record that activities are at HubSpot; their ids do not overlap. */
const kinds = [tasks, calls, meetings] as const;

type Found = Readonly<{ kind: RecordKind; members: Members }>;

/** Finds an activity by its id, which does not say of which type it is. */
async function find(call: Call, input: Members): Promise<Outcome<Found>> {
  for (const kind of kinds) {
    const outcome = await readOne(call, kind, input);
    if (outcome.ok) return { ...outcome, data: { kind, members: outcome.data } };
    if (outcome.reason !== 'not_found') return outcome;
  }
  return failed('not_found', 'The sales CRM has no task, call or meeting with this id.', { sent: 'yes' });
}

/** Gets an activity. */
export async function getActivity(call: Call, input: Members): Promise<Outcome> {
  const found = await find(call, input);
  return found.ok ? { ...found, data: found.data.members } : found;
}

/** Creates a meeting, a call that is done, or else a task: HubSpot plans calls as tasks. */
export async function createActivity(call: Call, { type = 'task', ...input }: Members): Promise<Outcome> {
  const now = new Date().toISOString();
  const start = type === 'meeting' ? { hs_meeting_start_time: now } : {};
  const kind = type === 'meeting' ? meetings : type === 'call' && input['done'] === true ? calls : tasks;
  return createOne(call, kind, { ...input, type }, { hs_timestamp: now, ...start });
}

/** Changes an activity, which stays of its type. */
export async function updateActivity(call: Call, input: Members): Promise<Outcome> {
  const found = await find(call, { id: input['id'] });
  if (!found.ok) return found;
  const { kind, members } = found.data;
  const { type = members['type'] } = input;
  if (type !== members['type'] && (kind !== tasks || type === 'meeting')) {
    return failed('rejected', `HubSpot cannot make it a ${String(type)}. Delete it, and create that.`);
  }
  return updateOne(call, kind, input, { before: members });
}

/** Deletes an activity. */
export async function deleteActivity(call: Call, input: Members): Promise<Outcome> {
  const found = await find(call, { id: input['id'] });
  return found.ok ? archive(call, found.data.kind, input) : found;
}

/** Lists activities: an equal share of tasks, calls and meetings, each in the order of the list. */
export function listActivities(call: Call, { done, cursor, limit, ...input }: Members): Promise<Outcome> {
  const lists = kinds.map((kind) => {
    const filters = done === undefined ? [] : [equals(kind.doneBy, 'COMPLETED', done === true ? 'EQ' : 'NEQ')];
    return { name: kind.type, page: (page: Members) => listRecords(call, kind, { ...input, ...page }, { filters }) };
  });
  return joinedPage(lists, { limit, cursor });
}
