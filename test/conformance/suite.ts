import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startFixtureServer } from '#test/conformance/fixture-server.ts';

/** The suite, by its exact version. */
export const suitePackage = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** The revisions whose requirements are run. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;

/** What one scenario came to; `isRequired` is false for what the revision does not ask for. */
export type Scenario = Readonly<{ name: string; passed: number; failed: number; isRequired: boolean }>;

/** What a revision's scenarios came to. */
export type RevisionReport = Readonly<{ revision: string; scenarios: readonly Scenario[] }>;

/** Runs the suite's requirements of a revision against a server of our own. Throws when the suite gave no summary. */
export async function runRevision(revision: string): Promise<RevisionReport> {
  const server = await startFixtureServer();
  const output = await runSuite(['server', '--url', server.url, '--requirements', revision]);
  await server.close();
  const scenarios = scenariosOf(output);
  if (scenarios.length === 0) throw new Error(`The suite gave no summary:\n${output.slice(-2000)}`);
  return { revision, scenarios };
}

/** Why the suite cannot be run here, or null when it can. */
export async function whyNoSuite(): Promise<string | null> {
  const output = await runSuite(['--version']);
  return /^\d+\.\d+\.\d+/m.test(output) ? null : `${suitePackage} cannot be fetched: ${output.trim().slice(-200)}`;
}

/** The report as a Markdown table. */
export function tableOf(reports: readonly RevisionReport[]): string {
  const lines = reports.map(({ revision, scenarios }) => {
    const required = scenarios.filter(({ isRequired }) => isRequired);
    const passed = required.filter(({ failed }) => failed === 0);
    const checks = required.reduce((sum, scenario) => sum + scenario.passed, 0);
    const failing = required.filter(({ failed }) => failed > 0).map(({ name }) => name);
    return `| ${revision} | ${passed.length} of ${required.length} | ${checks} | ${failing.join(', ') || 'none'} |`;
  });
  return ['| requirements | scenarios passed | checks passed | failing |', '|---|---|---|---|', ...lines].join('\n');
}

function scenariosOf(output: string): readonly Scenario[] {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [scored = '', unscored = ''] = summary.split(/^Not scored/m);
  const others = new Set([...unscored.matchAll(/^ +[✓✗] (\S+)/gm)].map((match) => match[1]));
  return [...scored.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
    isRequired: !others.has(name),
  }));
}

/** All that the suite writes. It runs in a folder of its own, since it leaves results where it stands. */
async function runSuite(args: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-conformance-'));
  // The suite needs this very Node; npx would take the first that it finds.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const child = spawn('npx', ['--yes', suitePackage, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  await rm(folder, { recursive: true, force: true });
  return output;
}
