import { version } from '#bootstrap/version.ts';
import { nearest } from '#domain/text/nearest.ts';

/*
 * `portolan [command]`: the entry point of the built package. Commands parse their own arguments and are loaded on demand.
 */
type Command = Readonly<{ about: string; run: () => Promise<unknown> }>;

const commands: Readonly<Record<string, Command>> = {
  start: { about: 'runs the server; the default command', run: () => import('#bootstrap/main.ts') },
  stdio: {
    about: 'serves MCP on standard input and output, for the user of PORTOLAN_TOKEN or PORTOLAN_EMAIL',
    run: () => import('#bootstrap/stdio.ts'),
  },
  doctor: {
    about: 'checks what is set up and what is missing',
    run: () => import('#bootstrap/cli/doctor.ts'),
  },
  user: {
    about: 'manages users: add, list, permit, revoke, password, sign-out',
    run: () => import('#bootstrap/cli/user.ts'),
  },
  keys: {
    about: 'manages the keys that stored tokens are encrypted with: status, rotate',
    run: () => import('#bootstrap/cli/keys.ts'),
  },
  reactions: {
    about: 'manages written reactions: list, check, dry-run',
    run: () => import('#bootstrap/cli/reactions.ts'),
  },
  webhooks: {
    about: 'the deliveries: list, show, replay, skip, dry-run',
    run: () => import('#bootstrap/cli/webhooks.ts'),
  },
  backup: {
    about: 'saves everything to one file: database, notes, templates, key',
    run: () => import('#bootstrap/cli/backup.ts'),
  },
  restore: {
    about: 'restores a backup into an empty DATA_DIR and database',
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
  process.stderr.write(`There is no command ${name}.${hint} Run portolan --help for a list.\n`);
  process.exitCode = 2;
}

function help(): string {
  const lines = Object.entries(commands).map(([one, { about }]) => `  portolan ${one.padEnd(9)} ${about}`);
  return ['Usage: portolan [command]', '', ...lines, '', 'Run a command with --help for its options.', ''].join('\n');
}
