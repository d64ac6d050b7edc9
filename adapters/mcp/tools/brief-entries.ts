import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { isObject } from '#domain/json/json-data.ts';
import { isWithinTokens } from '#domain/text/estimate-tokens.ts';

/** The maximum length of all entries, in tokens: a result is sent as text and as structured content. */
const maxTokens = 220;

/** The maximum number of inputs that are named of a tool. */
const maxInputs = 16;

type Found = Readonly<{ tool: Tool; run: string }>;

/** A tool in a search result: what runs it, and its inputs in one line; both only of the first ones. */
type BriefEntry = Readonly<{ name: string; title?: string; run?: string; inputs?: string }>;

/** The forms of an entry, from the longest. */
const forms: readonly ((found: Found) => BriefEntry)[] = [
  ({ tool, run }) => ({ name: tool.name, title: tool.title, run, inputs: inputsOf(tool) }),
  ({ tool, run }) => ({ name: tool.name, title: tool.title, run }),
  ({ tool }) => ({ name: tool.name }),
];

/** Describes tools in as few tokens as a search may take: the last ones are shortened, then left out. */
export function briefEntries(found: readonly Found[]): readonly BriefEntry[] {
  const [longest, ...shorter] = forms.map((form) => found.map(form));
  const fits = (entries: readonly BriefEntry[]) => isWithinTokens(JSON.stringify(entries), maxTokens);
  let entries = longest ?? [];
  for (const short of shorter) {
    for (let whole = entries.length - 1; whole > 0 && !fits(entries); whole -= 1) {
      entries = [...entries.slice(0, whole), ...short.slice(whole)];
    }
  }
  while (entries.length > 1 && !fits(entries)) entries = entries.slice(0, -1);
  return entries;
}

/** The inputs of a tool in one line: required ones with an asterisk, and the values that one takes. */
function inputsOf({ inputSchema, listedSchema = inputSchema }: Tool): string {
  const { properties, required } = listedSchema;
  if (!isObject(properties)) return '';
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const names = Object.keys(properties).toSorted((left, right) => Number(isRequired(right)) - Number(isRequired(left)));
  const shown = names
    .slice(0, maxInputs)
    .map((name) => `${name}${isRequired(name) ? '*' : ''}${kindOf(properties[name])}`);
  return [...shown, ...(names.length > maxInputs ? [`${names.length - maxInputs} more`] : [])].join(', ');
}

/** What an input takes, if it is no text: its values, or its type. */
function kindOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return ` (${values.join('|')})`;
  if (type === 'array') return ' []';
  return type === 'object' ? ' {}' : '';
}
