import packageJson from '../../package.json' with { type: 'json' };

/* Imports the packages that a running server has in memory, says so, and waits to be ended: the least that it can take. */

/** Packages that a server with SQLite does not load: other databases, terminals, commands. */
const others: readonly string[] = [
  '@clack/prompts',
  '@mikro-orm/postgresql',
  '@modelcontextprotocol/sdk',
  'commander',
  'pino-pretty',
];

for (const name of Object.keys(packageJson.dependencies)) if (!others.includes(name)) await import(name);
process.send?.('imported');
setInterval(() => undefined, 60_000);
