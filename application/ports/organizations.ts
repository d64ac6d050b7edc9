import type { Organization } from '#domain/events/sales-crm-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Reads the current organizations of the sales CRM. */
export interface Organizations {
  /**
   * Returns the organization, or null when there is none of that id. Failures are those of the sales CRM's operations.
   */
  find(id: string): Promise<Result<Organization | null, Failure>>;
}
