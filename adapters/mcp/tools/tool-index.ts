import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { meaningsIn } from '#adapters/mcp/tools/tool-words.ts';

/** What the index reads of a tool. */
type Indexed = Pick<Tool, 'name' | 'title' | 'description'>;

/** What people say who want one of these tools, besides the words of its name and description. */
const alsoFor: Readonly<Record<string, string>> = {
  tracker_issue_update: 'close assign state label move project cycle',
  tracker_issue_archive: 'delete',
  tracker_issues_list: 'find my',
  tracker_viewer: 'me user',
  tracker_cycle_get: 'current',
  sales_crm_search: 'deal person org',
  sales_crm_deal_update: 'lost stage close',
  sales_crm_activity_create: 'follow',
  sales_crm_activity_update: 'close',
  signing_document_send: 'sign recipient',
  signing_document_details: 'recipient sign who',
  signing_document_download: 'sign',
  suite_coql_query: 'count table',
  vault_note_write: 'create',
  vault_note_patch: 'heading part',
  vault_note_section: 'heading part',
  vault_note_move: 'rename note',
  vault_periodic_write: 'note create',
  vault_periodic_read: 'note',
  vault_search: 'note find',
  vault_search_advanced: 'tag table frontmatter',
  vault_vault_list: 'note folder list',
  vault_tags_add: 'note tag',
  vault_frontmatter_set: 'update',
  workspace_search: 'everywhere find',
  workspace_brief: 'brief org person deal',
  workspace_bulk: 'bulk',
  workspace_reactions: 'reaction',
};

/** The weights of the places where a meaning occurs. */
const weights = { name: 3, also: 3.2, title: 2, first: 1, rest: 0.3 } as const;

/** What a word that the name has and nobody asked for takes away. */
const unasked = 0.25;

/** The share that an operation without a tool has of its score: it takes ids where a tool takes names. */
const ofOperation = 0.6;

type Entry<One> = Readonly<{ one: One; weightOf: ReadonlyMap<string, number>; named: ReadonlySet<string> }>;

/** An index over tools that finds them by what people want to do, in English and German. */
export class ToolIndex<One extends Indexed> {
  readonly #entries: readonly Entry<One>[];
  /** How many tools a meaning occurs in; rare ones count more. */
  readonly #counts = new Map<string, number>();

  constructor(tools: readonly One[]) {
    this.#entries = tools.map(entryOf);
    for (const { weightOf } of this.#entries) {
      for (const meaning of weightOf.keys()) this.#counts.set(meaning, (this.#counts.get(meaning) ?? 0) + 1);
    }
  }

  /** The tools that a query finds, the best first; all in their order for a query without words. */
  find(query: string): readonly One[] {
    const named = this.#entries.find(({ one }) => one.name === query.trim());
    if (named !== undefined) return [named.one];
    const asked = meaningsIn(query);
    if (asked.length === 0) return this.#entries.map(({ one }) => one);
    return this.#entries
      .map((entry) => ({ one: entry.one, score: this.#scoreOf(entry, asked) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .map(({ one }) => one);
  }

  #scoreOf({ one, weightOf, named }: Entry<One>, asked: readonly (readonly string[])[]): number {
    const scores = asked.map((meanings) =>
      Math.max(0, ...meanings.map((meaning) => (weightOf.get(meaning) ?? 0) * this.#rarityOf(meaning))),
    );
    const total = scores.reduce((sum, score) => sum + score, 0);
    if (total === 0) return 0;
    const covered = scores.filter((score) => score > 0).length / asked.length;
    const wanted = new Set(asked.flat());
    const others = [...named].filter((meaning) => !wanted.has(meaning)).length;
    return Math.max(0.01, total * covered - others * unasked) * (one.name.includes('.') ? ofOperation : 1);
  }

  #rarityOf(meaning: string): number {
    return Math.log(1 + this.#entries.length / (this.#counts.get(meaning) ?? 1));
  }
}

function entryOf<One extends Indexed>(one: One): Entry<One> {
  const { name, title, description } = one;
  const [first = '', ...rest] = description.replaceAll(/\b[a-z]+_[a-z_]+\b/g, ' ').split(/[.;:]\s/);
  const parts = name.split(/[._]/);
  const named = new Set(meaningsIn(parts.join(' ')).flat());
  const weightOf = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const meaning of meaningsIn(text).flat()) weightOf.set(meaning, Math.max(weight, weightOf.get(meaning) ?? 0));
  };
  add(parts.join(' '), weights.name);
  add(Object.hasOwn(alsoFor, name) ? (alsoFor[name] ?? '') : '', weights.also);
  add(title, weights.title);
  add(first, weights.first);
  add(rest.join(' '), weights.rest);
  return { one, weightOf, named };
}
