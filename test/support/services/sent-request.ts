import type { Provider } from '#adapters/services/definitions/provider.ts';
import { type WireRequest, wireRequest } from '#adapters/services/requests/wire-request.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The request that a provider sends for one of its operations. */
export function sentRequest(
  { operations, dialect }: Pick<Provider, 'operations' | 'dialect'>,
  name: string,
  { input, record }: Readonly<{ input: unknown; record: TokenRecord }>,
): WireRequest {
  const row = operations[name];
  if (row?.kind !== 'request') throw new Error(`${name} is no request`);
  return wireRequest(row, row.input.parse(input), dialect, record);
}
