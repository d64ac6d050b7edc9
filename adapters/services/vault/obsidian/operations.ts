import { z } from 'zod';
import type { VendorRecipe } from '#adapters/services/definitions/vendor-operations.ts';
import type { RecipeContext, RequestRow } from '#adapters/services/requests/operation-table.ts';
import { instructionOf, patchActive2, patchNote2 } from '#adapters/services/vault/obsidian/patch-instructions.ts';
import { type Release, Releases } from '#adapters/services/vault/obsidian/releases.ts';
import { noRevisions, otherRevision } from '#adapters/services/vault/recipes/note-calls.ts';
import { folderOfCurrent, reportedPath, setPattern } from '#adapters/services/vault/recipes/periodic-folder.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { periodicNames, periodicPath } from '#domain/notes/periodic-notes.ts';
import { localDay, type Weeks } from '#domain/notes/week-of-year.ts';
import { failed, type Outcome, withPath } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

type Inputs = Readonly<Record<string, unknown>>;
type Recipe = VendorRecipe<Inputs, Record<string, never>>;
type Departure = (row: RequestRow, input: Inputs, release: Release, context: RecipeContext) => Promise<Outcome>;

/**
 * How the releases of the notes app's own server do the operations in which they differ: each first determines the
 * release (`releases.ts`). `now` is the time in Unix ms.
 */
export function obsidianOperations(now: () => number, weeks: Weeks): Readonly<Record<string, Recipe>> {
  const releases = new Releases();
  const departures: Readonly<Record<string, Departure>> = {
    'notes.patch': patchAs(releases, patchNote2),
    'active.patch': patchAs(releases, patchActive2),
    'notes.read': read,
    'active.read': read,
    'search.advanced': search,
    ...periodicDepartures(releases, { now, weeks }),
  };
  const table: Readonly<Record<string, RequestRow>> = rows;
  /** Checks `if_match` for a release that does not: against the version of the note, read right before the write. */
  const conditionFailure = async (name: string, input: Inputs, release: Release, context: RecipeContext) => {
    const [group = '', verb] = name.split('.');
    if (release.conditional === 'all' || (release.conditional === 'patch' && verb === 'patch')) return null;
    if (release.conditional === 'none') return noRevisions;
    const reading = `${group}.read`;
    const [row, depart] = [own(table, reading), own(departures, reading)];
    if (row === undefined || depart === undefined) return noRevisions;
    const address = Object.entries(input).filter(([input]) => Object.hasOwn(row.input.shape, input));
    const note = await depart(row, { ...Object.fromEntries(address), format: 'note' }, release, context);
    return note.ok ? otherRevision(String(input['if_match']), note.revision) : note;
  };
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, row]) => {
      const depart = own(departures, name);
      if (depart === undefined && !Object.hasOwn(row.input.shape, 'if_match')) return [];
      const recipe: Recipe = async (_, input, context) => {
        const isConditional = input['if_match'] !== undefined;
        if (depart === undefined && !isConditional) return context.send(row, input);
        const release = await releases.find(context);
        if (!release.ok) return release;
        const refused = isConditional ? await conditionFailure(name, input, release.data, context) : null;
        return refused ?? (depart ?? sendAsIs)(row, input, release.data, context);
      };
      return [[name, recipe]];
    }),
  );
}

const errorCode = z.object({ errorCode: z.number() });

function saysFormat2(outcome: Outcome): boolean {
  const details = outcome.ok ? null : errorCode.safeParse(outcome.details);
  return details?.success === true && details.data.errorCode === 40084;
}

/** PATCH by headers up to release 5; by a JSON instruction from 6 on, or when the server asks for it (40084). */
function patchAs(releases: Releases, row2: RequestRow): Departure {
  const send2 = ({ send }: RecipeContext, input: Inputs) =>
    send(row2, { ...(input['path'] === undefined ? {} : { path: input['path'] }), instruction: instructionOf(input) });
  return async (row, input, release, context) => {
    if (release.patchFormat === 2) return send2(context, input);
    const outcome = await patchByHeaders(row, input, release, context);
    if (!saysFormat2(outcome)) return outcome;
    releases.noteNewPatch(context, release);
    return send2(context, input);
  };
}

const patchByHeaders: Departure = (row, input, { refusesDuplicates }, { send }) =>
  send(refusesDuplicates && input['reject_if_content_preexists'] !== true ? applying(row) : row, input);

/** Adds the header that makes release 3 add text that is already there, which other servers do by default. */
function applying(row: RequestRow): RequestRow {
  const input = row.input.extend({ apply: z.literal('true').default('true') });
  const headers = { ...row.options.headers, apply: { header: 'Apply-If-Content-Preexists', encode: 'plain' } as const };
  return { ...row, input, options: { ...row.options, headers } };
}

/** Release 6 removed the flat document map, and with it format 1 of the header. */
const read: Departure = (row, input, { patchFormat }, { send }) => {
  if (patchFormat === 1) return send(row, input);
  const shape = row.input.extend({ version: z.literal('2').default('2') });
  const headers = { version: { header: 'Markdown-Patch-Version', encode: 'plain' } as const };
  return send({ ...row, input: shape, options: { ...row.options, headers } }, input);
};

const search: Departure = async (row, input, release, { send }) =>
  input['type'] === 'dql' && !release.hasDql
    ? failed(
        'rejected',
        `Release ${release.version ?? ''} of the notes app's server does not evaluate DQL any more (it did before 4.0). Send a JsonLogic rule instead, such as {"==": [{"var": "frontmatter.status"}, "open"]}.`,
      )
    : send(row, input);

const verbs = ['read', 'append', 'put', 'patch', 'delete'] as const;
const periodInput = z.looseObject({
  period: z.enum(['daily', 'weekly', 'monthly', 'quarterly', 'yearly']),
  year: z.number().optional(),
  month: z.number().optional(),
  day: z.number().optional(),
});

/**
 * Periodic notes: through their routes while the release has them, else by path (`periodicPath`). A write to a dated
 * note always uses its path, since all releases with the route write to today's note instead.
 */
function periodicDepartures(
  releases: Releases,
  { now, weeks }: Readonly<{ now: () => number; weeks: Weeks }>,
): Readonly<Record<string, Departure>> {
  const patch = patchAs(releases, patchNote2);
  const byPath = async (verb: (typeof verbs)[number], input: Inputs, release: Release, context: RecipeContext) => {
    const { period, year, month, day, ...rest } = periodInput.parse(input);
    const today = localDay(now());
    const date = { year: year ?? today.year, month: month ?? today.month, day: day ?? today.day };
    const pattern = setPattern(period, context.connection.extra);
    const usual = (on: typeof today) => periodicPath(pattern ?? periodicNames[period], on, weeks);
    const isAsked = pattern === null && release.hasPeriodicRoutes;
    const found = isAsked ? await reportedPath(context, { period, ...date }) : null;
    const folder = isAsked && found === null ? await folderOfCurrent(context, period, usual(today)) : '';
    const onPath = { ...rest, path: found ?? folder + usual(date) };
    const sent =
      verb === 'patch'
        ? patch(rows['notes.patch'], onPath, release, context)
        : verb === 'read'
          ? read(rows['notes.read'], onPath, release, context)
          : context.send(rows[`notes.${verb}`], onPath);
    return withPath(await sent, onPath.path);
  };
  const current =
    (verb: (typeof verbs)[number]): Departure =>
    async (row, input, release, context) => {
      if (!release.hasPeriodicRoutes) return byPath(verb, input, release, context);
      const outcome = await (verb === 'patch' ? patchByHeaders : sendAsIs)(row, input, release, context);
      const another = isMissingRoute(outcome) ? await releases.findAnother(context, release) : null;
      return another?.hasPeriodicRoutes === false ? byPath(verb, input, another, context) : outcome;
    };
  const dated =
    (verb: (typeof verbs)[number]): Departure =>
    async (row, input, release, context) => {
      if (release.hasPeriodicRoutes && !release.writesToday) return sendAsIs(row, input, release, context);
      if (!release.hasPeriodicRoutes || verb !== 'read') return byPath(verb, input, release, context);
      const found = await sendAsIs(row, input, release, context);
      return !found.ok && found.reason === 'not_found' ? byPath(verb, input, release, context) : found;
    };
  return Object.fromEntries(
    verbs.flatMap((verb) => [
      [`periodic.${verb}`, current(verb)] as const,
      [`periodic_dated.${verb}`, dated(verb)] as const,
    ]),
  );
}

const sendAsIs: Departure = (row, input, _, { send }) => send(row, input);

/** Whether it is a 404 for a missing route: a missing note has its own code. */
function isMissingRoute(outcome: Outcome): boolean {
  if (outcome.ok || outcome.reason !== 'not_found') return false;
  const details = errorCode.safeParse(outcome.details);
  return !details.success || details.data.errorCode === 40400;
}
