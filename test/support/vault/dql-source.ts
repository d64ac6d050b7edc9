import peggy from 'peggy';

/** The parser of a grammar, as it is kept beside the grammar. */
export function dqlParserSource(grammar: string): string {
  const source = peggy.generate(grammar, { output: 'source', format: 'es', allowedStartRules: ['Query'] });
  return `// @ts-nocheck: generated from dql.peggy by \`npm run dql\`; edit that file instead.\n${source}`;
}
