/** Words by which comments and titles cite a document that a reader cannot open. */
const elsewhere: readonly RegExp[] = [
  /\(contract\b/i,
  /\b[Cc]ontract(?:,|:) [A-Z]/,
  /\bcontract['’]s\b/i,
  /\bthe contract\b(?! (?:note|follow-up|kit|suite))/i,
  /\bdecisions\b/i,
  /\b(?:known failure|finding) \d/i,
  /\((?:issue|finding)s?[: ]/i,
  /\bpeers['’]/i,
  /\((?:[A-Z]\d{1,2})(?:, [A-Z]\d{1,2})*\)/,
];

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
const titles = /(?<=\b(?:it|test|describe)\(\s*|\)\(\s*)(['"`])(?:\\.|(?!\1)[^\\])*\1/g;

/** The comments of a source and the titles of its tests that cite such a document, each in one line. */
export function citationsElsewhere(source: string): readonly string[] {
  return [...source.matchAll(comments), ...source.matchAll(titles)]
    .map(([text]) => text.replaceAll(/\s*\n\s*\*?\s*/g, ' '))
    .filter((text) => elsewhere.some((pattern) => pattern.test(text)));
}

/** A class or type as documents name it, with or without a member: `RunOperation.call`. */
const identifier = /`([A-Z][a-z]+(?:[A-Z][a-z0-9]+)+)(?:\.\w+)?`/g;

/** The names of classes and types in a document that are no words of the sources. */
export function unknownNames(document: string, sources: ReadonlySet<string>): readonly string[] {
  return [...document.matchAll(identifier)].map(([, name = '']) => name).filter((name) => !sources.has(name));
}
