import { weekdayOf, weekOf } from '#domain/vault-queries/dql/date-format.ts';
import { DqlError, type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { fieldIn, isFields, kindOf } from '#domain/vault-queries/dql/dql-values.ts';
import { Duration, unitNames } from '#domain/vault-queries/dql/duration.ts';
import { Link } from '#domain/vault-queries/dql/link.ts';
import { Moment } from '#domain/vault-queries/dql/moment.ts';

/** Looks up a member: a field, a part of a date or duration, a field of the note that a link leads to. */
export function memberOf(value: unknown, name: unknown, scope: DqlScope): unknown {
  if (value === null || value === undefined || name === null) return null;
  if (Array.isArray(value)) return memberOfList(value, name, scope);
  if (typeof value === 'string') return typeof name === 'number' ? (value[name] ?? null) : null;
  if (typeof name !== 'string')
    throw new RowError(`A ${kindOf(value)} has members by names, not by a ${kindOf(name)}.`);
  if (value instanceof Moment) return partOfMoment(value, name);
  if (value instanceof Duration) return partOfDuration(value, name);
  if (value instanceof Link) return scope.vault.note(value.path)?.get(name) ?? null;
  return isFields(value) ? fieldIn(value, name) : null;
}

/** A member of a list by its place, or the member of that name of each of its members. */
function memberOfList(list: readonly unknown[], name: unknown, scope: DqlScope): unknown {
  if (typeof name === 'number') return list[name] ?? null;
  scope.budget.take(5 * list.length);
  return list.map((member) => memberOf(member, name, scope));
}

function partOfMoment({ clock }: Moment, name: string): number | null {
  switch (name) {
    case 'year':
      return clock.getUTCFullYear();
    case 'month':
      return clock.getUTCMonth() + 1;
    case 'weekyear':
      return weekOf(clock).week;
    case 'week':
      return Math.floor(clock.getUTCDate() / 7) + 1;
    case 'weekday':
      return weekdayOf(clock);
    case 'day':
      return clock.getUTCDate();
    case 'hour':
      return clock.getUTCHours();
    case 'minute':
      return clock.getUTCMinutes();
    case 'second':
      return clock.getUTCSeconds();
    case 'millisecond':
      return clock.getUTCMilliseconds();
    default:
      throw new DqlError(
        `A date has no part ${name}: it has year, month, week, weekyear, weekday, day, hour, minute, second and millisecond.`,
      );
  }
}

function partOfDuration(duration: Duration, name: string): number {
  const unit = unitNames.find((known) => name === known || name === `${known}s`);
  if (unit !== undefined) return duration.in([unit]).get(unit) ?? 0;
  throw new DqlError(`A duration has no part ${name}: it has ${unitNames.map((known) => `${known}s`).join(', ')}.`);
}
