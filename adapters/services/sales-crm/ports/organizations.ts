import { z } from 'zod';
import { organizationIn } from '#adapters/services/sales-crm/details/webhook-records.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Organizations } from '#application/ports/organizations.ts';
import type { Organization } from '#domain/events/sales-crm-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const fields = z.record(z.string(), z.unknown());

/** Reads the organizations of one user's sales CRM through its operations. */
export class GatewayOrganizations implements Organizations {
  readonly #caller: OperationCaller;
  readonly #userId: number;

  /** `userId`: whose connection is used, since deliveries carry no user of this server (REACT-009). */
  constructor(caller: OperationCaller, userId: number) {
    this.#caller = caller;
    this.#userId = userId;
  }

  async find(id: string): Promise<Result<Organization | null, Failure>> {
    const input = { id: Number(id) };
    if (!Number.isSafeInteger(input.id)) return ok(null);
    const outcome = await this.#caller.call({
      userId: this.#userId,
      service: 'sales_crm',
      name: 'organizations.get',
      input,
    });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok(null) : err(outcome);
    const organization = fields.safeParse(outcome.data);
    return ok(organization.success ? organizationIn({ ...organization.data, id }) : null);
  }
}
