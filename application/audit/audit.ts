import type { AuditLog } from '#application/ports/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import { type AuditAction, maxAuditText } from '#domain/audit/audit-entry.ts';

/** What was done, by whom: `by` is the id of a user, null for a command or the server itself. */
export type AuditedAct = Readonly<{
  action: AuditAction;
  by: number | null;
  /** The user whom it concerns, if any. */
  userId?: number | null;
  /** What it concerns besides: a service key, or an id. */
  subject?: string | null;
  /** What was set. Neither contents nor secrets. */
  detail?: string | null;
}>;

/** Records an act. Never fails. */
export type NoteAct = (act: AuditedAct) => Promise<void>;

type AuditDependencies = Readonly<{ log: Pick<AuditLog, 'add'>; clock: Clock; logger: Logger }>;

/** Records what administrators do, and what concerns the security of users, after it was done. */
export class Audit {
  readonly #dependencies: AuditDependencies;

  constructor(dependencies: AuditDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records an act. It is done already, so an entry that cannot be stored is logged, and fails nothing. */
  async note({ action, by, userId = null, subject = null, detail = null }: AuditedAct): Promise<void> {
    const { log, clock, logger } = this.#dependencies;
    try {
      const texts = { subject: bounded(subject), detail: bounded(detail) };
      await log.add({ at: clock.now(), actorId: by, action, userId, ...texts });
    } catch (error) {
      logger.error({ err: error, action, by, userId, subject }, 'An act could not be recorded in the audit log');
    }
  }
}

function bounded(text: string | null): string | null {
  // Neither a NUL nor half a surrogate pair can be stored everywhere.
  return text === null ? null : text.slice(0, maxAuditText).toWellFormed().replaceAll('\0', '');
}
