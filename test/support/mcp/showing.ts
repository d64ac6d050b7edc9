import type { Showing } from '#adapters/mcp/results/tool-result.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';

/** How the result of an operation with this output is shown, within 20,000 tokens by default. */
export const showing = (output: OperationOutput | null, maxTokens = 20_000): Showing => ({
  connectUrl: 'http://localhost:3000/page',
  output,
  limit: { maxTokens, pageInput: () => 'limit' },
  address: () => 'http://localhost:3000/api/x',
});
