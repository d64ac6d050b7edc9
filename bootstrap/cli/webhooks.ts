import { Command, InvalidArgumentError } from 'commander';
import type { Container } from 'inversify';
import { wholeNumber } from '#adapters/input/texts.ts';
import { type InboxState, inboxStates } from '#application/ports/webhook-inbox.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { printError } from '#bootstrap/cli/command.ts';
import { deliveryLines, entryLine } from '#bootstrap/cli/delivery-text.ts';
import { openedForCommand, openTeamVault } from '#bootstrap/cli/opened-for-command.ts';
import { unknownValue } from '#domain/operations/input-error.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/*
 * `npm run webhooks -- list|show|replay|skip|dry-run`: manages deliveries from the command line, with the database of the
 * server, which may be running and picks up requeued deliveries within a second. Exits with 1 when nothing was done.
 */
const seqSchema = wholeNumber(1);

const program = new Command(commandLine('webhooks')).description(
  'Webhook deliveries: what was received, and how it was processed',
);

program
  .command('list')
  .description('Lists the latest deliveries, newest first')
  .option('--state <state>', `only those that are ${inboxStates.join(', ')}`, stateOf)
  .option('--limit <number>', 'how many at most', idOf, 20)
  .option('--before <id>', 'continue from this id', idOf)
  .action(({ state, limit, before }: Readonly<{ state?: InboxState; limit: number; before?: number }>) =>
    withDeliveries(async (deliveries) => {
      const given = { ...(state === undefined ? {} : { state }), ...(before === undefined ? {} : { before }) };
      const entries = await deliveries.list({ ...given, limit });
      return entries.length === 0 ? 'There are no such deliveries.' : entries.map(entryLine).join('\n');
    }),
  );

program
  .command('show')
  .description('Shows a delivery with its body, secrets masked')
  .argument('<id>', 'its number in the list', idOf)
  .action((seq: number) =>
    withDeliveries(async (deliveries) => {
      const shown = await deliveries.show(seq);
      return shown === null ? null : deliveryLines(shown);
    }),
  );

program
  .command('replay')
  .description('Processes a finished or dead delivery again')
  .argument('<id>', 'its number in the list', idOf)
  .action((seq: number) =>
    withDeliveries(async (deliveries) =>
      (await deliveries.replay(seq)) ? `Delivery ${seq} is waiting again; the server will process it.` : null,
    ),
  );

program
  .command('skip')
  .description('Skips a dead or waiting delivery, so that those queued behind it continue')
  .argument('<id>', 'its number in the list', idOf)
  .action((seq: number) =>
    withDeliveries(async (deliveries) => ((await deliveries.skip(seq)) ? `Delivery ${seq} is skipped.` : null)),
  );

program
  .command('dry-run')
  .description('Shows what processing a delivery now would do, without doing it; the vault must be reachable')
  .argument('<id>', 'its number in the list', idOf)
  .action((seq: number) => withDeliveries((deliveries) => dryRun(deliveries, seq), openTeamVault));

await program.parseAsync();

async function dryRun(deliveries: Deliveries, seq: number): Promise<string | null> {
  const plan = await deliveries.dryRun(seq);
  if (plan === null) return null;
  const fetched = plan.fetched === null ? [] : [`The event with its record, as fetched now:\n${plan.fetched}`];
  return [...plan.changes, plan.ending, ...fetched].join('\n\n');
}

/**
 * Opens everything that the server opens, without listening and starting jobs, and what `open` adds. `run` returns null
 * when there was nothing to act on.
 */
async function withDeliveries(
  run: (deliveries: Deliveries) => Promise<string | null>,
  open: (container: Container) => Promise<() => Promise<void>> = async () => async () => {},
): Promise<void> {
  try {
    const { container, closeAll } = await openedForCommand();
    const close = await open(container);
    try {
      const text = await run(container.get(Deliveries));
      if (text === null) process.exitCode = 1;
      process.stdout.write(`${text ?? 'There is no such delivery, or its state does not allow this.'}\n`);
    } finally {
      await close();
      await closeAll();
    }
  } catch (error) {
    process.exitCode = printError(error);
  }
}

function idOf(text: string): number {
  const id = seqSchema.safeParse(text);
  if (!id.success) throw new InvalidArgumentError('It must be a number from the list.');
  return id.data;
}

function stateOf(text: string): InboxState {
  const state = inboxStates.find((one) => one === text);
  if (state !== undefined) return state;
  throw new InvalidArgumentError(unknownValue([], { title: 'state', given: text, known: inboxStates }).message);
}
