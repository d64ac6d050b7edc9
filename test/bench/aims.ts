/** What each load and figure is to reach, by the beginning of its name; the first that fits counts. */
const aims: readonly (readonly [string, string])[] = [
  ['mcp: tools/call', '≥ 0.55'],
  ['mcp: tools/list', '≥ 0.80'],
  ['mcp: vault_note_read, the whole server, beside', '≥ 0.60'],
  ['mcp: vault_note_read, the whole server', '–'],
  ['mcp: vault_note_patch, the whole server, beside', '≥ 0.90'],
  ['mcp: vault_note_patch, the whole server', '≥ 0.15'],
  ['resident memory of each of', '≤ 1.6 ×'],
  ['tool calls beside the streams', '≥ 0.8 ×'],
  ['a change of a note, until', '≤ 2 s'],
  ['clients that got an error they cannot retry', '0'],
  ['sign-ins at full load,', '–'],
  ['sign-ins at full load', '≥ 500'],
  ['500 sign-ins a minute, slowest', '≤ 10 × median'],
  ['rest: ', '≥ 0.60'],
  ['lists: ', '≥ 0.67'],
  ['webhooks: ', '≥ 1.1'],
  ['deliveries to notes, empty vault', '≥ 0.60, ≤ 2 ms'],
  ['deliveries to notes, 50000 notes, beside an empty vault', '≥ 0.83'],
  ['start: server, clone', '≥ 0.67'],
  ['start: server, package', '≥ 0.83'],
  ['start: stdio', '≥ 0.83'],
  ['resident memory, idle', '≤ 120 MB'],
  ['resident memory after 800 deliveries', '≤ 180 MB'],
  ['resident memory with 50000 notes', '≤ 250 MB'],
  ['a note found by its frontmatter, median', '≤ 1 ms'],
];

/** The aim of a load or a figure; a dash where it has none. */
export function aimOf(name: string): string {
  return aims.find(([begin]) => name.startsWith(begin))?.[1] ?? '–';
}
