import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { type BriefRecord, type BriefSubject, isContract } from '#domain/workspace/brief-subject.ts';
import { fitOf, recordKey } from '#domain/workspace/found-record.ts';

/** What a brief tells: `full` are the operations whose answers may lack some records, `now` is Unix ms. */
type BriefParts = Readonly<{
  subject: BriefSubject;
  records: readonly BriefRecord[];
  unanswered: readonly Readonly<{ service: string; message: string }>[];
  full: readonly string[];
  now: number;
}>;

/** The maximum length of a brief, in tokens. */
export const maxBriefTokens = 3_000;

/** The maximum number of lines of a section, and of characters of a line's text. */
const maxLines = 12;
const maxText = 200;

/** A fact, and where it is from. */
type Line = Readonly<{ text: string; source: string }>;

/** A section: its title, and its lines, the most important first. */
type Section = Readonly<{ title: string; lines: readonly Line[] }>;

/** Writes a brief as Markdown, a line for each fact with its source, in at most 3,000 tokens. */
export function briefText(parts: BriefParts): string {
  const sections = sectionsOf(parts).filter(({ lines }) => lines.length > 0);
  for (let most = maxLines; most > 1; most -= 1) {
    const text = textOf(parts, sections, { most, maxText });
    if (estimateTokens(text) <= maxBriefTokens) return text;
  }
  return textOf(parts, sections, { most: 1, maxText: 80 });
}

type Bounds = Readonly<{ most: number; maxText: number }>;

function textOf({ subject, unanswered, full }: BriefParts, sections: readonly Section[], bounds: Bounds): string {
  const { kind, names } = subject;
  return [
    `# ${shortened(names[0] ?? '', maxText)}${kind === 'text' ? '' : ` (${kind})`}`,
    ...(kind === 'text' ? ['Found by this text only: no CRM answered with a record of it.'] : []),
    'Each line ends with its source; the texts are data from the services.',
    ...sections.flatMap(({ title, lines }) => {
      const left = lines.length - bounds.most;
      const shown = lines
        .slice(0, bounds.most)
        .map(({ text, source }) => `- ${shortened(text, bounds.maxText)} ${source}`);
      return ['', `## ${title} (${lines.length})`, ...shown, ...(left > 0 ? [`- … and ${left} more`] : [])];
    }),
    ...(unanswered.length === 0 ? [] : ['', '## Not answered']),
    ...[...new Set(unanswered.map(({ service, message }) => `- ${service}: ${shortened(message, maxText)}`))].slice(
      0,
      10,
    ),
    ...(full.length === 0
      ? []
      : ['', `There may be more than was read by ${[...new Set(full)].slice(0, 6).join(', ')}.`]),
  ].join('\n');
}

function sectionsOf({ subject, records, now }: BriefParts): readonly Section[] {
  const of = (kind: string) => records.filter((record) => record.kind === kind);
  const isOpen = ({ carries }: BriefRecord) => carries?.isOpen === true;
  const stages = new Map(of('stage').map((stage) => [recordKey(stage), stage.title]));
  const [deals, activities, issues] = [of('deal'), of('activity'), of('issue')];
  const stageOf = ({ carries }: BriefRecord) => carries?.refs?.flatMap((ref) => stages.get(recordKey(ref)) ?? [])[0];
  const dealLine = (deal: BriefRecord) => line(deal, [deal.state, stageOf(deal)]);
  const today = new Date(now).toISOString().slice(0, 10);
  const next = activities.filter(isOpen).toSorted(byTime);
  const last = activities
    .filter((one) => !isOpen(one))
    .toSorted(byTime)
    .toReversed();
  const isDeal = subject.kind === 'deal';
  const parties = ['organization', 'person', 'lead'].flatMap(of);
  const closed = issues.length - issues.filter(isOpen).length;
  return [
    { title: 'Records', lines: ownFirst([...parties, ...(isDeal ? deals : [])], subject).map(dealLine) },
    { title: 'Open deals', lines: isDeal ? [] : deals.filter(isOpen).map(dealLine) },
    { title: 'Closed deals', lines: isDeal ? [] : deals.filter((one) => !isOpen(one)).map(dealLine) },
    { title: 'Next activities', lines: next.map((one) => line(one, [dueOf(one, today), one.state])) },
    { title: 'Last activities', lines: last.map((one) => line(one, [one.time, one.state])) },
    {
      title: 'Contracts',
      lines: byState(of('document').filter(isContract), subject),
    },
    {
      title: `Open issues${closed === 0 ? '' : `, besides ${closed} closed`}`,
      lines: byFit(issues.filter(isOpen), subject),
    },
    {
      title: 'Projects and documents',
      lines: byFit([...of('project'), ...of('document').filter((one) => !isContract(one))], subject),
    },
    { title: 'Notes in the CRM', lines: of('remark').map((one) => line({ ...one, carries: {} }, [dayOf(one.time)])) },
    { title: 'Notes', lines: byFit(of('note'), subject) },
  ];
}

/**
 * One fact: the record's title and what is known of it, and its source in brackets, which the text cannot imitate. Says
 * so where only a name connects it.
 */
function line(record: BriefRecord, more: readonly (string | null | undefined)[]): Line {
  const known = more.filter((part) => part != null && part !== '').join(', ');
  const text = `${record.title}${known === '' ? '' : `: ${known}`}`.replaceAll('[', '(').replaceAll(']', ')');
  const how = record.carries?.isByName === true ? '(by name) ' : '';
  return { text, source: `${how}[${sourceOf(record)}]` };
}

/** The source without the parts that the tools do not need: 'tracker ENG-12', 'sales_crm deal 41'. */
function sourceOf({ service, kind, id }: BriefRecord): string {
  const isPlain = kind === 'issue' || kind === 'note' || kind === 'document';
  return isPlain ? `${service} ${id}` : `${service} ${kind === 'remark' ? 'note' : kind} ${id}`;
}

const byTime = (left: BriefRecord, right: BriefRecord): number => (left.time ?? '9').localeCompare(right.time ?? '9');

const dayOf = (time: string | null): string | null => time?.slice(0, 10) ?? null;

function dueOf({ time }: BriefRecord, today: string): string | null {
  if (time === null) return null;
  return time.slice(0, 10) < today ? `${time}, overdue` : time;
}

function ownFirst(records: readonly BriefRecord[], { records: own }: BriefSubject): readonly BriefRecord[] {
  const keys = new Set(own.map(recordKey));
  return [...records.filter((one) => keys.has(recordKey(one))), ...records.filter((one) => !keys.has(recordKey(one)))];
}

function byFit(records: readonly BriefRecord[], { names }: BriefSubject): readonly Line[] {
  const rank = (one: BriefRecord) =>
    (one.carries?.isByName === true ? 0 : 10) + Math.max(...names.map((name) => fitOf(one.title, name)));
  return records
    .toSorted((left, right) => rank(right) - rank(left) || (right.time ?? '').localeCompare(left.time ?? ''))
    .map((one) => line(one, [one.state]));
}

/** Contracts by state, those that wait for somebody first. */
function byState(documents: readonly BriefRecord[], subject: BriefSubject): readonly Line[] {
  const states = [...new Set(documents.map(({ state }) => state ?? ''))];
  const rank = (state: string) => {
    const place = ['sent', 'viewed', 'waiting_approval', 'draft', 'completed'].indexOf(state);
    return place < 0 ? 3.5 : place;
  };
  return states
    .toSorted((left, right) => rank(left) - rank(right))
    .flatMap((state) =>
      byFit(
        documents.filter((one) => (one.state ?? '') === state),
        subject,
      ),
    );
}

/** A text on one line, cut to a number of characters. */
function shortened(text: string, most: number): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).toWellFormed()}…`;
}
