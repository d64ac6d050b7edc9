import { version } from '#bootstrap/version.ts';
import { nearest } from '#domain/text/nearest.ts';

/*
 * `portolan [command]`: the entry point of the built package. Commands parse their own arguments and are loaded on demand.
 */
type Command = Readonly<{ about: string; run: () => Promise<unknown> }>;

const commands: Readonly<Record<string, Command>> = {
  start: { about: 'the server; what runs when no command is given', run: () => import('#bootstrap/main.ts') },
  stdio: {
    about: 'MCP on standard input and output, for the user of PORTOLAN_TOKEN or PORTOLAN_EMAIL',
    run: () => import('#bootstrap/stdio.ts'),
  },
  doctor: {
    about: 'what is set up, what is missing, what to do next',
    run: () => import('#bootstrap/cli/doctor.ts'),
  },
  user: {
    about: 'the people who can sign in: add, list, permit, revoke, password, sign-out',
    run: () => import('#bootstrap/cli/user.ts'),
  },
  keys: {
    about: 'the keys that stored tokens are sealed with: status, rotate',
    run: () => import('#bootstrap/cli/keys.ts'),
  },
  reactions: {
    about: 'the reactions that people wrote: list, check, dry-run',
    run: () => import('#bootstrap/cli/reactions.ts'),
  },
  webhooks: {
    about: 'the deliveries: list, show, replay, skip, dry-run',
    run: () => import('#bootstrap/cli/webhooks.ts'),
  },
  backup: {
    about: 'everything that is kept, to one file: database, notes, templates, key',
    run: () => import('#bootstrap/cli/backup.ts'),
  },
  restore: {
    about: 'a backup, into an empty DATA_DIR and database',
    run: () => import('#bootstrap/cli/backup.ts'),
  },
};

const [node = '', script = '', name = 'start', ...args] = process.argv;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;

const isBackup = name === 'backup' || name === 'restore';

if (command !== undefined) {
  // The two commands of one file take their name as the first argument.
  process.argv = [node, script, ...(isBackup ? [name] : []), ...args];
  // Loading takes a moment, so the user gets immediate feedback.
  if (name === 'start') process.stdout.write('Starting…\n');
  await command.run();
} else if (name === '--version') {
  process.stdout.write(`${version}\n`);
} else if (name === '--help' || name === 'help') {
  process.stdout.write(help());
} else {
  const near = nearest(name, Object.keys(commands)).map((one) => `portolan ${one}`);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', or ')}?`;
  process.stderr.write(`There is no command ${name}.${hint} portolan --help lists all.\n`);
  process.exitCode = 2;
}

function help(): string {
  const lines = Object.entries(commands).map(([one, { about }]) => `  portolan ${one.padEnd(9)} ${about}`);
  return ['Usage: portolan [command]', '', ...lines, '', 'Each command tells more with --help.', ''].join('\n');
}
