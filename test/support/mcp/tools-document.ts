import type { ListedTool } from '#test/support/mcp/listed-tools.ts';

/** The parts of the document, in order, by how the names of their tools begin. */
const parts = [
  ['workspace_', 'Over all services'],
  ['sales_crm_', 'Sales CRM'],
  ['signing_', 'Signing service'],
  ['suite_', 'Suite CRM'],
  ['tracker_', 'Tracker'],
  ['vault_', 'Vault'],
] as const;

const head = `# Tools

What \`tools/list\` sends to a user who is connected to everything, as \`npm run tools\` writes it. A client sees the tools of the services that its user
may use and has connected, and that it was given. [clients.md](clients.md#limit-the-tool-list) has how to list fewer, and
[services/operations.md](services/operations.md) which vendor has which operation.

A tool **reads**, **writes**, or **may lose**: it can delete or overwrite something, or send something to other people.
[You decide](members.md#decide-what-is-asked-first) what an app asks you first. Any changing tool takes \`dry\`, and then only shows what it would change.
`;

/** The document that lists all tools. */
export function toolsDocument(tools: readonly ListedTool[]): string {
  const sections = parts.map(([prefix, title]) => {
    const own = tools.filter(({ name }) => name.startsWith(prefix));
    const rows = own.map((tool) => [`\`${tool.name}\``, effectOf(tool), firstSentence(tool)]);
    return `## ${title}\n\n${own.length} tools.\n\n${tableOf([['tool', 'effect', 'what it does'], ...rows])}\n`;
  });
  return [head, ...sections].join('\n');
}

function effectOf({ annotations }: ListedTool): string {
  const hints = new Map<string, unknown>(Object.entries(Object(annotations)));
  if (hints.get('readOnlyHint') === true) return 'reads';
  return hints.get('destructiveHint') === false ? 'writes' : 'may lose';
}

function firstSentence({ description }: ListedTool): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  const end = text.indexOf('. ');
  const sentence = end < 0 ? text : text.slice(0, end);
  return (sentence.endsWith('.') ? sentence.slice(0, -1) : sentence).replaceAll('|', '\\|');
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(rows[0] ?? []), rule, ...rows.slice(1).map(lineOf)].join('\n');
}
