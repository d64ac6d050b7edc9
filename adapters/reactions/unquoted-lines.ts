import { own } from '#domain/shared/own.ts';

/** The keys of a reaction whose values are single-line texts; some may also be a list. */
const textKeys = /^(when|if|note|under|once):[ \t]+(\S.*)$/gm;

/** Matches the start of a value that continues on further lines. */
const goesOn = /^(?:[|>]|\[(?!.*\])|\{(?!\{)(?!.*\}))/;

/**
 * Quotes texts of a reaction that YAML would misread: those that contain a colon and a blank, or start with `{{` or a
 * YAML indicator. The rest of such a line is the text, without a trailing comment. Lines keep their positions; `isText`
 * tells whether YAML already reads a line, `key: value`, as a string.
 */
export function withQuotedLines(yaml: string, isText: (line: string) => boolean): string {
  return yaml.replace(textKeys, (line, key: string, written: string) => {
    const [rest, end] = [written.trimEnd(), written.endsWith('\r') ? '\r' : ''];
    if (goesOn.test(rest) || isText(line.trimEnd()) || (key === 'when' && /^[[{"']/.test(rest))) return line;
    const text = withoutComment(rest);
    return text === '' ? line : `${key}: ${JSON.stringify(text)}${end}`;
  });
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '{{': '}}' };

/** Removes a trailing comment: a number sign after a blank, outside quotes and `{{ }}`. */
function withoutComment(text: string): string {
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const opening = text.startsWith('{{', at) ? '{{' : text.charAt(at);
    const closing = unclosed.has(opening) ? undefined : own(closings, opening);
    if (closing !== undefined) {
      const end = text.indexOf(closing, at + opening.length);
      // What is not closed from here is not closed further on.
      if (end === -1) unclosed.add(opening);
      else at = end + closing.length - 1;
    } else if (opening === '#' && /[ \t]/.test(text[at - 1] ?? ' ')) return text.slice(0, at).trimEnd();
  }
  return text;
}
