import type { z } from 'zod';
import type { CallRow, Operation, RequestRow } from '#adapters/services/operation-table.ts';
import { outcomeOf } from '#adapters/services/outcome-of.ts';
import type { Provider } from '#adapters/services/provider.ts';
import { type Inputs, wireRequest } from '#adapters/services/wire-request.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { type ServiceKey, serviceTitles } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** What the gateway works with. */
export type GatewayParts = Readonly<{
  providers: readonly Provider[];
  tokens: OutboundTokens;
  http: HttpClient;
}>;

const retries = { tries: 5, withinMs: 60_000 };

/** Carries out operations over HTTP: checks the input, finds the connection, sends, and normalises the answer. */
export class HttpServiceGateway implements ServiceGateway {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #tokens: OutboundTokens;
  readonly #http: HttpClient;

  constructor({ providers, tokens, http }: GatewayParts) {
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#tokens = tokens;
    this.#http = http;
  }

  async call(call: OperationCall): Promise<Outcome> {
    const provider = this.#providers.get(call.service);
    const operation = provider?.operations[call.name];
    if (provider === undefined || operation === undefined) {
      return failed('invalid_input', `There is no operation "${call.name}" of the ${serviceTitles[call.service]}.`);
    }
    const input = checked(operation, call.input);
    if (!input.ok) return input;
    const record = await this.#tokens.find(call.userId, call.service);
    if (record === null) {
      const title = serviceTitles[call.service];
      return failed(
        'not_connected',
        `You are not connected to the ${title}. Connect it on the page /page, then try again.`,
      );
    }
    return this.#carryOut(operation, input.data, { provider, record, call });
  }

  async #carryOut(operation: Operation, input: Inputs, place: Place): Promise<Outcome> {
    if (operation.kind === 'request') return this.#send(operation, input, place);
    const callRow: CallRow = async (name, rowInput) => {
      const row = place.provider.operations[name];
      if (row === undefined) throw new Error(`A recipe calls "${name}", which is no row.`);
      const parsed = checked(row, rowInput);
      return parsed.ok ? this.#carryOut(row, parsed.data, place) : parsed;
    };
    return operation.run(callRow, input);
  }

  async #send(row: RequestRow, input: Inputs, { provider, record, call }: Place): Promise<Outcome> {
    const { dialect, service } = provider;
    const title = `The ${serviceTitles[service]}`;
    if (dialect.isOwn && row.options.own === 'absent') {
      return failed('rejected', `${title} behind this server has no such operation: ${row.summary}.`);
    }
    const request = {
      ...wireRequest(row, input, dialect, record),
      timeoutMs: provider.timeoutMs,
      maxBytes: provider.maxBytes,
      trust: dialect.trust(record),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    };
    return outcomeOf(row, input, await this.#http.send(request, retries), { dialect, title });
  }
}

type Place = Readonly<{ provider: Provider; record: TokenRecord; call: OperationCall }>;

/** The input as the row wants it, or what is wrong with it, every fault at once. */
function checked(operation: Operation, input: unknown): Outcome<Inputs> {
  const parsed = operation.input.safeParse(input ?? {});
  if (parsed.success) return { ok: true, data: parsed.data };
  return failed('invalid_input', `The input does not fit: ${explain(parsed.error)}`, {
    details: parsed.error.issues.map(plainIssue),
  });
}

function explain(error: z.ZodError): string {
  return `${error.issues.map((issue) => `${pathOf(issue)}${issue.message}`).join('; ')}.`;
}

function plainIssue(issue: z.core.$ZodIssue): unknown {
  return { path: issue.path.map(String), message: issue.message };
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? '' : `\`${issue.path.map(String).join('.')}\` `;
}
