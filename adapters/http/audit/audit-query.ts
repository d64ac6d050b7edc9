import { z } from 'zod';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { checkedFormQuery, checkedQuery } from '#adapters/http/requests/checked-input.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { AuditQuery } from '#application/ports/audit-log.ts';
import type { Users } from '#application/ports/users.ts';
import { auditActions } from '#domain/audit/audit-entry.ts';
import { type Failure, invalidInput } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { dayIn } from '#domain/text/days.ts';
import { maxEmailLength } from '#domain/users/email.ts';

const querySchema = z.strictObject({
  user: z.string().min(1).max(maxEmailLength).optional(),
  action: z.enum(auditActions).optional(),
  day: z.iso.date().optional(),
  before: wholeNumber(1).optional(),
});

/** The requested part of the audit log, and the same as URL parameters without the position in the list. */
export type AskedAudit = Readonly<{ filter: Omit<AuditQuery, 'limit'>; address: URLSearchParams }>;

/** Reads what the query of a request asks for, of a form or of a program; a user is named by e-mail or by id. */
export async function askedAudit(
  visit: Visit,
  users: Pick<Users, 'findByEmail'>,
  isForm: boolean,
): Promise<Result<AskedAudit, Failure>> {
  const read = (isForm ? checkedFormQuery : checkedQuery)(visit, querySchema);
  if (!read.ok) return read;
  const { user, action, day, before } = read.value;
  const about = user === undefined ? undefined : await idOf(user, users);
  if (about === null)
    return err(invalidInput([{ path: ['user'], message: 'There is no user with that e-mail or id.' }]));
  const bounds = day === undefined ? null : dayIn(day, userOf(visit).timeZone ?? 'UTC');
  const filter = {
    ...(about === undefined ? {} : { about }),
    ...(action === undefined ? {} : { action }),
    ...bounds,
    ...(before === undefined ? {} : { before }),
  };
  const address = new URLSearchParams({
    ...(user === undefined ? {} : { user }),
    ...(action === undefined ? {} : { action }),
    ...(day === undefined ? {} : { day }),
  });
  return ok({ filter, address });
}

/** The id of the user; the number itself for a number, since the entries of a user outlive their account. */
async function idOf(user: string, users: Pick<Users, 'findByEmail'>): Promise<number | null> {
  const id = wholeNumber(1).safeParse(user);
  return id.success ? id.data : ((await users.findByEmail(user))?.user.id ?? null);
}
