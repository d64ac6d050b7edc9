import { isMap, parseDocument } from 'yaml';

/**
 * Whether YAML can be parsed and holds keys and values, or nothing. Longer YAML is not checked, and is none: the parser
 * takes quadratic time for some texts. Lengths are in characters.
 */
export function isYamlMap(yaml: string, maxLength = 128 * 1024): boolean {
  if (yaml.length > maxLength) return false;
  try {
    const document = parseDocument(yaml, { logLevel: 'silent' });
    return document.errors.length === 0 && (document.contents === null || isMap(document.contents));
  } catch {
    return false;
  }
}
