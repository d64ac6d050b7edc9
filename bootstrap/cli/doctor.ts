import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { checkBaseUrl, checkMetadata, checkPort } from '#bootstrap/checks/address.ts';
import { checkDataDir, checkSecret } from '#bootstrap/checks/data-dir.ts';
import { checkDatabase, type DatabaseReport } from '#bootstrap/checks/database.ts';
import { type Finding, findingLine, good, wrong } from '#bootstrap/checks/finding.ts';
import { askVendors, type LiveReport, liveLines } from '#bootstrap/checks/live.ts';
import { checkServices } from '#bootstrap/checks/services.ts';
import { checkSingleSignOn } from '#bootstrap/checks/single-sign-on.ts';
import { checkStores } from '#bootstrap/checks/stores.ts';
import { checkVault } from '#bootstrap/checks/vault.ts';
import { type CommandSettings, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { openedForCommand } from '#bootstrap/cli/opened-for-command.ts';
import { ConfigError } from '#bootstrap/start/first-start.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The report when no store uses the database. */
const noDatabase: DatabaseReport = { findings: [], vault: null, vaultFolderId: null, entered: [] };

await new Command(commandLine('doctor'))
  .description('Checks whether the server can run with these settings, and what is missing. Changes nothing.')
  .option('--live', 'also asks each connected vendor, by reading, what its documents leave open')
  .option('--json', 'prints the findings as JSON')
  .addHelpText('after', '\nThe exit code is 1 when something is wrong (✗), else 0.')
  .action(async ({ live = false, json = false }: Readonly<{ live?: boolean; json?: boolean }>) => {
    const findings = await examine();
    // Opening what a server opens would create the folder.
    const canAsk = live && !findings.some(({ mark }) => mark === '✗') && (await hasData());
    const vendors = canAsk ? await askedVendors() : null;
    const lines = [...findings.map(findingLine), ...(vendors ?? []).flatMap(liveLines)];
    process.stdout.write(json ? `${JSON.stringify({ findings, vendors }, null, 2)}\n` : `${lines.join('\n')}\n`);
    process.exitCode = findings.some(({ mark }) => mark === '✗') ? 1 : 0;
  })
  .parseAsync();

/** Runs all checks, in the order of a start. When the settings are invalid, reports only that. */
async function examine(): Promise<readonly Finding[]> {
  const given = await settingsOrErrors();
  if ('findings' in given) return given.findings;
  const { settings, config } = given;
  const { secret, finding: secretFinding } = await checkSecret(settings);
  const stores = await checkStores(settings, config, secret);
  const database = stores.needsDatabase ? await checkDatabase(settings, secret) : noDatabase;
  const { vaultFolderId: folderId = database.vaultFolderId } = stores;
  settings.live.start(database.entered);
  const services = settings.live.current;
  const hasWebhooks = services.some(
    ({ webhooks }) => webhooks !== null && (webhooks.choosesSecrets || webhooks.secrets.length > 0),
  );
  return [
    good('Settings: they fit'),
    await checkDataDir(settings),
    secretFinding,
    ...stores.findings,
    ...database.findings,
    await checkPort(settings),
    checkBaseUrl(settings, hasWebhooks),
    checkMetadata(settings),
    await checkSingleSignOn(settings),
    ...checkServices(services),
    await checkVault(settings, { kept: database.vault, folderId }),
  ];
}

/** Whether a server has been started with these settings, so that somebody may be connected. */
async function hasData(): Promise<boolean> {
  return existsSync((await settingsOfCommand()).settings.dataDir);
}

/** Opens what a server opens, without listening, and asks the vendors. */
async function askedVendors(): Promise<readonly LiveReport[]> {
  const { container, closeAll } = await openedForCommand();
  try {
    return await askVendors(container);
  } finally {
    await closeAll();
  }
}

async function settingsOrErrors(): Promise<CommandSettings | Readonly<{ findings: readonly Finding[] }>> {
  try {
    return await settingsOfCommand();
  } catch (error) {
    if (error instanceof ConfigError)
      return { findings: [wrong(`Configuration: ${error.message}`, 'correct it; then the rest is checked')] };
    if (!(error instanceof SettingErrors)) throw error;
    const findings = error.errors.map(({ variable, message }) =>
      wrong(`Settings: ${variable} ${message}`, `correct ${variable}; then the rest is checked`),
    );
    return { findings };
  }
}
