import { isObject } from '#domain/json/json-data.ts';
import { eventShapeOf, isKnownEvent, knownEventNames } from '#domain/reaction-notes/known-events.ts';
import type { ReactionTrigger } from '#domain/reaction-notes/reaction-note.ts';
import type { ReactionChecks } from '#domain/reaction-notes/written-reaction.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { nearestName } from '#domain/text/nearest-name.ts';

/** The maximum length of an event, a schedule or the name of a time zone, in characters. */
const maxLength = 200;

/**
 * Reads one value of `when`: 'tracker.issue.create', 'schedule: 0 17 * * 5', or an object with `schedule` and `zone`.
 */
export function readTrigger(
  value: unknown,
  zone: string | null,
  checks: Pick<ReactionChecks, 'senders' | 'schedule'>,
): Result<ReactionTrigger, string> {
  if (isObject(value)) return readObject(value, zone, checks);
  if (typeof value !== 'string' || value.length > maxLength) return err(form);
  const schedule = /^schedule:[ \t]*(\S.*)$/.exec(value.trim())?.[1];
  if (schedule !== undefined) return readSchedule(schedule, zone, checks);
  const [, service = '', name = ''] = /^([a-z][a-z0-9_]*)\.(\S+)$/.exec(value.trim()) ?? [];
  if (name === '') return err(form);
  if (!checks.senders.includes(service)) {
    return err(`There is no service \`${service}\` that sends events; there are ${checks.senders.join(', ')}.`);
  }
  if (isKnownEvent({ service, name })) return ok({ kind: 'event', service, name });
  const near = nearestName(name, own(knownEventNames, service) ?? []);
  const hint = near === null ? '' : `; did you mean \`${service}.${near}\``;
  const named = eventShapeOf(service);
  const shape = named === null ? '' : ` Its events are ${named}.`;
  return err(`There is no event \`${service}.${name}\`${hint}${near === null ? '.' : '?'}${shape}`);
}

const form = '`when` must be an event such as `tracker.issue.create`, a list of them, or `"schedule: 0 17 * * 5"`.';

function readObject(
  value: object,
  outer: string | null,
  checks: Pick<ReactionChecks, 'schedule'>,
): Result<ReactionTrigger, string> {
  const members: Readonly<Record<string, unknown>> = { ...value };
  const pattern = own(members, 'schedule');
  const zone = own(members, 'zone') ?? outer;
  const isOther = Object.keys(members).some((key) => key !== 'schedule' && key !== 'zone');
  if (typeof pattern !== 'string' || isOther || (zone !== null && typeof zone !== 'string')) return err(form);
  return readSchedule(pattern, zone, checks);
}

function readSchedule(
  pattern: string,
  zone: string | null,
  checks: Pick<ReactionChecks, 'schedule'>,
): Result<ReactionTrigger, string> {
  if (pattern.length > maxLength || (zone ?? '').length > maxLength) return err(form);
  const fault = checks.schedule(pattern.trim(), zone);
  return fault === null ? ok({ kind: 'schedule', pattern: pattern.trim(), zone }) : err(fault);
}
