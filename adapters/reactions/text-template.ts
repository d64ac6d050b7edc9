import { Liquid, type Template } from 'liquidjs';
import { formattedTime } from '#adapters/reactions/formatted-time.ts';
import { executableCode } from '#domain/notes/executable-code.ts';
import { inlineText, linkTo } from '#domain/notes/markdown-text.ts';
import type { ReactionFault } from '#domain/reaction-notes/reaction-note.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * The target of a template's text: a note, where values are escaped; a path, where each value is part of one name; or
 * data.
 */
export type TemplatePlace = 'note' | 'path' | 'data';

/** Markdown that is already safe. */
class SafeMarkdown {
  readonly markdown: string;

  constructor(markdown: string) {
    this.markdown = markdown;
  }
}

const limits = { parseLimit: 100_000, renderLimit: 500, memoryLimit: 200_000 } as const;
/** The maximum length of a rendered text, in characters. */
const maxText = 100_000;

// Mark the start and end of each value while rendering, to find the values in the text.
const [begin, end] = ['\ue000', '\ue001'];
const marks = /[\ue000\ue001]/g;

const escapes: Readonly<Record<TemplatePlace, (value: unknown) => string>> = {
  note: (value) => `${begin}${value instanceof SafeMarkdown ? value.markdown : inlineText(plain(value))}${end}`,
  // A value contributes neither path separators nor a leading dot.
  path: (value) => plain(value).replace(/[\\/]/g, ' ').replace(/^\.+/, ''),
  data: plain,
};

function plain(value: unknown): string {
  if (value instanceof SafeMarkdown) return value.markdown;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).join(', ').replace(marks, '');
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(marks, '');
}

const keptTags = ['if', 'unless', 'case', 'for', 'assign', 'comment', '#', 'break', 'continue'];
const keptFilters =
  `append prepend upcase downcase capitalize strip strip_newlines truncate truncatewords default join first last
  size plus minus times divided_by modulo round floor ceil abs at_least at_most sum uniq reverse sort where map compact split
  replace remove`.split(/\s+/);

/**
 * Creates an engine with a restricted set of tags and filters: none reads a file, loads another template or bypasses
 * escaping.
 */
function engine(place: TemplatePlace): Liquid {
  const liquid = new Liquid({ ...limits, ownPropertyOnly: true, strictFilters: true, outputEscape: escapes[place] });
  const filters = new Map(Object.entries(liquid.filters));
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const name of keptFilters) {
    const filter = filters.get(name);
    if (filter !== undefined) liquid.registerFilter(name, filter);
  }
  for (const name of Object.keys(liquid.tags)) if (!keptTags.includes(name)) delete liquid.tags[name];
  liquid.registerFilter('date', (value: unknown, pattern: unknown, zone: unknown) => date(value, pattern, zone));
  liquid.registerFilter('link', (text: unknown, address: unknown) => link(text, address));
  return liquid;
}

function date(value: unknown, pattern: unknown, zone: unknown): string {
  const at = new Date(typeof value === 'number' || typeof value === 'string' ? value : '');
  if (Number.isNaN(at.getTime())) return '';
  return formattedTime(
    at,
    typeof pattern === 'string' ? pattern : '%Y-%m-%d %H:%M',
    typeof zone === 'string' ? zone : 'UTC',
  );
}

function link(text: unknown, address: unknown): SafeMarkdown {
  return new SafeMarkdown(linkTo(plain(text), typeof address === 'string' ? address : null));
}

const engines: Readonly<Record<TemplatePlace, Liquid>> = {
  note: engine('note'),
  path: engine('path'),
  data: engine('data'),
};

/** A compiled template. */
type CompiledTemplate = Readonly<{
  /** Renders the text; an error is returned as text. */
  fill(data: Readonly<Record<string, unknown>>): Result<string, string>;
  /** The unchanged value of a template that consists of one value; otherwise the rendered text. */
  value(data: Readonly<Record<string, unknown>>): Result<unknown, string>;
}>;

const onlyValue = /^\{\{-?([^{}]+)\}\}$/;

/** Compiles a template; a fault carries its line within the template, from 1. */
export function compileTemplate(text: string, place: TemplatePlace): Result<CompiledTemplate, ReactionFault> {
  const liquid = engines[place];
  try {
    const parsed = liquid.parse(text);
    const fill = (data: Readonly<Record<string, unknown>>) => filled(liquid, parsed, { ...data }, place);
    const [, only = ''] = place === 'data' ? (onlyValue.exec(text.trim()) ?? []) : [];
    const expression = only.replace(/-$/, '').trim();
    const value = (data: Readonly<Record<string, unknown>>): Result<unknown, string> => {
      if (expression === '') return fill(data);
      return attempted(() => {
        const found: unknown = liquid.evalValueSync(expression, { ...data });
        return ok<unknown>(found instanceof SafeMarkdown ? found.markdown : found);
      });
    };
    return ok({ fill, value });
  } catch (error) {
    return err(parseFault(error));
  }
}

/** Lists the names that a template reads. Its time grows with the square of their number: once per note, never per event. */
export function namesInTemplate(text: string): Result<readonly string[], ReactionFault> {
  try {
    const parsed = engines.note.parse(text);
    return ok(text.includes('{') ? engines.note.globalVariablesSync(parsed) : []);
  } catch (error) {
    return err(parseFault(error));
  }
}

const parseFault = (error: unknown): ReactionFault => ({
  line: lineOf(error),
  message: `The template does not parse: ${firstLine(error)}`,
});

function filled(
  liquid: Liquid,
  parsed: Template[],
  data: Record<string, unknown>,
  place: TemplatePlace,
): Result<string, string> {
  return attempted(() => {
    const text: unknown = liquid.renderSync(parsed, withSafeLinks(data));
    const whole = String(text);
    if (whole.length > maxText) return err(`The text is longer than ${maxText} characters.`);
    if (place !== 'note') return ok(whole);
    if (executableCode(whole).some(({ code }) => code.includes(begin)) || inTag.test(whole)) {
      return err('A value is inside code or HTML that a notes app would run; move it outside.');
    }
    return ok(whole.replace(marks, ''));
  });
}

/** A value inside an HTML tag, which it could close. */
const inTag = /<[a-z!/][^<>\n]*\ue000/i;

/** Marks the links in the data as safe: they are this server's own Markdown. */
function withSafeLinks(data: Record<string, unknown>): Record<string, unknown> {
  const links = data['links'];
  if (typeof links !== 'object' || links === null) return data;
  const safe = Object.entries(links).map(([key, text]) => [
    key,
    typeof text === 'string' ? new SafeMarkdown(text) : text,
  ]);
  return { ...data, links: Object.fromEntries(safe) };
}

function attempted<Value>(work: () => Result<Value, string>): Result<Value, string> {
  try {
    return work();
  } catch (error) {
    return err(`The text cannot be made: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]?.split(', line:')[0] ?? '';
}

function lineOf(error: unknown): number {
  const found = /line:(\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return found === undefined ? 1 : Number(found);
}
