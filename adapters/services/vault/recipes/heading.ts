import { z } from 'zod';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { editsBetween } from '#domain/text/nearest.ts';

type Tree = Readonly<{ [heading: string]: Tree }>;

const tree: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), tree));

/** The document map, with headings as full paths; newer servers send them as a tree. */
const documentMap = z.object({
  blocks: z.array(z.string()).catch([]),
  frontmatterFields: z.array(z.string()).catch([]),
  headings: z.union([z.array(z.string()), tree.transform((headings) => pathsIn(headings))]).default([]),
});

const delimiter = '::';

/**
 * Resolves a heading that may be bare ("History") to its full path ("Deal::History") in a document map. A target that
 * matches nothing is returned unchanged if it may be created, else rejected with the existing headings; one that
 * matches several is rejected with the choices.
 */
export function resolveHeading(target: string, map: unknown, isMade: boolean): Outcome<string> {
  const parsed = documentMap.safeParse(map);
  if (!parsed.success) return failed('unavailable', 'The vault answered with something that is not a document map.');
  const { headings } = parsed.data;
  if (headings.includes(target)) return succeeded(target);
  const wanted = target.split(delimiter);
  const matches = headings.filter((heading) => endsWith(heading.split(delimiter), wanted));
  const [only, ...others] = matches;
  if (only === undefined) return isMade ? succeeded(target) : missingPart('heading', target, map);
  if (others.length === 0) return succeeded(only);
  const choices = matches.map((heading) => `"${heading}"`).join(', ');
  return failed(
    'invalid_input',
    `The heading "${target}" is there several times. Name one by its full path: ${choices}.`,
  );
}

const maxNames = 20;
const maxName = 40;

/** The failure for a missing part: which parts exist, the nearest first, and how to create it. */
export function missingPart(kind: 'heading' | 'block' | 'frontmatter', target: string, map: unknown): Failure {
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
  return failed(
    'not_found',
    `The note has no ${word} "${target}". ${there} With create_target_if_missing: true it is made.`,
  );
}

function pathsIn(headings: Tree): string[] {
  return Object.entries(headings).flatMap(([name, below]) => [
    name,
    ...pathsIn(below).map((path) => name + delimiter + path),
  ]);
}

function endsWith(full: readonly string[], tail: readonly string[]): boolean {
  return tail.length <= full.length && tail.every((part, index) => full[full.length - tail.length + index] === part);
}
