import { readFileSync, writeFileSync } from 'node:fs';
import { dqlParserSource } from '#test/support/vault/dql-source.ts';

const grammar = 'adapters/embedded-vault/dql/dql.peggy';

writeFileSync('adapters/embedded-vault/dql/dql-parser.ts', dqlParserSource(readFileSync(grammar, 'utf8')));
