import { z } from 'zod';
import { headingDelimiter as delimiter } from '#domain/notes/which-heading.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { editsBetween } from '#domain/text/nearest.ts';

type Tree = Readonly<{ [heading: string]: Tree }>;

const tree: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), tree));

/** The document map, with headings as full paths; newer servers send them as a tree. */
const documentMap = z.object({
  blocks: z.array(z.string()).catch([]),
  frontmatterFields: z.array(z.string()).catch([]),
  headings: z.union([z.array(z.string()), tree.transform((headings) => pathsIn(headings))]).default([]),
});

const maxNames = 20;
const maxName = 40;

/** The failure for a missing part: which parts exist, the nearest first, and `hint`: how to create it. */
export function missingPart(
  kind: 'heading' | 'block' | 'frontmatter',
  target: string,
  map: unknown,
  hint = ' With create_target_if_missing: true it is made.',
): Failure {
  const parsed = documentMap.safeParse(map);
  const known = !parsed.success
    ? []
    : { heading: parsed.data.headings, block: parsed.data.blocks, frontmatter: parsed.data.frontmatterFields }[kind];
  const last = target.split(delimiter).at(-1) ?? target;
  const near = (name: string) =>
    editsBetween(last.slice(0, maxName), (name.split(delimiter).at(-1) ?? '').slice(0, maxName));
  const sorted = known
    .slice(0, 500)
    .map((name) => ({ name, distance: near(name) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => `"${name}"`);
  const word = { heading: 'heading', block: 'block', frontmatter: 'frontmatter key' }[kind];
  const there =
    sorted.length === 0
      ? 'It has none.'
      : `It has: ${sorted.slice(0, maxNames).join(', ')}${sorted.length > maxNames ? ', …' : ''}.`;
  return failed('not_found', `The note has no ${word} "${target}". ${there}${hint}`);
}

function pathsIn(headings: Tree): string[] {
  return Object.entries(headings).flatMap(([name, below]) => [
    name,
    ...pathsIn(below).map((path) => name + delimiter + path),
  ]);
}
