import { type Document, parseDocument } from 'yaml';
import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The maximum length of frontmatter, in characters: a YAML parser takes quadratic time for some texts. */
export const maxFrontmatter = 512 * 1024;

/** The maximum number of aliases in frontmatter. */
const maxAliasCount = 50;

/** Parsed frontmatter, and its values as plain JavaScript. */
export type ReadFrontmatter = Readonly<{ document: Document.Parsed; values: unknown }>;

/**
 * Parses the YAML of a note; the failure says that it is malformed, too large, nested too deeply, or has too many
 * aliases.
 */
export function readFrontmatter(yaml: string, uniqueKeys = true): Result<ReadFrontmatter, string> {
  if (yaml.length > maxFrontmatter) return err(`It has more than ${maxFrontmatter} characters.`);
  try {
    const document = parseDocument(yaml, { logLevel: 'silent', uniqueKeys });
    const error = document.errors[0];
    if (error !== undefined) return err(error.message);
    const values: unknown = document.toJS({ maxAliasCount });
    return isTooDeep(values) ? err(`It is nested more than ${maxDepth} levels deep.`) : ok({ document, values });
  } catch (error) {
    return err(error instanceof RangeError ? 'It is nested too deeply.' : messageOf(error));
  }
}
