import { cpSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { run } from '#test/demo/run.ts';
import { partText, playTwoCrms } from '#test/demo/two-crms.ts';

/*
 * `npm run demo`: the server, the embedded vault and the four emulated services, and a story that is narrated as it happens.
 * `npm run demo -- --help` lists the options. It keeps what it makes in a temporary folder, which goes with it.
 */

type Options = Readonly<{ once?: boolean; pace?: number; keep?: string; verbose?: boolean; twoCrms?: boolean }>;

const command = new Command('demo')
  .description('Shows Portolan at work: five services, one story, and the notes as they change.')
  .option('--once', 'play the story without pauses, and end', false)
  .option('--pace <seconds>', 'pause before each step; 2 on a terminal, else 0', seconds)
  .option('--keep <folder>', 'copy the notes to this folder at the end')
  .option('--verbose', "show the server's log on standard error", false)
  .option('--two-crms', 'play another story to its end: two people with HubSpot and Pipedrive, and one Jira', false)
  .action(async ({ once = false, pace, keep, verbose = false, twoCrms = false }: Options) => {
    if (twoCrms) {
      await playTwoCrms((part) => process.stdout.write(partText(part)));
      return;
    }
    const usual = once || !process.stdout.isTTY ? 0 : 2;
    process.exitCode = await run({
      isOnce: once,
      paceMs: (pace ?? usual) * 1000,
      isVerbose: verbose,
      port: process.env['PORT'] ?? null,
      onEnd: (notes) => {
        if (keep !== undefined) cpSync(notes, keep, { recursive: true });
      },
    });
  });

await command.parseAsync();
process.exit();

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= 60) return value;
  throw new InvalidArgumentError('It must be a number of seconds from 0 to 60.');
}
