import { z } from 'zod';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

type Tree = Readonly<{ [heading: string]: Tree }>;

const tree: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), tree));

/** Headings by their full paths; newer servers send them as a tree. */
const documentMap = z.object({
  headings: z.union([z.array(z.string()), tree.transform((headings) => pathsIn(headings))]).default([]),
});

const delimiter = '::';

/**
 * The full path of a heading ("Deal::History") in a document map, for a target that may be bare ("History"). A target
 * that matches nothing is given back as it is; one that matches several headings is refused with the choices.
 */
export function resolveHeading(target: string, map: unknown): Outcome<string> {
  const parsed = documentMap.safeParse(map);
  if (!parsed.success) return failed('unavailable', 'The vault answered with something that is no document map.');
  const { headings } = parsed.data;
  if (headings.includes(target)) return succeeded(target);
  const wanted = target.split(delimiter);
  const matches = headings.filter((heading) => endsWith(heading.split(delimiter), wanted));
  const [only, ...others] = matches;
  if (only === undefined) return succeeded(target);
  if (others.length === 0) return succeeded(only);
  const choices = matches.map((heading) => `"${heading}"`).join(', ');
  return failed(
    'invalid_input',
    `The heading "${target}" is there several times. Name one by its full path: ${choices}.`,
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
