import type { Provider } from '#adapters/services/definitions/provider.ts';
import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import type { ReadyOperation } from '#application/ports/service-gateway.ts';
import type { PlannedChange, Undo } from '#domain/changes/planned-change.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

type Input = Readonly<Record<string, unknown>>;

/** A change that was made, as it was planned, and how it is taken back; null when it cannot be. */
export type Made = Readonly<{ name: string; plan: PlannedChange; outcome: Outcome; undo: Undo | null }>;

/** Makes changes over one connection, and takes them back, as the use cases do. */
export class Changes {
  readonly #gateway: HttpServiceGateway;
  readonly #record: TokenRecord;
  /** How many requests were sent. */
  sent = 0;

  constructor({ provider, record, http }: Readonly<{ provider: Provider; record: TokenRecord; http: HttpClient }>) {
    this.#gateway = new HttpServiceGateway({ providers: [provider], http });
    this.#record = record;
  }

  call(name: string, input: Input = {}): Promise<Outcome> {
    return this.#run(this.#gateway.prepare({ service: this.#record.service, name, input }));
  }

  /** The data of a call that succeeds. */
  async data(name: string, input: Input = {}): Promise<unknown> {
    const outcome = await this.call(name, input);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.message} ${JSON.stringify(outcome.details ?? null)}`);
    return outcome.data;
  }

  /** Makes a change, which has to succeed. What is kept of it is JSON. */
  async make(name: string, input: Input): Promise<Made> {
    const plans: PlannedChange[] = [];
    const onPlanned = async (plan: PlannedChange) => {
      plans.push(plan);
      return null;
    };
    const outcome = await this.#run(
      this.#gateway.prepare({ service: this.#record.service, name, input, isUsers: true, onPlanned }),
    );
    if (!outcome.ok) throw new Error(`${name}: ${outcome.message} ${JSON.stringify(outcome.details ?? null)}`);
    const [plan, ...more] = plans;
    if (plan === undefined || more.length > 0) throw new Error(`${name} was planned ${plans.length} times.`);
    const undo = plan.undo(outcome);
    return { name, plan, outcome, undo: undo === null ? null : JSON.parse(JSON.stringify(undo)) };
  }

  /** Plans a change, and sends none; the failure where it is ended before. */
  async dry(name: string, input: Input): Promise<PlannedChange | Failure> {
    const plans: PlannedChange[] = [];
    const onPlanned = async (plan: PlannedChange) => {
      plans.push(plan);
      return failed('rejected', 'dry');
    };
    const outcome = await this.#run(
      this.#gateway.prepare({ service: this.#record.service, name, input, isUsers: true, onPlanned }),
    );
    if (outcome.ok) throw new Error(`${name} was not planned: it was done.`);
    return plans[0] ?? outcome;
  }

  takeBack({ name, undo }: Made, { isForced = false, isDry = false } = {}): Promise<Outcome> {
    if (undo === null) return Promise.resolve(failed('rejected', 'It cannot be taken back.'));
    const onPlanned = async () => failed('rejected', 'dry');
    const ready = this.#gateway.prepareUndo({
      service: this.#record.service,
      name,
      undo,
      isForced,
      ...(isDry ? { onPlanned } : {}),
    });
    return this.#run(ready);
  }

  #run(ready: Result<ReadyOperation, Failure>): Promise<Outcome> {
    if (!ready.ok) return Promise.resolve(ready.failure);
    const run = ready.value.run(this.#record, (request) => {
      this.sent += 1;
      return request.send(this.#record);
    });
    return Promise.resolve(run);
  }
}
