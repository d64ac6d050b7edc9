import type { Organization } from '#domain/events/sales-crm-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** The organizations of the sales CRM, as they are there now. */
export interface Organizations {
  /** The organization, or null when there is none of that id. Failures are those of the sales CRM's operations. */
  find(id: string): Promise<Result<Organization | null, Failure>>;
}
