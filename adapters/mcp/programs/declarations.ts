import { memberName, typeAccepting } from '#adapters/mcp/programs/schema-types.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import { pathOf } from '#application/programs/program-operations.ts';
import { isObject } from '#domain/json/json-data.ts';

/** How deep an answer's type is written out: its members, and for a list those of its items. */
const answerDepth = 2;

/** What programs find besides operations, as declarations. */
const surroundings = `/** A failed call: why (such as 'not_found'), what to do, and whether trying again can help. */
declare class PortolanError extends Error { reason: string; hint: string; retryable: boolean }
type Page<Item> = { data: Item[]; pagination?: { next: string | null; hasMore: boolean; total?: number } };
declare const input: any;
declare function log(...values: unknown[]): void;
declare const console: { log: typeof log; info: typeof log; warn: typeof log; error: typeof log; debug: typeof log };
`;

/** What `portolan` has besides operations. */
const own = [
  '/** Searches all services at once */',
  'search(inputs: { query: string; services?: string[]; limit?: number }): Promise<any>;',
  '/** Sums up a person, company or deal over all services */',
  'brief(inputs: Record<string, unknown>): Promise<any>;',
  '/** Goes through the items of all pages of a list */',
  'pages<Item, Inputs>(operation: (inputs: Inputs) => Promise<Page<Item>>, inputs?: Inputs): AsyncGenerator<Item>;',
];

type Node = Map<string, Node | OperationInfo>;

/** Declares operations for programs, in TypeScript; with `isWhole` also what programs find besides. */
export function declarationsOf(operations: readonly OperationInfo[], isWhole: boolean): string {
  const tree: Node = new Map();
  for (const operation of operations) place(tree, pathOf(operation).split('.'), operation);
  const members = [...(isWhole ? own : []), ...linesOf(tree)].map((line) => `  ${line}`);
  return `${isWhole ? surroundings : ''}declare const portolan: {\n${members.join('\n')}\n};\n`;
}

function place(node: Node, [name = '', ...rest]: readonly string[], operation: OperationInfo): void {
  if (rest.length === 0) {
    node.set(name, operation);
    return;
  }
  const known = node.get(name);
  const inner: Node = known instanceof Map ? known : new Map();
  if (known !== undefined && !(known instanceof Map)) return;
  node.set(name, inner);
  place(inner, rest, operation);
}

function linesOf(node: Node): readonly string[] {
  return [...node].flatMap(([name, one]) =>
    one instanceof Map
      ? [`${memberName(name)}: {`, ...linesOf(one).map((line) => `  ${line}`), '};']
      : [
          `/** ${one.summary.replaceAll('*/', '* /')} */`,
          `${memberName(name)}(${inputsOf(one)}): Promise<${answerOf(one)}>;`,
        ],
  );
}

function inputsOf({ inputSchema }: OperationInfo): string {
  const { required } = inputSchema;
  const isNeeded = Array.isArray(required) && required.length > 0;
  return `inputs${isNeeded ? '' : '?'}: ${typeAccepting(inputSchema)}`;
}

function answerOf({ output }: OperationInfo): string {
  if (output === null) return 'any';
  if (output.kind === 'done') return '{ done: true }';
  const { dataSchema } = output;
  if (output.kind === 'record') return typeAccepting({ type: 'object', ...dataSchema }, answerDepth);
  const items = isObject(dataSchema) ? dataSchema['items'] : undefined;
  return `Page<${typeAccepting(items, answerDepth)}>`;
}
