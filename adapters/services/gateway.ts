import { checked } from '#adapters/services/checked.ts';
import type { ConnectionLimits } from '#adapters/services/connection-limits.ts';
import { Exchange, type TokenSource } from '#adapters/services/exchange.ts';
import type { MayReachPrivate } from '#adapters/services/given-address.ts';
import type { CallRow, Operation, RequestRow } from '#adapters/services/operation-table.ts';
import { projected } from '#adapters/services/projection.ts';
import type { Provider } from '#adapters/services/provider.ts';
import { vendorNamed } from '#adapters/services/vendor-named.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import type { NoteChange } from '#application/ports/note-changes.ts';
import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { neutralNames } from '#domain/services/service-names.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** What the gateway works with. */
export type GatewayParts = Readonly<{
  providers: readonly Provider[];
  tokens: TokenSource;
  http: HttpClient;
  /** What is counted of the providers' limits: one for all that send requests. Its own when not given. */
  limits?: ConnectionLimits;
  /** Told of each note that an operation changes. */
  onNoteChange?: (change: NoteChange) => void;
  /** Whose connections may lead to private addresses; everybody's when not given. */
  mayReachPrivate?: MayReachPrivate;
}>;

/** Carries out operations over HTTP: checks the input, finds the connection, sends, and normalises the answer. */
export class HttpServiceGateway implements ServiceGateway {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #tokens: TokenSource;
  readonly #exchange: Exchange;

  constructor({ providers, tokens, http, limits, onNoteChange, mayReachPrivate }: GatewayParts) {
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#tokens = tokens;
    this.#exchange = new Exchange(http, tokens, { limits, onNoteChange, mayReachPrivate });
  }

  async call(call: OperationCall): Promise<Outcome> {
    const provider = this.#providers.get(call.service);
    const operation = provider?.operations[call.name];
    if (provider === undefined || operation === undefined) {
      return failed('invalid_input', `There is no operation "${call.name}" of the ${neutralNames[call.service]}.`);
    }
    const input = checked(operation, call.input);
    if (!input.ok) return input;
    const record = await this.#tokens.find(call.userId, call.service);
    if (!record.ok) return record.failure;
    const outcome = await this.#applySteps(operation, input.data, { provider, record: record.value, call });
    return outcome.ok ? outcome : vendorNamed(outcome, provider);
  }

  async #applySteps(operation: Operation, input: Inputs, place: Place): Promise<Outcome> {
    const { record } = place;
    const connection = { id: `${record.userId}:${record.service}:${record.updatedAt}`, extra: record.extra };
    const callRow: CallRow = async (name, rowInput) => {
      const row = place.provider.operations[name];
      if (row === undefined) throw new Error(`A recipe calls "${name}", which is no row.`);
      const parsed = checked(row, rowInput);
      return parsed.ok ? this.#applySteps(row, parsed.data, place) : parsed;
    };
    if (operation.kind === 'request') {
      const { named } = operation.options;
      const resolved = named && (await place.provider.resolveNames?.(named, input, { call: callRow, connection }));
      return resolved?.ok === false ? resolved : this.#send(operation, resolved?.data ?? input, place);
    }
    const { signal, onProgress } = place.call;
    return operation.run(callRow, input, {
      connection,
      send: async (row, rowInput) => {
        const parsed = checked(row, rowInput);
        return parsed.ok ? this.#send(row, parsed.data, place) : parsed;
      },
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  }

  async #send(row: RequestRow, inputs: Inputs, { provider, record, call }: Place): Promise<Outcome> {
    const { signal, maxTries } = call;
    const outcome = await this.#exchange.send({
      provider,
      record,
      row,
      inputs,
      ...(signal === undefined ? {} : { signal }),
      ...(maxTries === undefined ? {} : { maxTries }),
    });
    return row.options.local?.includes('fields') === true
      ? projected(row.options.output, outcome, inputs['fields'])
      : outcome;
  }
}

type Place = Readonly<{ provider: Provider; record: TokenRecord; call: OperationCall }>;
