import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Organization } from '#domain/events/sales-crm-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Reads organizations of the sales CRM. */
export interface Organizations {
  /**
   * Returns the organization, or null when there is none. Failures are those of the sales CRM's
   * operations.
   */
  find(organization: RecordRef): Promise<Result<Organization | null, Failure>>;
}
