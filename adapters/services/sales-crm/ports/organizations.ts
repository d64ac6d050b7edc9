import { z } from 'zod';
import { organizationIn } from '#adapters/services/sales-crm/details/webhook-records.ts';
import type { UserOfVendor } from '#application/connections/vendor-users.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Organizations } from '#application/ports/organizations.ts';
import { idAtVendor, type RecordRef } from '#domain/events/record-ref.ts';
import type { Organization } from '#domain/events/sales-crm-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const fields = z.record(z.string(), z.unknown());

/** Reads the organizations of one user's sales CRM through its operations. */
export class GatewayOrganizations implements Organizations {
  readonly #caller: OperationCaller;
  readonly #userOf: UserOfVendor;

  /** `userOf`: whose connection is used, since deliveries carry no user of this server (REACT-009). */
  constructor(caller: OperationCaller, userOf: UserOfVendor) {
    this.#caller = caller;
    this.#userOf = userOf;
  }

  async find(record: RecordRef): Promise<Result<Organization | null, Failure>> {
    const id = idAtVendor(record);
    const input = { id: Number(id) };
    if (!Number.isSafeInteger(input.id)) return ok(null);
    const outcome = await this.#caller.call({
      userId: await this.#userOf('sales_crm', record.vendor),
      service: 'sales_crm',
      name: 'organizations.get',
      input,
    });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok(null) : err(outcome);
    const organization = fields.safeParse(outcome.data);
    return ok(organization.success ? organizationIn({ ...organization.data, id }) : null);
  }
}
