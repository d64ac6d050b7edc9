import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { listedPrograms, workspaceTools } from '#test/support/mcp/workspace-tools.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

/** The size of a tool list in a model's context: its query, the number of tools, and the approximate tokens. */
export type ListSize = Readonly<{ query: string; tools: number; tokens: number }>;

const begin = '<!-- tool-sizes:begin -->';
const end = '<!-- tool-sizes:end -->';
const queries = [
  '',
  '?readonly=1',
  '?mode=catalogue',
  '?mode=programs',
  ...serviceKeys.map((service) => `?services=${service}`),
];
const answerSchema = z.object({ result: z.looseObject({ tools: z.array(z.unknown()) }) });

/** Measures the tool lists over HTTP, for a user connected to everything, by the estimate of tokens. */
export async function measuredSizes(defaultTools: 'all' | 'contract' = 'all'): Promise<readonly ListSize[]> {
  const catalog = catalogOf(providersFrom(readSettings({})));
  const app = await startMcpApp({
    catalog,
    features: { tools: workspaceTools(catalog), defaultTools, programs: listedPrograms },
  });
  const sizes = await Promise.all(
    queries.map(async (query) => {
      const answer = await post(app.url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { path: `/message${query}` });
      const { result } = answerSchema.parse(await answer.json());
      return { query, tools: result.tools.length, tokens: estimateTokens(JSON.stringify(result.tools)) };
    }),
  );
  await app.close();
  return sizes;
}

/** The sizes as a Markdown table, in hundreds of tokens. */
export function tableOf(sizes: readonly ListSize[]): string {
  const lines = sizes.map(({ query, tools, tokens }) => [
    query === '' ? 'all' : `\`${query}\``,
    String(tools),
    (Math.round(tokens / 100) * 100).toLocaleString('en'),
  ]);
  const head = ['tools', 'how many', 'tokens, about'];
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [row(head), rule, ...lines.map(row)].join('\n');
}

/** The sizes in a document. */
export function sizesIn(readme: string): readonly ListSize[] {
  const listed = readme.slice(readme.indexOf(begin), readme.indexOf(end));
  return [...listed.matchAll(/^\| (?:all|`(\S+)`) +\| (\d+) +\| ([\d,]+) +\|$/gm)].map(
    ([, query = '', tools, tokens = '']) => ({
      query,
      tools: Number(tools),
      tokens: Number(tokens.replaceAll(',', '')),
    }),
  );
}

/** Returns the document with the table between its marks. */
export function retold(readme: string, table: string): string {
  return `${readme.slice(0, readme.indexOf(begin) + begin.length)}\n\n${table}\n\n${readme.slice(readme.indexOf(end))}`;
}
